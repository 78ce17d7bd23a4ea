#pragma once

#include <string>

#include "reports/kernel_record.h"
#include "reports/kernel_sources.h"

/// Printers of what a run of a kernel came to. Texts of the record may hold any
/// bytes; equal records give equal documents, byte for byte.
namespace lanediff::reports {

struct Report;

/// Rule, message, where and how often, what is missing, and the case.
std::string KernelFindingText(const kernel::Finding& finding);

/// Document of the kind `kernel`: reports/schema/kernel.schema.json.
std::string KernelJson(const kernel::RunRecord& record);

/// A text has findings, refused calls, notes if they are requested, what went
/// wrong, a remedy for each count of what was not checked, and the lines
/// CHECKED, NOT-CHECKED (keys that are not zero) and SUMMARY. A page has the
/// sources, too, with findings beside the lines. JUnit has a test for each site
/// and for each thing that went wrong besides; SARIF each finding and note at
/// its line, with the other access as a related place and fingerprints of rule,
/// file and text of the line.
Report ToReport(const kernel::RunRecord& record, const KernelSources& sources);

/// Adds what people read of it.
void AddForPeople(const kernel::RunRecord& record, const KernelSources& sources,
                  Report& report);

}  // namespace lanediff::reports
