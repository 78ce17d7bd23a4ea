#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "audit/child.h"
#include "audit/conditions.h"
#include "audit/stream.h"
#include "audit/suspects.h"
#include "differential/targets/target.h"
#include "differential/testcase/case.h"
#include "isa/numeric_events.h"
#include "reports/audit_record.h"

namespace lanediff::audit {

/// What one case showed about one rule.
struct Observation {
  isa::RuleId rule;
  Side side = Side::kBreaks;
  Showing showing = Showing::kRefused;
  bool alone = true;     ///< the step breaks no other rule
  std::size_t step = 0;  ///< of the program: the one that shows it
};

/// A wrong result: one of some rules was not followed.
struct FailingStep {
  std::vector<isa::RuleId> suspects;  ///< sorted
  /// It rests on these, too, which variants of the case clear (variants.h).
  std::vector<isa::RuleId> cleared = {};
  Conditions conditions = 0;                     ///< of the step
  MismatchKind mismatch = MismatchKind::kOther;  ///< of its first wrong element
  std::size_t step = 0;  ///< of the program: the one that shows it
};

/// A right result, which speaks for some rules.
struct PassingStep {
  std::vector<isa::RuleId> rules;  ///< sorted
  Conditions conditions = 0;       ///< of the step

  friend auto operator<=>(const PassingStep&, const PassingStep&) = default;
};

/// What one case showed.
struct CaseResult {
  bool unsupported = false;  ///< the target can't do it; nothing was compared
  /// `kCrashed` or `kHung` of a target that ended or never answered.
  std::optional<Showing> failed;
  /// It was not run: the target has failed too often.
  bool given_up = false;
  bool accepted = false;  ///< the target executed all of a legal program
  std::string malformed;  ///< why what was recorded of it can't be read
  std::string skipped;    ///< why it could not be run here; else empty
  std::vector<Observation> observations;
  std::optional<FailingStep> failing;
  std::vector<PassingStep> passing;  ///< each once, sorted
  /// Of one that is unsupported: the rules that it would have shown something
  /// of, sorted.
  std::vector<isa::RuleId> missed;
  std::string message;    ///< of the first finding: expected and found
  std::string signature;  ///< of the first finding
  isa::NumericEvents events;
  std::uint64_t nodes = 0;
  std::uint64_t largest_ulp = 0;
  std::size_t steps = 0;
  std::int64_t compared_bytes = 0;
};

/// Runs `c` on `target` and the oracle and returns what it shows of the rules
/// that its steps break, note, keep or rest on. `made_for` is the rule at whose
/// boundary the case stands, if there is one.
CaseResult ResultOf(const Case& c, std::optional<isa::RuleId> made_for,
                    const diff::Target& target);

/// The same for a target that ended (`kCrashed`) or never answered (`kHung`):
/// what the case was to show, with this showing instead and `message`. A rule
/// that the case was made for is the only one that it speaks of.
CaseResult FailedResult(const Case& c, std::optional<isa::RuleId> made_for,
                        Showing showing, std::string_view message);

/// Of a case that was run in a process of its own, which ended so and left no
/// answer.
CaseResult ResultOfEnd(const AuditCase& c, Child::End end);

}  // namespace lanediff::audit
