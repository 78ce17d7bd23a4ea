#include "reports/kernel_status.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <set>

namespace lanediff::reports {

using kernel::Counts;
using kernel::End;
using kernel::Finding;
using kernel::RunRecord;

bool AnythingChecked(const Counts& counts) {
  return counts.audited > 0 || counts.carried > 0 || counts.bytes_followed > 0;
}

std::vector<std::string> FailedOn(const RunRecord& record) {
  std::vector<std::string> lines;
  if (record.end.how == End::How::kNotStarted) return lines;
  for (const kernel::FailOn condition : record.settings.fail_on) {
    std::vector<std::string> found;
    for (const KernelCount& count : KernelNotChecked()) {
      const bool meant = condition == kernel::FailOn::kNotChecked ||
                         (condition == kernel::FailOn::kHidden &&
                          count.count == &Counts::hidden_by_auto_sync) ||
                         (condition == kernel::FailOn::kApproximate &&
                          count.count == &Counts::approximate);
      if (!meant || record.counts.*count.count == 0) continue;
      found.push_back(
          fmt::format("{}={}", count.key, record.counts.*count.count));
    }
    if (found.empty()) continue;
    lines.push_back(fmt::format("--fail-on {}: expected none, found {}",
                                isa::Name(condition), fmt::join(found, " ")));
  }
  return lines;
}

int KernelRunStatus(const RunRecord& record) {
  const bool found = std::ranges::any_of(
      record.findings, [](const Finding& f) { return f.suppressed.empty(); });
  if (found || !record.suppression_faults.empty() ||
      !FailedOn(record).empty()) {
    return 1;
  }
  switch (record.end.how) {
    case End::How::kCrashed:
    case End::How::kTimedOut:
      return 3;
    case End::How::kTooMany:
    case End::How::kNotStarted:
      return 2;
    case End::How::kEnded:
      break;
  }
  if (record.end.code != 0) return 3;
  if (!record.refusals.empty() || record.counts.refused > 0) return 2;
  return AnythingChecked(record.counts) && PlacesNotMet(record).empty() ? 0 : 2;
}

std::vector<std::string> PlacesNotMet(const RunRecord& record) {
  std::set<std::string> left = record.settings.without;
  for (const kernel::SiteRow& row : record.sites) {
    if (left.empty()) break;
    left.erase(fmt::format("{}:{}:{}", row.site.file, row.site.line, row.op));
  }
  return {left.begin(), left.end()};
}

int KernelStatus(const RunRecord& record) {
  const bool expected = !record.settings.expect.empty() &&
                        record.end.how != End::How::kNotStarted;
  const int status =
      !expected ? KernelRunStatus(record)
      : record.expectation_faults.empty() && FailedOn(record).empty() ? 0
                                                                      : 1;
  return status == 0 && !record.unwritten.empty() ? 2 : status;
}

std::uint64_t KernelSummary::AllFindings() const {
  return std::accumulate(findings.begin(), findings.end(), std::uint64_t{0});
}

KernelSummary SummaryOf(const RunRecord& record) {
  KernelSummary summary;
  for (const Finding& finding : record.findings) {
    if (finding.suppressed.empty()) {
      ++summary.findings[static_cast<std::size_t>(finding.group)];
    } else {
      ++summary.suppressed;
    }
  }
  summary.notes = record.notes.size();
  summary.status = static_cast<std::uint64_t>(KernelStatus(record));
  return summary;
}

std::span<const KernelCount> KernelChecked() {
  static constexpr KernelCount kCounts[] = {
      {"launches", &Counts::launches, "launches of a kernel"},
      {"blocks", &Counts::blocks, "blocks that were run"},
      {"audited", &Counts::audited, "calls of audited instructions"},
      {"legality", &Counts::legality,
       "of these, calls whose legality the oracle judged"},
      {"values", &Counts::values,
       "of these, calls whose result was compared with the oracle"},
      {"carried", &Counts::carried,
       "unaudited calls: executed by one implementation alone"},
      {"bytes-followed", &Counts::bytes_followed,
       "bytes whose order and initialisation were followed"},
  };
  return kCounts;
}

std::span<const KernelCount> KernelNotChecked() {
  static constexpr KernelCount kCounts[] = {
      {"refused", &Counts::refused, "calls that are known and not executed",
       "replace the call or keep it out of the path that runs"},
      {"values-skipped", &Counts::values_skipped,
       "audited calls whose result was not compared", "--values all"},
      {"rejected", &Counts::rejected,
       "audited calls that broke a rule and were skipped",
       "the findings above name the rules"},
      {"without-value", &Counts::without_value,
       "audited calls without a result to compare: they accumulate in global "
       "memory, or have no element",
       "compare the output of the accumulating copies by hand"},
      {"unknown-bytes", &Counts::unknown_bytes,
       "bytes that leave the core and depend on calls that were skipped",
       "repair the findings above that have such bytes"},
      {"approximate", &Counts::approximate,
       "unaudited calls whose result the documents do not determine",
       "compare what depends on them with a tolerance"},
      {"gm-extent", &Counts::gm_extent,
       "accesses to global memory of unknown extent, bounds not checked",
       "allocate it with GmAlloc or aclrtMalloc, or wrap it in lanediff::Gm"},
      {"raw-pointers", &Counts::raw_pointers,
       "addresses taken by GetPhyAddr; accesses through them are not followed",
       "access the tensor by GetValue, SetValue or calls"},
      {"sync-auto", &Counts::sync_auto,
       "calls that a compiler synchronizes, so that order is not checked",
       "none is needed where that compiler is used"},
      {"gm-cache", &Counts::gm_cache,
       "GetValue and SetValue on global memory, whose cache is not modelled",
       "review DataCacheCleanAndInvalid by hand"},
      {"hidden-by-auto-sync", &Counts::hidden_by_auto_sync,
       "findings that the assumed compiler option hides", "--auto-sync off"},
  };
  return kCounts;
}

}  // namespace lanediff::reports
