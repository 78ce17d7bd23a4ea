#include "reports/kernel_words.h"

#include <fmt/format.h>

#include <algorithm>

#include "differential/records/sort_stably.h"
#include "differential/testcase/json.h"
#include "isa/catalogue.h"
#include "reports/kernel_status.h"
#include "reports/printable.h"
#include "reports/shell_word.h"

namespace lanediff::reports {
namespace {

using kernel::Access;
using kernel::End;
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

std::string Many(std::uint64_t count, std::string_view one) {
  return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

}  // namespace

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

std::string OccurrenceText(const kernel::Finding& finding) {
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

std::string CauseText(const kernel::Finding& finding) {
  if (!finding.follows_from) return "";
  return fmt::format("{} {}", InOneLine(finding.follows_from->rule),
                     SiteText(finding.follows_from->site));
}

std::string UnknownText(const kernel::Finding& finding) {
  if (finding.unknown_bytes == 0) return "";
  const bool one = finding.unknown_bytes == 1;
  return fmt::format("{} that {} the core {} on the call ({})",
                     Many(finding.unknown_bytes, "byte"),
                     one ? "leaves" : "leave", one ? "depends" : "depend",
                     InOneLine(finding.unknown));
}

void PutRootsFirst(RunRecord& record) {
  lint::SortStably(record.findings, [](const kernel::Finding& one) {
    return one.follows_from.has_value();
  });
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

std::string ReproduceText(const kernel::Finding& finding) {
  if (finding.case_path.empty()) return "";
  return "lanediff check " + ShellWord(finding.case_path);
}

std::vector<std::string> EndLines(const RunRecord& record) {
  std::vector<std::string> lines;
  if (std::string text = EndText(record); !text.empty()) {
    lines.push_back(std::move(text));
  }
  if (record.end.how != End::How::kNotStarted && record.findings.empty() &&
      !AnythingChecked(record.counts)) {
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
      Many(record.counts.blocks, "block"));
  if (const std::uint64_t found = summary.AllFindings(); found > 0) {
    return fmt::format("{} in {}", Many(found, "finding"), checked);
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
      "No finding in {}; it speaks of the paths and inputs that "
      "ran, not of others",
      checked);
}

}  // namespace lanediff::reports
