#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "reports/html.h"
#include "reports/nightly.h"
#include "reports/printable.h"
#include "reports/record_table.h"
#include "reports/report.h"

namespace lanediff::reports {
namespace {

using Line = Report::Line;
using Look = Report::Look;
using enum Report::Column::Kind;

/// As text of a cell: what Markdown or HTML would take for its own is written
/// as a number, which both show as it was meant.
std::string Cell(std::string_view text) {
  static constexpr std::string_view kMarkup = "\\`*_[]<>#|~&$:@";
  std::string cell;
  for (const char c : InOneLine(text)) {
    if (kMarkup.contains(c)) {
      cell += fmt::format("&#{};", static_cast<int>(c));
    } else {
      cell += c;
    }
  }
  return cell;
}

/// The exit status of a stage in words.
std::string_view Word(int status) {
  constexpr std::string_view kWords[] = {"all agree", "found something",
                                         "not all of it", "a target failed"};
  return status >= 0 && status <= 3 ? kWords[status] : "failed";
}

/// 1 beats 3 beats 2, as in the status of a run.
int Worst(const NightlyRecord& nightly) {
  // Where nothing ran, not all of it did.
  const bool ran = std::ranges::any_of(nightly.stages, [](const auto& stage) {
    return stage.status.has_value();
  });
  int worst = ran ? 0 : 2;
  for (const NightlyStage& stage : nightly.stages) {
    if (!stage.status) continue;
    const auto rank = [](int status) {
      return status == 1 ? 4 : status == 3 ? 3 : status == 0 ? 0 : 2;
    };
    const int status =
        *stage.status == 0 && !stage.problem.empty() ? 2 : *stage.status;
    if (rank(status) > rank(worst)) worst = status;
  }
  return worst;
}

/// Of an exit status.
Look ToneOf(int status) {
  return status == 0 ? Look::kGood : status == 2 ? Look::kMild : Look::kBad;
}

/// The address of a file of the run's folder, whatever its name holds.
std::string AddressOf(const std::string& file) {
  return InAddress(file, "-_.!~*'()/");
}

Report::Row StageRow(const NightlyStage& stage) {
  std::vector<std::string> figures;
  for (const NightlyFigure& figure : stage.figures) {
    figures.push_back(fmt::format("{} {}", figure.number, figure.what));
  }
  Line results = {fmt::format("{}", fmt::join(figures, ", "))};
  if (!stage.problem.empty()) {
    results.below.push_back({.text = stage.problem, .look = Look::kBad});
  }
  for (const NightlyLink& link : stage.links) {
    results.below.push_back({.text = stage.name + " " + link.text,
                             .link = AddressOf(link.file),
                             .page_only = true});
  }
  const Line does = {
      .text = stage.does, .look = Look::kSoft, .page_only = true};
  return {.cells = {{.text = stage.name, .below = {does}},
                    {.text = fmt::format(
                         "{} {}{}", *stage.status, Word(*stage.status),
                         stage.unfinished ? ", unfinished" : ""),
                     .look = stage.unfinished && *stage.status == 0
                                 ? Look::kMild
                                 : ToneOf(*stage.status)},
                    {std::to_string(stage.seconds)},
                    std::move(results)}};
}

Report::Section StagesSection(const NightlyRecord& nightly) {
  Report::Section section = {
      .title = "Stages",
      .columns = {{"stage"}, {"status"}, {"seconds", kNumber}, {"figures"}}};
  std::vector<std::string> absent;
  for (const NightlyStage& stage : nightly.stages) {
    if (stage.status) {
      section.rows.push_back(StageRow(stage));
    } else {
      absent.push_back(stage.name);
    }
  }
  if (!absent.empty()) {
    section.lines.push_back(
        {.text = fmt::format("{}.", fmt::join(absent, ", ")),
         .label = "Did not run"});
  }
  return section;
}

Report::Section SignaturesSection(const NightlyRecord& nightly) {
  Report::Section section = {
      .title = "Findings by signature",
      .columns = {
          {"stage"}, {"signature"}, {"cases", kNumber}, {"first of them"}}};
  const auto& all = nightly.signatures;
  const std::size_t shown = std::min(all.size(), kSummaryFindings);
  for (std::size_t i = 0; i < shown; ++i) {
    const auto& [stage, group] = all[i];
    const Line command = {.text = group.reproduce, .look = Look::kCommand};
    section.rows.push_back(
        {.cells = {{stage},
                   {.text = group.signature, .look = Look::kCode},
                   {std::to_string(group.cases)},
                   {.text = group.message, .below = {command}}}});
  }
  if (all.empty()) section.lines.push_back({"No finding."});
  if (shown < all.size()) {
    section.lines.push_back({fmt::format(
        "and {} more; the stages' own pages have them.", all.size() - shown)});
  }
  return section;
}

/// The saved cases of this run and of earlier ones.
Report::Section CasesSection(const NightlyRecord& nightly) {
  Report::Section section = {.title = "Cases of this run and of earlier ones"};
  for (const std::string& file : nightly.findings) {
    section.lines.push_back({.text = file, .link = AddressOf(file)});
  }
  return section;
}

std::string MarkdownOf(const Line& line) {
  std::string cell = Cell(line.text);
  if (line.look == Look::kCode || line.look == Look::kCommand) {
    cell = "<code>" + cell + "</code>";
  }
  for (const Line& below : line.below) {
    if (below.page_only) continue;
    cell += (cell.empty() ? "" : "<br>") + MarkdownOf(below);
  }
  return cell;
}

/// The table of a section, then its lines.
std::string MarkdownOf(const Report::Section& section) {
  std::string text;
  if (!section.rows.empty()) {
    std::string rule = "\n|";
    text = "|";
    for (const Report::Column& column : section.columns) {
      text += fmt::format(" {} |", column.title);
      rule += column.kind == kNumber ? " ---: |" : " --- |";
    }
    text += rule + "\n";
  }
  for (const Report::Row& row : section.rows) {
    text += "|";
    for (const Line& cell : row.cells) {
      text += fmt::format(" {} |", MarkdownOf(cell));
    }
    text += "\n";
  }
  for (const Line& line : section.lines) {
    text += fmt::format("{}{}{}{}\n", text.empty() ? "" : "\n", line.label,
                        line.label.empty() ? "" : ": ", Cell(line.text));
  }
  return text;
}

}  // namespace

std::string NightlySummary(const NightlyRecord& nightly) {
  std::string text = "## lanediff";
  if (!nightly.date.empty()) text += ", nightly run of " + Cell(nightly.date);
  if (!nightly.commit.empty()) text += ", commit " + Cell(nightly.commit);
  const int worst = Worst(nightly);
  return text + fmt::format(
                    "\n\nStatus {}: {}.\n\n{}\n### Findings by signature\n\n{}",
                    worst, Word(worst), MarkdownOf(StagesSection(nightly)),
                    MarkdownOf(SignaturesSection(nightly)));
}

std::string NightlyHtml(const NightlyRecord& record) {
  const int worst = Worst(record);
  Report report = {
      .title = "A nightly run of lanediff",
      .sentence = fmt::format("Status {}: {}", worst, Word(worst)),
      .tone = ToneOf(worst),
      .sections = {StagesSection(record),
                   TableOf("Functional coverage of fuzzing", record.coverage),
                   TableOf(std::string(kRatesTitle), record.rates),
                   SignaturesSection(record), CasesSection(record)}};
  if (!record.date.empty()) report.headline.push_back({record.date});
  if (!record.commit.empty()) {
    report.headline.push_back({"commit " + record.commit});
  }
  for (const NightlyStage& stage : record.stages) {
    if (!stage.problem.empty()) {
      report.reasons.push_back({stage.name + ": " + stage.problem});
    }
    if (stage.unfinished) {
      report.reasons.push_back({stage.name + ": not finished"});
    }
  }
  const std::string date = record.date.empty() ? "" : ", " + record.date;
  return ReportHtml(
      {.title = "lanediff nightly" + date, .verb = "index", .report = &report});
}

}  // namespace lanediff::reports
