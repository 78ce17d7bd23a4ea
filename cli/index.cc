#include <fmt/format.h>

#include <filesystem>

#include "cli/common.h"
#include "reports/night.h"
#include "reports/printable.h"

namespace lanediff::cli {

namespace fs = std::filesystem;

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
  fmt::print("{}\n", reports::InOneLine(page));
  return status;
}

}  // namespace lanediff::cli
