#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "audit/tally.h"
#include "reports/audit_record.h"

/// Which rules wrong results speak against, once all results are in.
namespace lanediff::audit {

/// Wrong results that a rule explains.
struct Fault {
  /// Sorted. Several explain them equally: all of these are named.
  std::vector<isa::RuleId> rules;
  /// What all of them have in common and right results don't.
  Conditions conditions = 0;
  std::vector<std::size_t> failing = {};  ///< of the list that was given
  /// Right results that rest on the first rule under these conditions.
  std::uint64_t right = 0;
  /// Rules that explain nearly all of them, too, and have no more right
  /// results: within a tenth.
  std::vector<isa::RuleId> co_suspects = {};
};

/// A wrong result has several suspects, for a sum that is wrong may have been
/// added in another order, of other lanes or been rounded otherwise. Of the
/// rules, each as a whole and under what calls have in common, the one is
/// blamed that has many wrong results and few right ones: with w wrong and r
/// right ones the highest w / √(w + r), which spectrum-based fault localization
/// calls Ochiai. What it explains speaks against no other rule; then the next.
///
/// 1. A condition must be worth it: each takes a fifth of that number away.
/// 2. A rule that is blamed already also explains what is left, unless another
///    one does so twice as well.
/// 3. Of rules about some values, such as NaN or rounding, which meet in one
///    sum, the one that explains most is blamed.
/// 4. Zeros of the wrong sign come last. They are the rule's of zero signs, but
///    for those that a rule that is blamed already explains: one about some
///    values; or another one that makes other values of zeros more often than
///    zeros of the other sign, as who adds wrong elements does.
/// 5. A rule common to several instructions is blamed where results of several
///    are wrong, or it is the only suspect of some.
/// 6. A rule that a measurement shows not to be followed is the only suspect of
///    the results that it may explain; one that is shown to be followed is none
///    where there is another.
/// 7. Further evidence counts between equals: elements that were not written
///    have no value, then right results in all, then the cases made for each.
///    What this does not decide speaks against all of these rules.
std::vector<Fault> LocalizeFaults(
    std::vector<FailingRuns> failing, const std::vector<PassingRuns>& passing,
    const std::vector<Measurement>& measured = {});

/// Moves the failing runs of `tally` to the cells of the rules that they speak
/// against, once all cases are in. `measured` is what else is known of rules.
void AddFaults(const std::vector<Measurement>& measured, Tally& tally);

}  // namespace lanediff::audit
