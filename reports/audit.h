#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reports/audit_record.h"
#include "reports/changes.h"
#include "reports/reasons.h"
#include "reports/target_record.h"

/// Printers of an audit. Each shows the record and computes nothing but sums.
/// `changes` is what has changed since a baseline (reports/baseline.h), null
/// without one; `about` is the audited target, null if it is not reported.
namespace lanediff::reports {

struct Report;

/// A line for each rule, below it why cells were not exercised and bad evidence
/// with its command. Then disagreements, changes, findings by signature, sums;
/// the sentence on the whole stands in front and before the sums. Without `all`
/// there is nothing but the sentence, changes, findings and sums.
std::string AuditText(const audit::AuditRecord& record,
                      const AuditChanges* changes = nullptr,
                      const TargetRecord* about = nullptr, bool all = true);

/// The sums alone: the last lines of `AuditText`.
std::string AuditSummaryText(const audit::AuditRecord& record);

/// A document of the kind `audit`: reports/schema/audit.schema.json.
std::string AuditJson(const audit::AuditRecord& record,
                      const AuditChanges* changes = nullptr,
                      const TargetRecord* about = nullptr);

/// The same for the page that opens, which is to stay small: rules with what
/// the matrix shows of them, `DetailsJson` has the rest; the worst 400 groups,
/// and in "groupsLeftOut" how many more there are.
std::string AuditDigestJson(const audit::AuditRecord& record,
                            const AuditChanges* changes,
                            const TargetRecord* about);
/// All of one rule.
std::string DetailsJson(const audit::AuditedRule& rule);

/// Why an audit is no success although nothing is violated.
Reasons ReasonsOf(const audit::AuditRecord& record);

/// With a suite for each instruction, in it a test for each rule and product:
/// violated and contradicted ones fail, not exercised ones are skipped. A
/// disagreement of documents fails only where the target failed in its cases.
/// Findings are an error for each bad piece of evidence, a note for each
/// tolerated cell and each disagreement. `exit_status` is the process's.
Report ToReport(const audit::AuditRecord& record, int exit_status,
                const AuditChanges* changes = nullptr);

// Texts that the printers share.

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
