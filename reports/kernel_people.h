#pragma once

#include "reports/kernel_record.h"
#include "reports/kernel_sources.h"

namespace lanediff::reports {

struct Report;

/// Adds what people read of a run of a kernel.
void AddForPeople(const kernel::RunRecord& record, const KernelSources& sources,
                  Report& report);

}  // namespace lanediff::reports
