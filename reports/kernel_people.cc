// What a run of a kernel shows to people: findings, then what was not checked,
// the sources with what was found beside their lines, and the counts.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isa/signature.h"
#include "isa/state.h"
#include "reports/kernel.h"
#include "reports/printable.h"
#include "reports/record_table.h"
#include "reports/report.h"

namespace lanediff::reports {
namespace {

using kernel::Counts;
using kernel::Finding;
using kernel::RunRecord;

/// " KEY=NUMBER" for each, or for each that is not zero.
std::string CountsText(std::span<const KernelCount> counts,
                       const kernel::Counts& of, bool zeros) {
  std::string text;
  for (const KernelCount& count : counts) {
    const bool shows_zero = zeros && count.count != &Counts::values_within;
    if (of.*count.count == 0 && !shows_zero) continue;
    text += fmt::format(" {}={}", count.key, of.*count.count);
  }
  return text.empty() ? " none" : text;
}

/// What the verdict rests on.
std::string BasisText(const kernel::Counts& counts) {
  if (!AnythingChecked(counts)) return "; the verdict rests on no call";
  const std::string distances =
      counts.values_within + counts.values_open == 0
          ? ""
          : fmt::format(
                " ({} compared bit for bit, {} within what --ulp declares, {} "
                "of no documented precision; at most {} ULP away)",
                counts.values, counts.values_within, counts.values_open,
                counts.most_ulp);
  return fmt::format(
      "; the verdict rests on {} of {} calls checked against the oracle{}, {} "
      "executed by one implementation alone, {} bytes followed",
      counts.legality, counts.audited + counts.carried, distances,
      counts.carried, counts.bytes_followed);
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
  using enum isa::CallRule;
  const isa::RuleId rule(note.rule);
  return isa::IsRuleOf(isa::Family::kCopy, kCountFloor, rule) ||
         isa::IsRuleOf(isa::Family::kCopy, kCountEmpty, rule) ||
         rule == isa::sync::kInitOutput;
}

using Line = Report::Line;
using Look = Report::Look;
using In = Report::Section::In;
using Kind = Report::Column::Kind;

/// The id of finding `number`, from 0.
std::string FindingId(std::size_t number) {
  return fmt::format("f{}", number + 1);
}

/// Where the page has the lines of sources: a number for each file that a site
/// names, in the order of their names.
struct Places {
  explicit Places(const RunRecord& record) {
    for (const std::string& file : FilesOf(record)) {
      numbers.emplace(file, numbers.size() + 1);
    }
  }

  std::string Id(const std::string& file, std::int64_t line) const {
    const auto found = numbers.find(file);
    return fmt::format("s{}-{}", found == numbers.end() ? 0 : found->second,
                       line);
  }
  std::string Link(const kernel::Site& site) const {
    return "#" + Id(site.file, site.line);
  }

  std::map<std::string, std::size_t> numbers;
};

Line AccessLine(std::string_view what, const kernel::Access& access,
                const Places& places) {
  return {.text = fmt::format(
              "{} {}{}{}{}", SiteText(access.site), access.op,
              access.operand.empty() ? "" : " ", access.operand,
              access.pipe ? fmt::format(" on {}", isa::Name(*access.pipe))
                          : std::string()),
          .label = std::string(what),
          .look = Look::kSoft,
          .link = places.Link(access.site),
          .page_only = true};
}

Line FindingLine(const Finding& finding, const Places& places) {
  const bool known = !finding.suppressed.empty();
  Line line = {.text = fmt::format(
                   "{}: {}{} {}: {}", SiteText(finding.later.site),
                   known ? "suppressed " : "", isa::Name(finding.group),
                   finding.rule, known ? finding.suppressed : finding.message),
               .look = known ? Look::kMild : Look::kPlain,
               .link = places.Link(finding.later.site)};
  const auto add = [&](std::string_view label, const std::string& text,
                       Look look = Look::kPlain, std::string link = {}) {
    if (text.empty()) return;
    line.below.push_back({.text = text,
                          .label = std::string(label),
                          .look = look,
                          .link = std::move(link),
                          .page_only = known});
  };
  if (known) add("", finding.message);
  add("", OccurrenceText(finding));
  line.below.push_back(AccessLine("at", finding.later, places));
  if (finding.earlier) {
    line.below.push_back(
        AccessLine("the other access", *finding.earlier, places));
  }
  add("missing", finding.missing);
  if (finding.follows_from) {
    add("follows from", CauseText(finding), Look::kPlain,
        places.Link(finding.follows_from->site));
  }
  add("unknown", UnknownText(finding));
  for (const std::string& caller : finding.stack) {
    add("", "called from " + caller, Look::kSoft);
  }
  add("repair", finding.repair);
  if (!finding.case_path.empty()) {
    add("case", finding.case_path);
    add("reproduce", ReproduceText(finding), Look::kCommand);
    add("next", "lanediff lint " + ShellWord(finding.case_path),
        Look::kCommand);
  } else {
    add("no case", finding.no_case, Look::kSoft);
  }
  return line;
}

Report::Section CountsSection(const char* title,
                              std::span<const KernelCount> counts,
                              const kernel::Counts& of) {
  Report::Section section = {
      .title = title,
      .columns = {{"what"}, {"how many", Kind::kNumber}, {"meaning"}}};
  for (const KernelCount& count : counts) {
    const std::uint64_t number = of.*count.count;
    const bool to_fix = number > 0 && !count.remedy.empty();
    section.rows.push_back(
        {.cells = {
             {std::string(count.key)},
             {std::to_string(number)},
             {to_fix ? fmt::format("{}; fix: {}", count.meaning, count.remedy)
                     : std::string(count.meaning)}}});
  }
  return section;
}

/// A row for each site, which leads to its line.
Report::Section SitesSection(const RunRecord& record, const Places& places) {
  Report::Section section = {.title = "By site"};
  for (const kernel::SiteRow& row : record.sites) {
    const std::string call =
        row.site.call > 1 ? fmt::format(" (call {})", row.site.call) : "";
    AddRecord(row, section, "site", SiteText(row.site) + call);
    section.rows.back().cells.front().link = places.Link(row.site);
  }
  return section;
}

/// What stands beside one line of a source.
struct Beside {
  std::vector<Line> lines;
  bool finding = false;
  std::uint64_t executions = 0;
};

/// By file and line.
using Besides = std::map<std::string, std::map<std::int64_t, Beside>>;

Besides BesidesOf(const RunRecord& record, const Places& places) {
  Besides all;
  const auto at = [&](const kernel::Site& site) -> Beside& {
    return all[site.file][site.line];
  };
  for (std::size_t i = 0; i < record.findings.size(); ++i) {
    const Finding& finding = record.findings[i];
    const std::string link = "#" + FindingId(i);
    Beside& later = at(finding.later.site);
    later.finding |= finding.suppressed.empty();
    Line line = {
        .text = fmt::format("{}{}: {}", finding.rule,
                            finding.suppressed.empty() ? "" : " (suppressed)",
                            finding.message),
        .link = link};
    if (finding.earlier) {
      line.below = {AccessLine("the other access", *finding.earlier, places)};
      at(finding.earlier->site)
          .lines.push_back(
              {.text =
                   fmt::format("{}: the other access of {} at {}", finding.rule,
                               finding.later.op, SiteText(finding.later.site)),
               .link = places.Link(finding.later.site)});
    }
    later.lines.push_back(std::move(line));
  }
  for (const kernel::Refusal& refusal : record.refusals) {
    Beside& there = at(refusal.site);
    there.finding = true;
    there.lines.push_back(
        {fmt::format("refused: {} ({})", refusal.name, refusal.why)});
  }
  for (const kernel::Note& note : record.notes) {
    at(note.site).lines.push_back({fmt::format(
        "note {}: {}{}", note.rule, note.message, MoreText(note.times))});
  }
  for (const kernel::SiteRow& row : record.sites) {
    at(row.site).executions += row.executions;
  }
  return all;
}

/// A file: line numbers, how often calls on the line ran, the text, and beside
/// it what was found there.
Report::Section SourceSection(const std::string& file,
                              const std::vector<std::string>& lines,
                              std::map<std::int64_t, Beside> rows,
                              const Places& places) {
  Report::Section section = {.title = file,
                             .columns = {{"line", Kind::kNumber},
                                         {"ran", Kind::kNumber},
                                         {"text", Kind::kSource},
                                         {"beside it"}}};
  for (std::size_t i = 1; i <= lines.size(); ++i) {
    rows[static_cast<std::int64_t>(i)];
  }
  if (lines.empty()) {
    section.lines.push_back(
        {.text = file == kMainOfKernel
                     ? "Made by lanediff, around the kernel."
                     : "Not shown: no file that can be read and that is known "
                       "as a source of the program.",
         .look = Look::kSoft});
  }
  for (auto& [line, beside] : rows) {
    const bool known =
        line >= 1 && static_cast<std::size_t>(line) <= lines.size();
    section.rows.push_back(
        {.cells = {{std::to_string(line)},
                   {beside.executions > 0
                        ? fmt::format("{}×", beside.executions)
                        : ""},
                   {known ? lines[static_cast<std::size_t>(line - 1)] : ""},
                   {.text = {}, .below = beside.lines}},
         .look = beside.finding         ? Look::kBad
                 : beside.lines.empty() ? Look::kPlain
                                        : Look::kMild,
         .id = places.Id(file, line)});
  }
  return section;
}

/// Refused calls, what synchronization hides, and notes.
void AddOthers(const RunRecord& record, const Places& places, Report& report) {
  const auto add = [&](std::string_view title, const auto& all,
                       const auto& print) {
    Report::Section section = {.title = std::string(title), .in = In::kBoth};
    for (const auto& one : all) section.lines.push_back(print(one));
    report.sections.push_back(std::move(section));
  };
  add("Refused", record.refusals, [&](const kernel::Refusal& one) {
    return Line{.text = RefusalText(one),
                .link = places.Link(one.site),
                .below = {{.text = fmt::format("in block {}", one.block),
                           .page_only = true}}};
  });
  add("Hidden by the compiler's synchronization", record.hidden,
      [&](const kernel::Hidden& one) {
        return Line{.text = HiddenText(one), .link = places.Link(one.later)};
      });
  add("Notes", record.notes, [&](const kernel::Note& one) {
    return Line{
        .text = fmt::format("{}: note {}: {}{}", SiteText(one.site), one.rule,
                            one.message, MoreText(one.times)),
        .link = places.Link(one.site),
        .page_only = !record.settings.show_notes && !ChangesResult(one)};
  });
}

/// What went wrong besides findings, and what wasn't checked, a line each.
Report::Section ProblemsSection(const RunRecord& record) {
  Report::Section section = {.title = "What went wrong", .in = In::kBoth};
  const auto add = [&](const char* label, const std::vector<std::string>& all) {
    for (const std::string& line : all) {
      section.lines.push_back({.text = line, .label = label});
    }
  };
  add("suppression", record.suppression_faults);
  add("expectation", record.expectation_faults);
  add("lanediff run", EndLines(record));
  return section;
}

Report::Section RemediesSection(const kernel::Counts& of) {
  Report::Section section = {.title = "Not checked", .in = In::kText};
  for (const KernelCount& count : KernelNotChecked()) {
    if (of.*count.count == 0) continue;
    section.lines.push_back(
        {.text = fmt::format("{} {}; fix: {}", of.*count.count, count.meaning,
                             count.remedy),
         .label = "not checked"});
  }
  return section;
}

/// "lanediff run: atlas-a2, auto-sync on (default), …; the verdict rests on 32
/// of 40 calls checked against the oracle, …".
std::string FirstLine(const RunRecord& record) {
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

}  // namespace

std::string KernelFindingText(const Finding& finding) {
  return ToText(FindingLine(finding, Places({})));
}

void AddForPeople(const RunRecord& record, const KernelSources& sources,
                  Report& report) {
  const Places places(record);
  const int status = KernelStatus(record);
  report.title = "lanediff run " + record.program;
  report.opening = FirstLine(record);
  report.sentence = KernelSentence(record);
  report.tone = status == 0   ? Look::kGood
                : status == 2 ? Look::kMild
                              : Look::kBad;
  report.headline = {
      {record.program},
      {.text = report.opening.substr(0, report.opening.size() - 1),
       .look = Look::kSoft}};
  for (const bool known : {false, true}) {
    for (std::size_t i = 0; i < record.findings.size(); ++i) {
      if (record.findings[i].suppressed.empty() == known) continue;
      report.found.push_back(FindingLine(record.findings[i], places));
      report.found.back().id = FindingId(i);
    }
  }
  AddOthers(record, places, report);
  report.sections.push_back(ProblemsSection(record));
  report.sections.push_back(RemediesSection(record.counts));
  report.sections.push_back(
      CountsSection("Not checked", KernelNotChecked(), record.counts));
  Besides besides = BesidesOf(record, places);
  for (const auto& [file, number] : places.numbers) {
    report.sections.push_back(SourceSection(file, sources.Lines(file),
                                            std::move(besides[file]), places));
  }
  report.sections.push_back(SitesSection(record, places));
  report.sections.push_back(
      CountsSection("Checked", KernelChecked(), record.counts));
  report.summary =
      "CHECKED" + CountsText(KernelChecked(), record.counts, true) +
      "\nNOT-CHECKED" + CountsText(KernelNotChecked(), record.counts, false) +
      '\n' + SummaryLine(SummaryOf(record));
}

}  // namespace lanediff::reports
