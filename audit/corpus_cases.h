#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "audit/stream.h"
#include "audit/tally.h"
#include "differential/targets/target.h"
#include "differential/testcase/case.h"

/// Cases beside those of the sweep: of a corpus, and those that show what was
/// measured. One of a corpus that is wrong speaks against the rules that it
/// names in `requirement`, and against no other.
namespace lanediff::audit {

/// In the place of an instruction of the sweep.
inline constexpr std::string_view kGivenSource = "corpus";
inline constexpr std::string_view kMeasuredSource = "characterise";

/// The `number`th of the given cases as one of an audit, from `source`.
AuditCase GivenCase(const std::vector<Case>& given, std::uint64_t number,
                    std::string_view source = kGivenSource);

/// Runs it on `target` in a process of its own.
Tally RunGivenCase(const AuditCase& c, const diff::Target& target,
                   double hang_seconds);

/// The cases of what `measured` found against a rule, which they name, on each
/// of `products`.
std::vector<Case> MeasuredCases(const std::vector<Measurement>& measured,
                                const std::vector<isa::Product>& products);

}  // namespace lanediff::audit
