#pragma once

#include <optional>
#include <string_view>

#include "case/recorded_outcome.h"
#include "diff/compare.h"

namespace lanediff::diff {

/// Compares what was recorded of `c`, under the name of a target, with what the
/// reference makes of it: outcome, rules, notes and every byte of every memory,
/// as far as the document says them.
///
/// Only the end of the program is known. So there is one finding about the
/// answer, at the first step where the two part or, of notes, at the step that
/// they belong to; and one about memory, at the step that wrote the element
/// last. What the finding says is what `CompareStepByStep` would say of that
/// step. Reads outside the operands don't show in a recording.
Comparison CompareRecorded(const Case& c, const RecordedOutcome& recorded,
                           std::string_view name, const Target& reference);

/// How `recorded` differs from what `c` expects, as far as both say it; nothing
/// if it doesn't or if the case expects nothing.
std::optional<Finding> CompareRecordedWithExpectation(
    const Case& c, const RecordedOutcome& recorded, std::string_view name);

}  // namespace lanediff::diff
