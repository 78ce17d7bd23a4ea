#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "audit/stream.h"
#include "audit/tally.h"
#include "case/case.h"
#include "diff/target.h"

/// Cases of a corpus, beside those of the sweep. One that is wrong speaks
/// against the rules that it names in `requirement`, and against no other.
namespace lanediff::audit {

/// In the place of an instruction of the sweep.
inline constexpr std::string_view kGivenSource = "corpus";

/// The `number`th of the given cases as one of an audit.
AuditCase GivenCase(const std::vector<Case>& given, std::uint64_t number);

/// Runs it on `target` in a process of its own.
Tally ExamineGiven(const AuditCase& c, const diff::Target& target,
                   double hang_seconds);

}  // namespace lanediff::audit
