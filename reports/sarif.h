#pragma once

#include <string>

#include "reports/record.h"

/// SARIF 2.1.0, for code scanning and other viewers of findings
/// (docs/reports.md). A document has one run; its rules are the whole
/// catalogue and a few of lanediff's own, always in the same order.
namespace lanediff::reports {

/// What check, fuzz or sweep found: a result for each finding, of the first
/// rule that only one side names, or else of the rule LANEDIFF-KIND. Known ones
/// are suppressed, files that are no case are notifications. `exit_status` is
/// the process's. Where the record has changes since a baseline, each result
/// has its state, and those that are gone are listed as absent.
std::string RunSarif(const RunRecord& record, int exit_status);

}  // namespace lanediff::reports
