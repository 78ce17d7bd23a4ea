#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "differential/compare/rule_text.h"
#include "differential/testcase/element.h"
#include "differential/testcase/json.h"
#include "isa/catalogue.h"
#include "reports/printable.h"
#include "sanitizer/diagnostics.h"
#include "sanitizer/lint.h"
#include "tools/cli/common.h"
#include "tools/cli/verbs/explain/explain.h"

namespace lanediff::cli::explain {
namespace {

constexpr std::size_t kScreenLines = 24;
constexpr std::size_t kScreenWidth = 80;
/// Of what may be long: the case's note, a finding, a rule, a row of values.
constexpr std::size_t kFewLines = 2;
constexpr std::size_t kFindings = 3;

/// Lines of a screen.
class Screen {
 public:
  /// At most `most` lines of `text` behind `head`, with "…" where it is cut.
  void Add(const std::string& head, std::string_view text,
           std::size_t most = kScreenLines) {
    std::vector<std::string> lines = Wrapped(head, text, kScreenWidth);
    if (lines.size() > most) {
      lines.resize(most);
      lines.back() = Cut(lines.back(), kScreenWidth - 2);
      if (!lines.back().ends_with("…")) lines.back() += " …";
    }
    for (std::string& line : lines) {
      if (DisplayWidth(line) > kScreenWidth) line = CutWord(line);
      lines_.push_back(std::move(line));
    }
  }
  /// What comes last stands on the screen whatever is before it.
  void Print(const std::vector<std::string>& last) {
    const std::size_t capacity = kScreenLines - last.size();
    if (lines_.size() > capacity) {
      lines_.resize(capacity - 1);
      lines_.emplace_back("  … more below");
    }
    for (const std::string& line : lines_) fmt::print("{}\n", line);
    for (const std::string& line : last) fmt::print("{}\n", line);
  }

 private:
  /// A line with a word that is wider than the screen.
  static std::string CutWord(const std::string& line) {
    std::size_t end = line.size();
    while (end > 0 && (DisplayWidth(line.substr(0, end)) > kScreenWidth - 1 ||
                       (line[end] & 0xc0) == 0x80)) {
      --end;
    }
    return line.substr(0, end) + "…";
  }

  std::vector<std::string> lines_;
};

std::vector<std::string> AddRejection(const Case& c, const Outcome& outcome,
                                      Screen& screen) {
  isa::RuleSet rules;
  for (const isa::RuleId rule : outcome.RulesOrNone()) rules.Add(rule);
  const lint::Diagnosis diagnosis =
      lint::DiagnoseRejected(c, outcome.step, rules, true);
  isa::RuleId last;
  for (const lint::Witness& witness : diagnosis.witnesses) {
    if (witness.rule != last) {
      screen.Add(fmt::format("  {}: ", witness.rule.text()), witness.statement,
                 kFewLines);
    }
    last = witness.rule;
    screen.Add("    ", witness.text());
  }
  std::vector<std::string> repair = Wrapped(
      "  repair: ",
      diagnosis.repair ? diagnosis.repair->text : std::string(lint::kNoRepair),
      kScreenWidth);
  repair.resize(std::min<std::size_t>(repair.size(), 4));
  return repair;
}

/// `target` wrote them.
void AddValues(const Case& c, const Outcome& outcome, const std::string& target,
               Screen& screen) {
  const view::Values values = view::ValuesOf(c, outcome);
  screen.Add("", values.rows.empty()
                     ? "no byte is written"
                     : fmt::format("{} writes {} (lanediff exec CASE --values "
                                   "--all --target {} has all):",
                                   reports::InOneLine(target),
                                   Counted(values.bytes, "byte"),
                                   reports::InOneLine(ShellWord(target))));
  for (const view::ValueRow& row : values.rows) {
    screen.Add(RowHead(c, row), RowText(row, kFewLines * kScreenWidth),
               kFewLines);
  }
}

/// The hazards of a program that states its synchronization or start, and of
/// steps behind a rejected one: values agree in spite of them.
void AddHazards(const Case& c, Screen& screen) {
  const lint::Verdict verdict = lint::Lint(c);
  std::string found = Counted(verdict.hazards.size(), "hazard") + " in it";
  if (verdict.after) {
    found = fmt::format("step {} rejected, {} before it and {} after it",
                        verdict.rejected->step,
                        Counted(verdict.hazards.size(), "hazard"),
                        verdict.after->hazards.size());
    if (const std::size_t more = verdict.after->rejected.size()) {
      found += ", " + Counted(more, "more rejected step");
    }
    if (const std::size_t open = verdict.after->at_end.size()) {
      found += fmt::format(", {} open at the end", open);
    }
  }
  const bool quiet =
      verdict.hazards.empty() && (!verdict.after || verdict.after->empty());
  if (quiet && (verdict.after || c.lint == LintFacts{})) return;
  screen.Add("", fmt::format("lint finds {} (lanediff lint CASE)", found));
}

/// "SYNC-RAW, KRN-QUEUE; values: ", each rule once; empty where there is none.
std::string RulesFirst(const std::vector<diff::Finding>& kernel) {
  std::vector<std::string> rules;
  for (const diff::Finding& finding : kernel) {
    if (std::ranges::find(rules, finding.reference) == rules.end()) {
      rules.push_back(finding.reference);
    }
  }
  return rules.empty() ? ""
                       : fmt::format("{}; values: ", fmt::join(rules, ", "));
}

/// The first findings, and the statement of the rule of each.
void AddKernel(const std::vector<diff::Finding>& kernel, Screen& screen) {
  std::string last;
  for (std::size_t i = 0; i < std::min(kernel.size(), kFindings); ++i) {
    const diff::Finding& finding = kernel[i];
    screen.Add("", finding.message, 3 * kFewLines);
    const isa::Rule* const rule = isa::FindRule(finding.reference);
    if (rule != nullptr && finding.reference != last) {
      screen.Add(fmt::format("  {}: ", finding.reference), rule->statement,
                 2 * kFewLines);
    }
    last = finding.reference;
  }
}

}  // namespace

std::string ValueText(isa::DType type, const view::Value& value) {
  return DescribeElement(type, value.bits) +
         (value.count == 1 ? "" : fmt::format(" ×{}", value.count));
}

std::string RowHead(const Case& c, const view::ValueRow& row) {
  const std::string place = fmt::format("  {} {} {}, ", isa::Name(row.memory),
                                        row.at, isa::Name(row.dtype));
  if (row.operand.empty()) return place + "which no step is to write: ";
  return place + fmt::format("step {} {} {}: ", row.step,
                             isa::OpName(c.program[row.step]), row.operand);
}

std::string RowText(const view::ValueRow& row, std::size_t enough) {
  std::string text;
  std::int64_t printed = 0;
  for (const view::Value& value : row.values) {
    if (text.size() > enough) {
      return text + fmt::format(", {} more", row.elements - printed);
    }
    text += (text.empty() ? "" : ", ") + ValueText(row.dtype, value);
    printed += value.count;
  }
  return text;
}

void PrintScreen(const Case& c, const diff::Examination& examined,
                 const std::vector<diff::Finding>& kernel) {
  const diff::Comparison& compared = examined.comparison;
  Screen screen;
  const Outcome& reference = examined.reference_outcome;
  const std::string rejected =
      reference.rejected()
          ? fmt::format("step {} {} is rejected; ", reference.step,
                        isa::OpName(c.program[reference.step]))
          : "";
  screen.Add(
      "",
      fmt::format("case {} on {}, edition {}: {}{}{}", reports::InOneLine(c.id),
                  isa::Name(c.product), isa::Name(c.edition), rejected,
                  RulesFirst(kernel), VerdictText(compared)),
      kFewLines);
  if (kernel.empty()) {
    AddHazards(c, screen);
  } else {
    AddKernel(kernel, screen);
  }
  if (!c.note.empty()) screen.Add("  ", Quote(c.note, 2000), kFewLines);
  for (std::size_t i = 0; i < std::min(compared.findings.size(), kFindings);
       ++i) {
    const diff::Finding& finding = compared.findings[i];
    screen.Add(fmt::format("{}: ", isa::Name(finding.kind)),
               fmt::format("{} against {}: {}", finding.side, finding.reference,
                           finding.message),
               kFewLines);
  }
  // The target's own end if it has one: the question is on the target.
  const bool own = examined.target_outcome && examined.target_outcome->memory;
  const Outcome& outcome = own ? *examined.target_outcome : reference;
  std::vector<std::string> last;
  if (reference.rejected()) {
    screen.Add("",
               fmt::format("step {} {} is rejected{}", reference.step,
                           isa::OpName(c.program[reference.step]),
                           diff::RuleList(reference.RulesOrNone())),
               kFewLines);
    last = AddRejection(c, reference, screen);
  } else if (outcome.memory) {
    AddValues(c, outcome, own ? examined.target : examined.reference, screen);
  }
  screen.Print(last);
}

}  // namespace lanediff::cli::explain
