#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include "differential/testcase/record_json.h"
#include "reports/html.h"
#include "reports/nightly.h"
#include "reports/printable.h"

namespace lanediff::reports {
namespace {

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
  int worst = 0;
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

std::string StageRow(const NightlyStage& stage) {
  std::vector<std::string> figures;
  for (const NightlyFigure& figure : stage.figures) {
    figures.push_back(fmt::format("{} {}", figure.number, Cell(figure.what)));
  }
  if (!stage.problem.empty()) figures.push_back(Cell(stage.problem));
  return fmt::format("| {} | {} {}{} | {} | {} |\n", Cell(stage.name),
                     *stage.status, Word(*stage.status),
                     stage.unfinished ? ", unfinished" : "", stage.seconds,
                     fmt::join(figures, ", "));
}

std::string FindingsTable(const NightlyRecord& nightly) {
  if (nightly.signatures.empty()) return "No finding.\n";
  std::string text =
      "| stage | signature | cases | first of them |\n"
      "| --- | --- | ---: | --- |\n";
  const std::size_t shown =
      std::min(nightly.signatures.size(), kSummaryFindings);
  for (std::size_t i = 0; i < shown; ++i) {
    const NightlyFinding& finding = nightly.signatures[i];
    text +=
        fmt::format("| {} | <code>{}</code> | {} | {}<br><code>{}</code> |\n",
                    Cell(finding.stage), Cell(finding.signature), finding.cases,
                    Cell(finding.message), Cell(finding.reproduce));
  }
  if (shown < nightly.signatures.size()) {
    text += fmt::format("\nand {} more; the stages' own pages have them.\n",
                        nightly.signatures.size() - shown);
  }
  return text;
}

}  // namespace

std::string NightlySummary(const NightlyRecord& nightly) {
  std::string text = "## lanediff";
  if (!nightly.date.empty()) text += ", nightly run of " + Cell(nightly.date);
  if (!nightly.commit.empty()) text += ", commit " + Cell(nightly.commit);
  const int worst = Worst(nightly);
  text += fmt::format("\n\nStatus {}: {}.\n\n", worst, Word(worst));
  text +=
      "| stage | status | seconds | figures |\n"
      "| --- | --- | ---: | --- |\n";
  std::vector<std::string> absent;
  for (const NightlyStage& stage : nightly.stages) {
    if (stage.status) {
      text += StageRow(stage);
    } else {
      absent.push_back(Cell(stage.name));
    }
  }
  if (!absent.empty()) {
    text += fmt::format("\nDid not run: {}.\n", fmt::join(absent, ", "));
  }
  return text + "\n### Findings by signature\n\n" + FindingsTable(nightly);
}

std::vector<std::string> NightlyRecord::WhyIncomplete() const {
  std::vector<std::string> reasons;
  for (const NightlyStage& stage : stages) {
    if (!stage.problem.empty()) {
      reasons.push_back(fmt::format("{}: {}", stage.name, stage.problem));
    }
    if (stage.unfinished) {
      reasons.push_back(fmt::format("{}: ran out of time", stage.name));
    }
  }
  return reasons;
}

std::string NightlyHtml(const NightlyRecord& record) {
  const std::string date = record.date.empty() ? "" : ", " + record.date;
  return RecordPage("lanediff nightly" + date, "index", "nightly",
                    RecordJson(record), 1);
}

}  // namespace lanediff::reports
