#pragma once

#include <expected>
#include <string_view>

#include "differential/testcase/json.h"
#include "differential/testcase/json_cursor.h"
#include "differential/testcase/outcome.h"

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

}  // namespace lanediff::diff
