#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reports/audit_record.h"

/// Texts that the printers of an audit share.
namespace lanediff::reports {

/// "a2" of "atlas-a2".
std::string_view ShortName(isa::Product product);

/// Whether what it showed is a defect of the target.
bool IsBad(const audit::Evidence& evidence);

/// Whether a cell of this verdict fails.
bool IsBad(audit::Verdict verdict);

/// What came out of cells of one rule: "refused 312 of 312 alone, 88 of 88
/// beside others; accepted 402"; empty where nothing was tried.
std::string TriedText(const std::vector<audit::Cell>& cells);

/// " in a sample of 39 of 225322 cases"; empty where all were tried.
std::string ShareText(const audit::AuditedRule& rule);

/// "breaks, repeat 256: ran otherwise: " and the message, in one line.
std::string EvidenceText(const audit::Evidence& evidence);

/// The lines of one disagreement.
std::string DisagreementText(const audit::AuditedDisagreement& place);

}  // namespace lanediff::reports
