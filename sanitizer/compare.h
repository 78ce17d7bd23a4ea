#pragma once

#include <expected>
#include <optional>
#include <string>

#include "differential/compare/finding.h"
#include "differential/records/hazard.h"
#include "differential/shrink/shrink.h"
#include "differential/testcase/case.h"
#include "oracle/hazards.h"

/// Lint held against the oracle's model of hazards, byte by byte.
namespace lanediff::lint {

/// The question to the oracle about `c`, whose memories are whole.
oracle::HazardQuestion QuestionOf(const Case& c);

/// What lint must report of `c`, but for what it counts: every byte's hazards
/// gathered as the documents state. `c` is small (oracle/hazards.h).
Verdict LiteralVerdict(const Case& c);
Verdict LiteralVerdict(const Case& c, const oracle::HazardAnswer& answer);

/// SYNC-RAW, -WAR or -WAW.
bool IsRace(const Hazard& hazard);

/// Looks at `c` with both. A finding (kind lint-differs, of side lint) where
/// they report different lines, but for what lint counts; the error names in a
/// few words where the program is more than the model takes (oracle/hazards.h).
std::expected<std::optional<diff::Finding>, std::string> Compare(const Case& c);

/// The same of two verdicts on `c`. It stands at the first step of which one
/// reports what the other does not; its rules are what each alone reports
/// there.
std::optional<diff::Finding> DifferenceOf(const Case& c, const Verdict& literal,
                                          const Verdict& found);

/// The smallest case in reach of which `Compare` has a finding of the signature
/// of `wanted`, which it has of `c`.
diff::ShrinkResult ShrinkDifference(const Case& c, const diff::Finding& wanted,
                                    const diff::ShrinkBudget& budget);

/// A line for each hazard and rejection, with all that belongs to it.
std::string TextOf(const Verdict& verdict);

/// The program, a line a step with what matters for its order.
std::string TextOf(const Case& c);

}  // namespace lanediff::lint
