#pragma once

#include <string>

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

}  // namespace lanediff::reports
