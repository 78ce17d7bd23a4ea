#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "differential/targets/target.h"
#include "differential/testcase/case.h"
#include "differential/testcase/case_error.h"
#include "differential/testcase/json_cursor.h"

namespace lanediff::diff {

/// Reads an outcome document of `c`. As strict as `ReadCase`, and with its
/// limits; also an error: a `case` that is another's id, a step that the
/// program doesn't have, a memory that the case doesn't have, bytes outside it.
std::expected<Outcome, CaseError> ReadOutcome(std::string_view text,
                                              const Case& c);

/// Where an outcome comes from, and so how much it must hold.
enum class OutcomeForm : unsigned char {
  kDocument,  ///< a file: as strict as stated above
  kReply,     ///< a running program's: a memory may be given as a whole, in
           ///< "hex"; without memory nothing has changed; what is unsupported
           ///< need not name its step
};

/// The outcome at `root`; what does not fit is thrown as a `CaseError`.
Outcome ReadOutcomeAt(const Cursor& root, const Case& c, OutcomeForm form);

/// Where the outcome document of the case called `id` lies: `id` and ".json"
/// below `folder`. An id with an empty part, "." or ".." between its slashes
/// could lead elsewhere, or to another case's document, and has none; the error
/// is one line.
std::expected<std::string, std::string> OutcomePath(std::string_view folder,
                                                    std::string_view id);

inline constexpr std::string_view kRecordedPrefix = "recorded:";

/// The target `recorded:DIR`, one for each spelling, which lives as long as the
/// process. The error is one line. May be called from several threads.
std::expected<const Target*, std::string> FindRecordedTarget(
    std::string_view name);

/// The ids of the cases that the recorded target `name` has outcomes of, of
/// those that begin with `folder` and a slash; nothing of another target.
std::optional<std::vector<std::string>> RecordedIds(std::string_view name,
                                                    std::string_view folder);

}  // namespace lanediff::diff
