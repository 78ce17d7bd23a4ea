#include <algorithm>
#include <utility>

#include "audit/audit.h"

namespace lanediff::audit {
namespace {

using Counts = ShowingCounts;

std::uint64_t Of(const Counts& counts, Showing showing) {
  return counts[static_cast<std::size_t>(showing)];
}

bool Any(const Counts& counts, std::initializer_list<Showing> showings) {
  return std::ranges::any_of(
      showings, [&](Showing showing) { return Of(counts, showing) > 0; });
}

constexpr auto kWrong = {Showing::kRefusedLegal, Showing::kCrashed,
                         Showing::kHung};
constexpr auto kRanWrongly = {Showing::kRanOtherwise, Showing::kWroteOutside};

/// Of who checks no rules.
Verdict OfTolerated(const Counts& alone, const Counts& together) {
  if (Any(alone, kWrong) || Any(together, kWrong)) return Verdict::kViolated;
  const auto ran = {Showing::kRanAsExtended, Showing::kRanUndefined,
                    Showing::kRanOtherwise, Showing::kWroteOutside};
  return Any(alone, ran) || Any(together, ran) ? Verdict::kTolerated
                                               : Verdict::kNotExercised;
}

/// A rule that is enforced names itself beside others too; one that is enforced
/// here and not there has its boundary elsewhere than the document.
Verdict OfReject(const Counts& alone, const Counts& together) {
  if (Any(alone, kWrong) || Any(together, kWrong) || Any(alone, kRanWrongly)) {
    return Verdict::kViolated;
  }
  const bool refused = Any(alone, {Showing::kRefused});
  const bool misnamed = Any(alone, {Showing::kRefusedOtherwise});
  const bool ran =
      Any(alone, {Showing::kRanAsExtended, Showing::kRanUndefined});
  if (misnamed || (refused && ran)) return Verdict::kViolated;
  // What runs as it should where the rule alone is broken runs wrongly beside
  // others because of these.
  if (!ran && Any(together, kRanWrongly)) return Verdict::kViolated;
  const bool named = Any(together, {Showing::kRefused});
  const bool passed_over =
      Any(together, {Showing::kRefusedOtherwise, Showing::kRanAsExtended,
                     Showing::kRanUndefined, Showing::kRanOtherwise,
                     Showing::kWroteOutside});
  if (refused) return passed_over ? Verdict::kViolated : Verdict::kEnforced;
  if (ran) return named ? Verdict::kViolated : Verdict::kTolerated;
  // Never broken alone.
  if (named) return passed_over ? Verdict::kViolated : Verdict::kEnforced;
  // What keeps a rule shows nothing of who enforces it.
  return passed_over ? Verdict::kTolerated : Verdict::kNotExercised;
}

constexpr auto kBad = {Showing::kDifferently, Showing::kRefusedLegal,
                       Showing::kCrashed, Showing::kHung};

Verdict OfOthers(const Counts& alone, const Counts& together) {
  if (Any(alone, kBad) || Any(together, kBad)) return Verdict::kContradicted;
  return Any(alone, {Showing::kAsDocumented}) ? Verdict::kConfirmed
                                              : Verdict::kNotExercised;
}

}  // namespace

Verdict VerdictOf(isa::Effect effect, const Counts& alone,
                  const Counts& together, bool tolerates) {
  if (effect != isa::Effect::kReject) return OfOthers(alone, together);
  return tolerates ? OfTolerated(alone, together) : OfReject(alone, together);
}

}  // namespace lanediff::audit
