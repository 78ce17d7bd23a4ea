// Looks for the smallest case that shows the same finding.

#include "diff/shrink/shrink.h"

#include <fmt/format.h>

#include "case/case_reader.h"
#include "case/case_writer.h"
#include "cli/common.h"
#include "diff/targets/find_target.h"
#include "reports/printable.h"

namespace lanediff::cli {
namespace {

std::string Plural(std::int64_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string SizeText(const diff::CaseSize& size) {
  return fmt::format(
      "{}, {}, {}, {}", Plural(static_cast<std::int64_t>(size.steps), "step"),
      Plural(size.iterations, "iteration"), Plural(size.bytes, "byte"),
      Plural(size.nonzero_elements, "non-zero element"));
}

/// NAME.shrunk.json for NAME.json, and for a NAME of any other kind.
std::string BesideOf(std::string path) {
  constexpr std::string_view kSuffix = ".json";
  if (path.ends_with(kSuffix)) path.resize(path.size() - kSuffix.size());
  return path + ".shrunk.json";
}

std::string Reproduce(const ShrinkOptions& options, const std::string& path) {
  std::string command = "lanediff check " + ShellWord(path);
  if (options.target != "emulator") {
    command += " --target " + ShellWord(options.target);
  }
  if (options.reference != "oracle") {
    command += " --reference " + ShellWord(options.reference);
  }
  return command;
}

int ShrinkCase(const ShrinkOptions& options, const diff::Target& target,
               const diff::Target& reference) {
  const auto c = ReadCaseFile(options.path);
  if (!c) return FailUsage(options.path + ": " + c.error());

  diff::ShrinkBudget budget;
  if (options.candidates > 0) budget.candidates = options.candidates;
  if (options.seconds > 0) budget.seconds = options.seconds;
  const auto result = diff::Shrink(*c, target, reference, budget);
  if (!result) return FailUsage(options.path + ": " + result.error());

  const std::string out =
      options.out.empty() ? BesideOf(options.path) : options.out;
  const auto written = WriteFile(out, WriteCase(result->shrunk));
  if (!written) return FailUsage(written.error());
  fmt::print("{}\nsignature: {}\nbefore: {}\nafter: {}\n",
             result->finding.message, result->finding.signature,
             SizeText(result->before), SizeText(result->after));
  fmt::print("ran {} in {:.2f} s{}\nsaved: {}\nreproduce: {}\n",
             Plural(result->candidates, "candidate"), result->seconds,
             result->complete ? "" : "; the limit ended it",
             reports::InOneLine(out), Reproduce(options, out));
  return kAgree;
}

}  // namespace

int RunShrink(const ShrinkOptions& options) {
  const auto target = diff::FindRunningTarget(options.target);
  if (!target) return FailUsage("--target: " + target.error());
  const auto reference = diff::FindRunningTarget(options.reference);
  if (!reference) return FailUsage("--reference: " + reference.error());
  if (*target == *reference) {
    return FailUsage(
        "--target and --reference are the same; they can't differ");
  }
  return ShrinkCase(options, **target, **reference);
}

}  // namespace lanediff::cli
