#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "differential/targets/target.h"
#include "differential/testcase/case.h"
#include "reports/audit_record.h"

/// Where the documents disagree: with themselves, or older pages with newer
/// ones. Each entry has the reading that our rules rest on, the others, and a
/// case whose outcome distinguishes them.
namespace lanediff::audit {

struct EmbeddedText {
  std::string_view file;  ///< relative to the top of the sources
  std::string_view text;
};

/// `entries.json` and the case files of `corpus/disagreements/` and
/// `audit/ambiguities/readings/`, compiled in, so that an audit needs nothing
/// but the program.
std::span<const EmbeddedText> EmbeddedTexts();

/// All of `entries.json`: machine and products first, then instruction by
/// instruction.
std::span<const Disagreement> Disagreements();

/// What comes out by each reading, the chosen one first: the entry's case
/// called `name` with the outcome of that reading for an expectation.
std::vector<Case> CasesOf(const Disagreement& entry, std::string_view name);

/// What comes out by each reading in a few words, the chosen one first, such as
/// "UB byte 0 (half) is 35584 (0x7858)"; nothing where there is no case.
std::vector<std::string> OutcomesOf(const Disagreement& entry);

/// The entry as an audit has it, without a run on a target: undecided, its case
/// supposed to lie beside the report, in `cases/`.
AuditedDisagreement Described(const Disagreement& entry);

/// Runs the entry's case on `target`, or takes what was recorded of it, and
/// returns which reading the target follows, with what each reading expects and
/// what was found. Where it follows another one in the cases of other
/// instructions it follows neither. Undecided where there is no case, the
/// target can't run it, and where what was recorded of it leaves out what the
/// readings differ in.
AuditedDisagreement Judge(const Disagreement& entry,
                          const diff::Target& target);

/// The documents' disagreements as a Markdown page: for each the readings with
/// what comes out by them, why one was chosen, and its case.
std::string DisagreementsPage();

}  // namespace lanediff::audit
