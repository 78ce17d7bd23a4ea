#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "reports/night.h"
#include "reports/printable.h"
#include "tools/cli/common.h"
#include "tools/cli/options.h"
#include "tools/cli/verbs.h"

namespace lanediff::cli {
namespace {

namespace fs = std::filesystem;

struct IndexOptions {
  std::string out;  ///< folder of a night
  bool summary = false;
};

int RunIndex(const IndexOptions& options) {
  const auto night = reports::ReadNight(options.out);
  if (!night) return FailUsage(night.error());
  int status = kAgree;
  for (const reports::NightStage& stage : night->stages) {
    if (stage.problem.empty()) continue;
    status = FailUsage(fmt::format("{}: {}", stage.name, stage.problem));
  }
  const auto page = (fs::path(options.out) / "index.html").string();
  if (!WriteTo(page, [&] { return reports::NightHtml(*night); })) return kUsage;
  if (options.summary) {
    fmt::print("{}", reports::NightSummary(*night));
  } else {
    fmt::print("{}\n", reports::InOneLine(page));
  }
  return status;
}

}  // namespace

void AddIndex(CommandLine& line) {
  const auto options = std::make_shared<IndexOptions>();
  Verb verb = line.Add("index",
                       "the page over what script/nightly or "
                       "tools/deploy/night left: OUT/index.html",
                       [options] { return RunIndex(*options); });
  verb.Footer(
      "OUT/stages.txt tells what ran, in lines \"date TEXT\", \"commit "
      "TEXT\" and \"stage NAME STATUS SECONDS [unfinished]\". Status 0: the "
      "page is written; 2: it can't be, or results of a stage that ran can't "
      "be read, which the page says.");
  verb.Add("OUT", options->out, "folder of a night").Required();
  verb.Flag(
      "--summary", options->summary,
      "print the stages and the findings by signature in Markdown, for the "
      "page of a CI run, instead of the page's path");
}

}  // namespace lanediff::cli
