#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

#include "audit/conditions.h"
#include "audit/mismatch_kind.h"
#include "differential/testcase/record.h"
#include "isa/rule.h"
#include "reports/audit_record.h"

/// Which rules wrong results speak against, once all results are in.
namespace lanediff::audit {

/// Wrong results that may speak against the same rules.
struct FailingRuns {
  std::vector<isa::RuleId> suspects;  ///< sorted, at least one
  std::optional<isa::RuleId> made_for;
  Conditions conditions = 0;
  MismatchKind mismatch = MismatchKind::kOther;  ///< of the first wrong element
  std::uint64_t cases = 0;

  auto Key() const {
    return std::tie(made_for, suspects, conditions, mismatch);
  }

  static void Fields(auto& f, auto& v) {
    v.Required("suspects", f.suspects);
    v.Optional("madeFor", f.made_for);
    v.Required("conditions", f.conditions, kAllBits);
    v.Required("mismatch", f.mismatch);
    v.Required("cases", f.cases);
  }
  std::optional<CaseError> Fault() const {
    if (!suspects.empty() && std::ranges::is_sorted(suspects)) return {};
    return CaseError{"/suspects", "rules in ascending order are allowed"};
  }
};

/// Right results that speak for the same rules.
struct PassingRuns {
  std::vector<isa::RuleId> rules;  ///< sorted
  Conditions conditions = 0;
  std::uint64_t cases = 0;

  auto Key() const { return std::tie(conditions, rules); }

  static void Fields(auto& p, auto& v) {
    v.Required("rules", p.rules);
    v.Required("conditions", p.conditions, kAllBits);
    v.Required("cases", p.cases);
  }
};

/// Wrong results that one rule explains.
struct Fault {
  isa::RuleId rule;
  /// What all of them have in common and right results don't.
  Conditions conditions = 0;
  std::vector<std::size_t> failing = {};  ///< of the list that was given
  /// Right results that rest on the rule under these conditions.
  std::uint64_t right = 0;
  /// Rules that explain these, or nearly all of them, too, and have no more
  /// right results: within a tenth.
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
/// 3. Where it is a rule about some values, such as of NaN or of rounding, the
///    one of these is blamed that explains most, as they meet in one sum; of
///    equals the one that few right results of single calls speak for.
/// 4. Zeros of the wrong sign come last. They are the rule's of zero signs, but
///    for those that a rule that is blamed already explains: one about some
///    values; or another one that makes other values of zeros more often than
///    zeros of the other sign, as who adds wrong elements does.
/// 5. A rule common to several instructions is blamed where results of several
///    are wrong; of results of one alone, while those of another that rest on
///    the rule are right, a rule of that instruction is, unless some of these
///    results have no other suspect.
/// 6. A rule that a measurement shows not to be followed is the only suspect of
///    the results that it may explain; one that is shown to be followed is none
///    where there is another.
/// 7. Of equals: where most elements were not written, no rule of values; the
///    one that fewer right results rest on in all; the one that more of the
///    wrong ones were made for; an instruction's own before one of the machine.
std::vector<Fault> LocalizeFaults(
    std::vector<FailingRuns> failing, const std::vector<PassingRuns>& passing,
    const std::vector<Measurement>& measured = {});

}  // namespace lanediff::audit
