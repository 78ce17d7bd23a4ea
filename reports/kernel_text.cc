#include <fmt/format.h>
#include <fmt/ranges.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isa/data_copy.h"
#include "isa/state.h"
#include "reports/kernel.h"
#include "reports/kernel_status.h"
#include "reports/printable.h"

namespace lanediff::reports {
namespace {

using kernel::Finding;
using kernel::RunRecord;

/// " KEY=NUMBER" for each, or for each that is not zero.
std::string CountsText(std::span<const KernelCount> counts,
                       const kernel::Counts& of, bool zeros) {
  std::string text;
  for (const KernelCount& count : counts) {
    if (of.*count.count == 0 && !zeros) continue;
    text += fmt::format(" {}={}", count.key, of.*count.count);
  }
  return text.empty() ? " none" : text;
}

/// A line for each of NOT-CHECKED that is not zero, with its remedy.
std::string RemediesText(const kernel::Counts& of) {
  std::string text;
  for (const KernelCount& count : KernelNotChecked()) {
    if (of.*count.count == 0) continue;
    text += fmt::format("not checked: {} {}; fix: {}\n", of.*count.count,
                        count.meaning, count.remedy);
  }
  return text;
}

/// What the verdict rests on.
std::string BasisText(const kernel::Counts& counts) {
  if (!AnythingChecked(counts)) return "; the verdict rests on no call";
  return fmt::format(
      "; the verdict rests on {} of {} calls checked against the oracle, {} "
      "executed by one implementation alone, {} bytes followed",
      counts.legality, counts.audited + counts.carried, counts.carried,
      counts.bytes_followed);
}

std::string SummaryLine(const KernelSummary& summary) {
  std::string text = "SUMMARY";
  for (std::size_t i = 0; i < summary.findings.size(); ++i) {
    text += fmt::format(" {}={}", isa::Name(static_cast<kernel::Group>(i)),
                        summary.findings[i]);
  }
  return text + fmt::format(" suppressed={} notes={} status={}\n",
                            summary.suppressed, summary.notes, summary.status);
}

/// Notes of calls that do less than their parameters have: they are listed
/// always.
bool ChangesResult(const kernel::Note& note) {
  return note.rule == isa::dc::kCountFloor.text() ||
         note.rule == isa::dc::kCountEmpty.text() ||
         note.rule == isa::sync::kInitOutput.text();
}

}  // namespace

std::string KernelFirstLine(const RunRecord& record) {
  const kernel::Settings& settings = record.settings;
  std::string text = fmt::format(
      "lanediff run: {}, {}, saturation {}, mask at start {}, values {}, "
      "edition {}",
      isa::Name(settings.product),
      !settings.sync       ? "synchronized by the compiler"
      : settings.auto_sync ? "auto-sync on (default)"
                           : "auto-sync off",
      settings.saturation ? "on" : "off",
      settings.mask_start_ones ? "all ones" : "unknown",
      settings.values ? fmt::format("{} of each site", *settings.values)
                      : std::string("all"),
      isa::Name(settings.edition));
  if (!settings.checks.empty()) {
    std::vector<std::string_view> groups;
    for (const kernel::Group group : settings.checks) {
      groups.push_back(isa::Name(group));
    }
    text += fmt::format(", {} alone", fmt::join(groups, " and "));
  }
  for (const std::string& place : settings.without) {
    text += fmt::format(", without {}", InOneLine(place));
  }
  if (settings.strict) text += ", strict";
  if (settings.poison_both) text += ", poison both";
  text += BasisText(record.counts);
  const Reasons reasons = ReasonsOf(record);
  return text + (reasons.empty() ? "\n" : "; NOT complete\n");
}

std::string KernelFindingText(const Finding& finding) {
  std::string text = fmt::format(
      "{}: {} {}: {}\n", SiteText(finding.later.site), isa::Name(finding.group),
      InOneLine(finding.rule), InOneLine(finding.message));
  text += fmt::format("  {}", OccurrenceText(finding));
  if (!finding.missing.empty()) {
    text += fmt::format("; missing: {}", InOneLine(finding.missing));
  }
  if (finding.follows_from) {
    text += fmt::format("; follows from: {}", CauseText(finding));
  }
  text += '\n';
  if (finding.unknown_bytes > 0) {
    text += fmt::format("  unknown: {}\n", UnknownText(finding));
  }
  for (const std::string& caller : finding.stack) {
    text += fmt::format("  called from {}\n", InOneLine(caller));
  }
  if (!finding.repair.empty()) {
    text += fmt::format("  repair: {}\n", InOneLine(finding.repair));
  }
  if (!finding.case_path.empty()) {
    text += fmt::format("  case: {}   reproduce: {}   next: lanediff lint {}\n",
                        InOneLine(finding.case_path), ReproduceText(finding),
                        ShellWord(finding.case_path));
  } else if (!finding.no_case.empty()) {
    text += fmt::format("  no case: {}\n", InOneLine(finding.no_case));
  }
  return text;
}

std::string KernelText(const RunRecord& record) {
  std::string text;
  for (const Finding& finding : record.findings) {
    if (finding.suppressed.empty()) text += KernelFindingText(finding);
  }
  for (const Finding& finding : record.findings) {
    if (finding.suppressed.empty()) continue;
    text += fmt::format("{}: suppressed {} {}: {}\n",
                        SiteText(finding.later.site), isa::Name(finding.group),
                        InOneLine(finding.rule), InOneLine(finding.suppressed));
  }
  for (const kernel::Refusal& refusal : record.refusals) {
    text += RefusalText(refusal) + '\n';
  }
  for (const kernel::Hidden& hidden : record.hidden) {
    text += HiddenText(hidden) + '\n';
  }
  for (const kernel::Note& note : record.notes) {
    if (!record.settings.show_notes && !ChangesResult(note)) continue;
    text += fmt::format("{}: note {}: {}{}\n", SiteText(note.site),
                        InOneLine(note.rule), InOneLine(note.message),
                        MoreText(note.times));
  }
  for (const std::string& fault : record.suppression_faults) {
    text += fmt::format("suppression: {}\n", InOneLine(fault));
  }
  for (const std::string& fault : record.expectation_faults) {
    text += fmt::format("expectation: {}\n", InOneLine(fault));
  }
  for (const std::string& line : EndLines(record)) {
    text += fmt::format("lanediff run: {}\n", line);
  }
  return text + RemediesText(record.counts) + "CHECKED" +
         CountsText(KernelChecked(), record.counts, true) + "\nNOT-CHECKED" +
         CountsText(KernelNotChecked(), record.counts, false) + '\n' +
         SummaryLine(SummaryOf(record));
}

}  // namespace lanediff::reports
