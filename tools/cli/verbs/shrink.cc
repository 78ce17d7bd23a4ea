// Looks for the smallest case that shows the same finding.

#include "differential/shrink/shrink.h"

#include <fmt/format.h>

#include "differential/targets/find_target.h"
#include "differential/testcase/case_reader.h"
#include "differential/testcase/case_writer.h"
#include "reports/printable.h"
#include "tools/cli/common.h"
#include "tools/cli/kernel_findings.h"
#include "tools/cli/options.h"
#include "tools/cli/verbs.h"

namespace lanediff::cli {
namespace {

struct ShrinkOptions {
  std::string path;
  std::string out;  ///< empty: NAME.shrunk.json beside NAME.json
  TargetOptions target;
  std::string reference = "oracle";
  std::string edition;          ///< empty: the case's own
  std::string product;          ///< likewise
  std::int64_t candidates = 0;  ///< cases run at most; 0: the library's default
  double seconds = 0;           ///< 0: no limit
};

std::string SizeText(const diff::CaseSize& size) {
  return fmt::format("{}, {}, {}, {}", Counted(size.steps, "step"),
                     Counted(size.iterations, "iteration"),
                     Counted(size.bytes, "byte"),
                     Counted(size.nonzero_elements, "non-zero element"));
}

/// NAME.shrunk.json for NAME.json, and for a NAME of any other kind.
std::string BesideOf(std::string path) {
  constexpr std::string_view kSuffix = ".json";
  if (path.ends_with(kSuffix)) path.resize(path.size() - kSuffix.size());
  return path + ".shrunk.json";
}

/// Saves the case and prints what it shows; `how` is a line on the search.
int Save(const ShrinkOptions& options, const Case& shrunk,
         const diff::Finding& finding, const diff::CaseSize& before,
         const std::string& how) {
  const std::string out =
      options.out.empty() ? BesideOf(options.path) : options.out;
  OrFail(WriteFile(out, WriteCase(shrunk)));
  fmt::print(
      "{}\nsignature: {}\nbefore: {}\nafter: {}\nedition: {}\n{}saved: {}\n"
      "reproduce: {}\n",
      reports::InOneLine(finding.message),
      reports::InOneLine(finding.signature), SizeText(before),
      SizeText(diff::SizeOfCase(shrunk)), isa::Name(shrunk.edition), how,
      reports::InOneLine(out),
      reports::InOneLine(
          Reproduce(out, options.target.name, options.reference)));
  return kAgree;
}

/// What `check` finds in the program of a kernel; both sides agree on it.
/// `otherwise`: why there is nothing else to shrink.
int ShrinkProgram(const ShrinkOptions& options, const Case& c,
                  const std::string& otherwise) {
  auto result = ShrinkKernel(c);
  if (!result) return FailUsage(options.path + ": " + result.error());
  if (!*result) return FailUsage(options.path + ": " + otherwise);
  ShrunkKernel& made = **result;
  made.shrunk.origin = Origin{.tool = "lanediff-shrink",
                              .seed = {},
                              .target = {},
                              .signature = made.finding.signature,
                              .date = {}};
  return Save(options, made.shrunk, made.finding, diff::SizeOfCase(c),
              made.others == 0 ? ""
                               : fmt::format("it shows {} beside\n",
                                             Counted(made.others, "finding")));
}

int ShrinkCase(const ShrinkOptions& options, const diff::Target& target,
               const diff::Target& reference) {
  auto c = ReadCaseFile(options.path);
  if (!c) return FailUsage(options.path + ": " + c.error());
  ReadAs(options.edition, *c, options.product);

  diff::ShrinkBudget budget;
  if (options.candidates > 0) budget.candidates = options.candidates;
  if (options.seconds > 0) budget.seconds = options.seconds;
  const auto result = diff::Shrink(*c, target, reference, budget);
  if (!result) return ShrinkProgram(options, *c, result.error());
  return Save(
      options, result->shrunk, result->finding, result->before,
      fmt::format("ran {} in {:.2f} s{}\n",
                  Counted(result->candidates, "candidate"), result->seconds,
                  result->complete ? "" : "; the limit ended it"));
}

int RunShrink(const ShrinkOptions& options) {
  const auto [target, reference] = FindSides(
      options.target, options.reference, Takes::kRunning, "they can't differ");
  const int status = ShrinkCase(options, *target, *reference);
  // What fails is what was looked for.
  return status == kAgree ? kAgree : FinishTarget(*target, status);
}

}  // namespace

void AddShrink(CommandLine& line) {
  auto [verb, options] = line.Add(
      "shrink", "look for the smallest case that shows the same finding",
      RunShrink);
  verb.footer =
      "The finding that is kept is the first one that check prints, known by "
      "its signature. Without --out the result is NAME.shrunk.json beside "
      "NAME.json. What check finds in the program of a kernel is cut as lint "
      "--out does: --max-cases and --seconds have no part in it. Status 0: "
      "a case was written; 2: CASE shows no finding.";
  AddCase(verb, options.path);
  verb.Add("-o,--out FILE", options.out, "where to write; may be CASE itself");
  AddTarget(verb, options.target);
  AddReference(verb, options.reference);
  AddReadAs(verb, options.edition, options.product);
  verb.Add("--max-cases", options.candidates,
           "smaller cases to run at most; 0: 6000")
      .Within(0, 10'000'000)
      .ShowDefault()
      .Was("--candidates");
  verb.Add("--seconds", options.seconds,
           "time at most; 0: no limit. A limit that is reached makes the "
           "result depend on the machine")
      .Within(0, 1e6)
      .ShowDefault();
  verb.Docs(
      "own-implementation.md",
      {{"shrink corpus/min/count-65552-in-place.json --target "
        "mutant:min-half-not-saturated --out smaller.json"},
       {"shrink corpus/min/count-65552-in-place.json --target "
        "mutant:min-half-not-saturated --max-cases 100 --out smaller.json"}});
}

}  // namespace lanediff::cli
