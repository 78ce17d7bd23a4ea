#pragma once

#include "differential/testcase/record.h"
#include "reports/kernel_record.h"
#include "reports/kernel_status.h"
#include "reports/kernel_words.h"

namespace lanediff::reports {

/// Document `lanediff-kernel/1`, for its writer and its schema.
struct KernelDocument {
  kernel::RunRecord record;

  template <class Self, class Visitor>
  static void Fields(Self& d, Visitor& v) {
    auto& r = d.record;
    v.Format("lanediff-kernel/1");
    v.Required("program", r.program);
    v.Derived("sentence", [&] { return KernelSentence(r); });
    v.Derived("summary", [&] { return SummaryOf(r); },
              {.description = "findings by group that nothing suppresses, what "
                              "is suppressed or noted, and the exit status"});
    v.Required("counts", r.counts,
               {.description = "the lines CHECKED and NOT-CHECKED"});
    v.Required("end", r.end);
    v.Required("settings", r.settings);
    v.Required("findings", r.findings,
               {.description = "root causes first, in the order of the first "
                               "occurrence"});
    v.Required("notes", r.notes);
    v.Required("refusals", r.refusals);
    v.Optional("hidden", r.hidden,
               {.description = "findings that --auto-sync off would add"});
    v.Required("sites", r.sites);
    v.Optional("suppressionFaults", r.suppression_faults, kFilled);
    v.Optional("expectationFaults", r.expectation_faults, kFilled);
  }
};

}  // namespace lanediff::reports
