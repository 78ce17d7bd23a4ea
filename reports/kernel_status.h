#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "differential/testcase/record.h"
#include "isa/vocabulary.h"
#include "reports/kernel_record.h"

/// What a run of a kernel comes to in numbers.
namespace lanediff::reports {

/// The status of the run, whatever was expected of it. 1: findings, what
/// --fail-on names, or a stale list of suppressions. 3:
/// the program crashed, timed out or its main failed. 2: it was not started, a
/// refused call was reached, it was stopped by --max-errors though every
/// finding is suppressed, nothing was checked, or it didn't come to a place of
/// --without. Else 0. 1 beats 3 beats 2.
int KernelRunStatus(const kernel::RunRecord& record);

/// What --fail-on takes for a failure and the run has, a line each.
std::vector<std::string> FailedOn(const kernel::RunRecord& record);

/// Places of --without at which the run called nothing of this name.
std::vector<std::string> PlacesNotMet(const kernel::RunRecord& record);

/// The status that lanediff ends with: of the run; with --expect 0 if it was as
/// expected and there is nothing that --fail-on names, else 1.
int KernelStatus(const kernel::RunRecord& record);

/// Whether anything was audited or followed.
bool AnythingChecked(const kernel::Counts& counts);

/// The line SUMMARY.
struct KernelSummary {
  /// Findings that nothing suppresses: rule, site and other site, each once.
  std::array<std::uint64_t, isa::kCount<kernel::Group>> findings = {};
  std::uint64_t suppressed = 0;
  std::uint64_t notes = 0;  ///< rule and site, each once
  std::uint64_t status = 0;

  std::uint64_t AllFindings() const;

  template <class Self, class Visitor>
  static void Fields(Self& s, Visitor& v) {
    for (std::size_t i = 0; i < s.findings.size(); ++i) {
      v.Required(isa::Name(static_cast<kernel::Group>(i)), s.findings[i]);
    }
    v.Required("suppressed", s.suppressed);
    v.Required("notes", s.notes);
    v.Required("status", s.status);
  }
};
KernelSummary SummaryOf(const kernel::RunRecord& record);

/// A key of the lines CHECKED or NOT-CHECKED.
struct KernelCount {
  std::string_view key;
  std::uint64_t kernel::Counts::* count;
  std::string_view meaning;  ///< for people, without an end
  /// Of NOT-CHECKED: what a user does so that it is checked.
  std::string_view remedy = {};
};
std::span<const KernelCount> KernelChecked();
std::span<const KernelCount> KernelNotChecked();

}  // namespace lanediff::reports
