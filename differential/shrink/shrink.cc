#include "differential/shrink/shrink.h"

#include <algorithm>

#include "differential/compare/check.h"
#include "differential/compare/compare.h"
#include "differential/compare/expected_result.h"
#include "differential/compare/keep_finding.h"
#include "differential/compare/signature.h"
#include "differential/shrink/attempts.h"
#include "differential/testcase/case.h"
#include "isa/footprint.h"
#include "isa/memory_map.h"
#include "isa/units.h"

namespace lanediff::diff {
namespace {

using shrink::Attempts;

/// Rounds of all passes. Each makes something smaller; this many are never
/// needed, but a circle of passes that undo each other would be endless.
constexpr int kMostRounds = 20;

/// Iterations of one step, for `CaseSize`; 1 of a call without a field for
/// them.
std::int64_t IterationsOf(Case& c, std::size_t step) {
  if (const std::int64_t* repeat = shrink::RepeatField(c, step)) {
    return std::max<std::int64_t>(*repeat, 0);
  }
  const auto* const call = std::get_if<isa::Call>(&c.program[step]);
  if (call == nullptr) return 1;
  if (call->Is(isa::Family::kTile)) {
    return std::max<std::int64_t>(call->tiles[isa::Call::kSrcTile].valid_row,
                                  0);
  }
  if (!call->IsByCount()) return 1;
  const std::int64_t lanes = isa::kIterationBytes / isa::LaneBytes(*call);
  const std::int64_t count = (*call)[isa::Param::kCount];
  return count <= 0 ? 0 : (count - 1) / lanes + 1;
}

/// Looks for a finding with the signature and the side of `wanted`.
std::optional<Finding> FindAgain(const Case& c, const Finding& wanted,
                                 const Target& target,
                                 const Target& reference) {
  // More runs, so only for those who need them.
  const bool twice = wanted.kind == FindingKind::kNotDeterministic;
  const Comparison result = twice ? CheckCase(c, target, reference)
                                  : CompareCase(c, target, reference);
  const auto found =
      std::ranges::find(result.findings, wanted.signature, &Finding::signature);
  return found == result.findings.end() ? std::nullopt : std::optional(*found);
}

std::expected<Finding, std::string> FirstFinding(const Case& c,
                                                 const Target& target,
                                                 const Target& reference) {
  const Comparison result = CheckCase(c, target, reference);
  if (result.findings.empty()) {
    return std::unexpected(
        result.unsupported
            ? "a side can't do one of the steps; there is nothing to shrink"
            : "both sides agree; there is nothing to shrink");
  }
  const Finding& first = result.findings.front();
  if (first.kind == FindingKind::kExpectation) {
    return std::unexpected(
        "both sides agree and only the expectation differs; correct `expect`, "
        "there is nothing to shrink");
  }
  return first;
}

/// What only lint reads, all of it or one by one.
bool ShrinkLintFacts(Attempts& attempts) {
  if (attempts.Change([](Case& c) { c.lint = {}; })) return true;
  bool any = attempts.Change([](Case& c) { c.lint.start_unknown = false; });
  any |= attempts.Change([](Case& c) { c.lint.propagate = false; });
  any |= attempts.Change([](Case& c) { c.lint.sync.reset(); });
  return any | attempts.Change([](Case& c) {
    if (c.lint.sync) c.lint.sync->automatic = false;
  });
}

/// Drops `count` steps from `first` on.
bool DropSteps(Attempts& attempts, std::size_t first, std::size_t count) {
  return attempts.Change([&](Case& c) {
    const auto begin = c.program.begin() + static_cast<std::ptrdiff_t>(first);
    c.program.erase(begin, begin + static_cast<std::ptrdiff_t>(count));
  });
}

bool ShrinkSteps(Attempts& attempts) {
  bool any = false;
  // What comes after the finding has no part in it.
  const std::size_t end = attempts.finding().step + 1;
  if (end < attempts.best().program.size()) {
    any = DropSteps(attempts, end, attempts.best().program.size() - end);
  }
  for (std::size_t count = attempts.best().program.size() / 2; count > 0;
       count /= 2) {
    std::size_t first = 0;
    while (first + count <= attempts.best().program.size()) {
      if (DropSteps(attempts, first, count)) {
        any = true;
      } else {
        ++first;
      }
    }
  }
  return any;
}

/// The fewest first steps, which costs one case that shows the finding; then
/// fewer of those.
void KeepSteps(Attempts& attempts) {
  const std::size_t all = attempts.best().program.size();
  for (std::size_t kept = 1; kept < all; ++kept) {
    if (DropSteps(attempts, kept, all - kept)) break;
  }
  while (ShrinkSteps(attempts)) {
  }
}

void RunPasses(Attempts& attempts) {
  for (int round = 0; round < kMostRounds && !attempts.exhausted(); ++round) {
    bool any = attempts.Change([](Case& c) {
      c.product = isa::Product::kAtlasA2;  // a case's default
      FitMemories(c);
    });
    any |= ShrinkLintFacts(attempts);
    any |= ShrinkSteps(attempts);
    any |= ShrinkLayout(attempts);
    any |= ShrinkFields(attempts);
    any |= ShrinkTiles(attempts);
    any |= ShrinkData(attempts);
    if (!any) return;
  }
}

}  // namespace

CaseSize SizeOfCase(const Case& c) {
  Case copy = c;
  CaseSize size;
  size.steps = c.program.size();
  for (std::size_t i = 0; i < c.program.size(); ++i) {
    size.iterations = std::max(size.iterations, IterationsOf(copy, i));
  }
  const auto exists = MemoriesOf(c);
  for (std::size_t m = 0; m < exists.size(); ++m) {
    if (exists[m]) size.bytes += SizeOf(c, static_cast<isa::Memory>(m));
  }
  size.nonzero_elements = shrink::CountNonZeroElements(c);
  return size;
}

std::expected<ShrinkResult, std::string> Shrink(const Case& c,
                                                const Target& target,
                                                const Target& reference,
                                                const ShrinkBudget& budget) {
  const auto wanted = FirstFinding(c, target, reference);
  if (!wanted) return std::unexpected(wanted.error());
  Case bare = Listed(c);
  if (bare != c && !FindAgain(bare, *wanted, target, reference)) {
    return std::unexpected(
        "the finding is lost where runs and ramps of more than 1 MiB are cut "
        "to what the program touches; shorten them by hand");
  }
  ShrinkResult result = Shrink(
      bare, *wanted,
      [&](const Case& candidate) {
        return FindAgain(candidate, *wanted, target, reference);
      },
      budget);
  result.before = SizeOfCase(c);
  if (c.expect && c.expect->memory_open() && !result.shrunk.expect->rejected) {
    result.shrunk.expect->memory.reset();  // as open as its author left it
  }
  return result;
}

ShrinkResult Shrink(const Case& c, const Finding& wanted, const Shows& shows,
                    const ShrinkBudget& budget) {
  Case bare = c;
  bare.expect.reset();
  Attempts attempts(std::move(bare), wanted, shows, budget);
  budget.steps_only ? KeepSteps(attempts) : RunPasses(attempts);

  ShrinkResult result;
  result.finding = attempts.finding();
  result.shrunk =
      CaseOfFinding(attempts.best(), result.finding,
                    SlugOf(attempts.best().program.at(result.finding.step)),
                    "lanediff-shrink");
  if (c.origin) {
    result.shrunk.origin->seed = c.origin->seed;
    result.shrunk.origin->date = c.origin->date;
  }
  result.before = SizeOfCase(c);
  result.after = SizeOfCase(result.shrunk);
  result.candidates = attempts.run();
  result.complete = !attempts.exhausted();
  result.seconds = attempts.seconds();
  return result;
}

}  // namespace lanediff::diff
