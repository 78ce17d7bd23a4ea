#include <fmt/format.h>

#include "cli/common.h"
#include "diff/case_reader.h"
#include "diff/case_writer.h"
#include "diff/check.h"

namespace lanediff::cli {

int RunExec(const ExecOptions& options) {
  const auto target = diff::FindTarget(options.target);
  if (!target) return FailUsage("--target: " + target.error());
  const auto c = diff::ReadCaseFile(options.path);
  if (!c) return FailUsage(options.path + ": " + c.error());
  const diff::Outcome outcome = diff::RunCase(*c, **target);
  fmt::print("{}", diff::WriteOutcome(outcome, options.target));
  if (outcome.status == diff::Outcome::Status::kUnsupported) {
    return FailUsage(
        fmt::format("{} can't do step {}", options.target, outcome.step));
  }
  return kAgree;
}

}  // namespace lanediff::cli
