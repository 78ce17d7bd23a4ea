#include <fmt/format.h>

#include <filesystem>

#include "reports/nightly.h"
#include "reports/printable.h"
#include "tools/cli/common.h"
#include "tools/cli/options.h"
#include "tools/cli/verbs.h"

namespace lanediff::cli {
namespace {

namespace fs = std::filesystem;

struct IndexOptions {
  std::string out;  ///< folder of a nightly run
  bool summary = false;
};

int RunIndex(const IndexOptions& options) {
  const auto nightly = OrFail(reports::ReadNightly(options.out));
  int status = kAgree;
  for (const reports::NightlyStage& stage : nightly.stages) {
    if (stage.problem.empty()) continue;
    status = FailUsage(fmt::format("{}: {}", stage.name, stage.problem));
  }
  const auto page = (fs::path(options.out) / "index.html").string();
  if (!WriteTo(page, [&] { return reports::NightlyHtml(nightly); })) {
    return kUsage;
  }
  if (options.summary) {
    fmt::print("{}", reports::NightlySummary(nightly));
  } else {
    fmt::print("{}\n", reports::InOneLine(page));
  }
  return status;
}

}  // namespace

void AddIndex(CommandLine& line) {
  auto [verb, options] =
      line.Add("merge --nightly",
               "the page over what script/nightly or "
               "tools/deploy/sharded-run left: OUT/index.html",
               RunIndex);
  verb.older = "index";
  verb.footer =
      "OUT/stages.txt lists what ran, in lines \"date TEXT\", \"commit "
      "TEXT\" and \"stage NAME STATUS SECONDS [unfinished]\". Status 0: the "
      "page is written; 2: it can't be, or results of a stage that ran can't "
      "be read, as the page reports.";
  verb.Add("OUT", options.out, "folder of a nightly run")
      .Required()
      .Of(FileKind::kAny);
  verb.Docs("nightly-ci.md",
            {{"merge --nightly out"}, {"merge --nightly out --summary"}});
  verb.Add(
      "--summary", options.summary,
      "print the stages and the findings by signature in Markdown, for the "
      "page of a CI run, instead of the page's path");
}

}  // namespace lanediff::cli
