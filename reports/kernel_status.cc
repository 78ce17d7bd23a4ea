#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "differential/testcase/json.h"
#include "differential/testcase/sort_stably.h"
#include "isa/catalogue.h"
#include "reports/kernel.h"
#include "reports/printable.h"

namespace lanediff::reports {
namespace {

using kernel::Access;
using kernel::Counts;
using kernel::End;
using kernel::Finding;
using kernel::RunRecord;

/// ", iteration 3, lanes 0 to 63", as far as they are known and not the first.
std::string WithinCall(const Access& access) {
  std::string text;
  if (access.iteration.value_or(0) != 0)
    text += fmt::format(", iteration {}", *access.iteration);
  if (access.lanes) {
    text += fmt::format(", lanes {} to {}", access.lanes->first,
                        access.lanes->second);
  }
  return text;
}

std::string EndText(const RunRecord& record) {
  const End& end = record.end;
  if (!end.text.empty()) return InOneLine(end.text);
  switch (end.how) {
    case End::How::kEnded:
      if (end.code == 0) return "";
      return fmt::format("the program ended with status {}", end.code);
    case End::How::kCrashed:
      return fmt::format("the program crashed ({})", end.code);
    case End::How::kTimedOut:
      return "the program did not end in the seconds given with --seconds";
    case End::How::kTooMany:
      return fmt::format("stopped after {} findings (--max-errors)",
                         record.findings.size());
    case End::How::kNotStarted:
      return "the program was not started";
  }
  return "";
}

/// Places of --without at which the run called nothing of this name.
std::vector<std::string> PlacesNotMet(const RunRecord& record) {
  std::set<std::string> left = record.settings.without;
  for (const kernel::SiteRow& row : record.sites) {
    if (left.empty()) break;
    left.erase(fmt::format("{}:{}:{}", row.site.file, row.site.line, row.op));
  }
  return {left.begin(), left.end()};
}

}  // namespace

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
  using enum End::How;
  const bool found = std::ranges::any_of(
      record.findings, [](const Finding& f) { return f.suppressed.empty(); });
  if (found || !record.suppression_faults.empty() ||
      !FailedOn(record).empty()) {
    return 1;
  }
  const End::How how = record.end.how;
  if (how == kCrashed || how == kTimedOut) return 3;
  if (how == kTooMany || how == kNotStarted) return 2;
  if (record.end.code != 0) return 3;
  if (!record.refusals.empty() || record.counts.refused > 0) return 2;
  return AnythingChecked(record.counts) && PlacesNotMet(record).empty() ? 0 : 2;
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
      {"values-within", &Counts::values_within,
       "of these, calls with results within what --ulp declares"},
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
      {"values-open", &Counts::values_open,
       "audited calls with results of which no document states a precision: "
       "their special values alone were compared",
       "--ulp NAME=N declares one"},
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

std::string SiteText(const kernel::Site& site) {
  return fmt::format("{}{}:{}", site.after ? "after " : "",
                     InOneLine(site.file), site.line);
}

std::string NoRule(const std::string& text) {
  if (text == kernel::kValueRule || isa::FindRule(text) != nullptr) return "";
  return fmt::format(
      "found \"{}\", which is no rule; {} or one that `lanediff list rules` "
      "has is allowed",
      Quote(text), kernel::kValueRule);
}

std::string MoreText(std::uint64_t times) {
  return times > 1 ? fmt::format(" (and {} more)", times - 1) : std::string();
}

std::string OccurrenceText(const Finding& finding) {
  std::string text;
  if (finding.launch > 0) text += fmt::format("launch {}, ", finding.launch);
  text +=
      fmt::format("block {}, execution {}", finding.block, finding.execution);
  if (finding.later.site.call > 1) {
    text += fmt::format(" of call {} on the line", finding.later.site.call);
  }
  text += WithinCall(finding.later);
  if (finding.earlier) {
    const std::string there = WithinCall(*finding.earlier);
    if (!there.empty()) {
      text += fmt::format("; {} {}{}", InOneLine(finding.earlier->op),
                          SiteText(finding.earlier->site), there);
    }
  }
  text += MoreText(finding.times);
  if (finding.bytes && finding.buffer) {
    const std::int64_t first = finding.bytes->at - finding.buffer->at;
    const std::int64_t last = first + finding.bytes->bytes - 1;
    text += first == last ? fmt::format("; byte {}", first)
                          : fmt::format("; bytes {} to {}", first, last);
    text += fmt::format(" of the buffer of {}", SiteText(finding.buffer->site));
  }
  return text;
}

std::string CauseText(const Finding& finding) {
  if (!finding.follows_from) return "";
  return fmt::format("{} {}", InOneLine(finding.follows_from->rule),
                     SiteText(finding.follows_from->site));
}

std::string UnknownText(const Finding& finding) {
  if (finding.unknown_bytes == 0) return "";
  const bool one = finding.unknown_bytes == 1;
  return fmt::format("{} that {} the core {} on the call ({})",
                     Counted(finding.unknown_bytes, "byte"),
                     one ? "leaves" : "leave", one ? "depends" : "depend",
                     InOneLine(finding.unknown));
}

void PutRootsFirst(RunRecord& record) {
  SortStably(record.findings,
             [](const Finding& one) { return one.follows_from.has_value(); });
}

std::string RefusalText(const kernel::Refusal& refusal) {
  return fmt::format("{}: refused: {} ({})", SiteText(refusal.site),
                     InOneLine(refusal.name), InOneLine(refusal.why));
}

std::string HiddenText(const kernel::Hidden& hidden) {
  return fmt::format(
      "{}: hidden by --auto-sync on: {}: {} is ordered behind {} {} by the "
      "compiler alone; fix: --auto-sync off reports it",
      SiteText(hidden.later), InOneLine(hidden.rule),
      InOneLine(hidden.later_op), InOneLine(hidden.earlier_op),
      SiteText(hidden.earlier));
}

std::string ReproduceText(const Finding& finding) {
  if (finding.case_path.empty()) return "";
  return "lanediff check " + ShellWord(finding.case_path);
}

std::vector<std::string> EndLines(const RunRecord& record) {
  std::vector<std::string> lines;
  if (std::string text = EndText(record); !text.empty()) {
    lines.push_back(std::move(text));
  }
  if (record.end.how != End::How::kNotStarted &&
      SummaryOf(record).AllFindings() == 0 && !AnythingChecked(record.counts)) {
    lines.push_back(
        "nothing was checked: the program reached no call of a kernel that is "
        "audited or followed");
  }
  for (std::string& line : FailedOn(record)) lines.push_back(std::move(line));
  for (const std::string& place : PlacesNotMet(record)) {
    lines.push_back(fmt::format(
        "--without {}: the run made no such call, and nothing was taken away",
        InOneLine(place)));
  }
  for (const std::string& report : record.unwritten) {
    lines.push_back(fmt::format("can't write {}", InOneLine(report)));
  }
  return lines;
}

std::string KernelSentence(const RunRecord& record) {
  const KernelSummary summary = SummaryOf(record);
  const std::string checked = fmt::format(
      "{} audited and {} unaudited {} in {}", record.counts.audited,
      record.counts.carried,
      record.counts.audited + record.counts.carried == 1 ? "call" : "calls",
      Counted(record.counts.blocks, "block"));
  if (const std::uint64_t found = summary.AllFindings(); found > 0) {
    return fmt::format("{} in {}", Counted(found, "finding"), checked);
  }
  if (!record.suppression_faults.empty()) {
    return "No finding, but the list of suppressions is stale";
  }
  if (!FailedOn(record).empty()) {
    return "No finding, but what --fail-on names";
  }
  if (KernelRunStatus(record) == 3) return "No finding, but the program failed";
  if (!AnythingChecked(record.counts)) return "Nothing was checked";
  if (KernelRunStatus(record) == 2) {
    return fmt::format("No finding in {}, but not all was run", checked);
  }
  return fmt::format(
      "No finding in {}; it speaks of the paths and inputs that ran, not of "
      "others",
      checked);
}

}  // namespace lanediff::reports
