#pragma once

#include "reports/audit_record.h"
#include "reports/mutant_record.h"
#include "reports/record.h"

namespace lanediff::reports::test {

/// A finding of the emulator's, of the kind and instruction in its signature.
diff::Finding FindingOf(const std::string& signature,
                        const std::string& message = "differs");

/// ID.json, in which Min agrees, or disagrees with a finding for each.
CaseRecord CaseOf(const std::string& id,
                  const std::vector<std::string>& signatures = {});

/// A check of these cases.
RunRecord RunOf(const std::vector<CaseRecord>& cases = {});

/// A run that has every verdict, kind of record and optional part, and text
/// that must be escaped.
RunRecord SampleRun();

/// A mutant that was found, one that was not, and one whose hunt was not
/// finished.
MutantsRecord SampleMutants();

/// An audit that has every verdict, several products, every optional part, and
/// text that must be escaped.
audit::AuditRecord SampleAudit();

}  // namespace lanediff::reports::test
