// Text, rules and outcome.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "differential/testcase/element.h"
#include "differential/testcase/json.h"
#include "isa/catalogue.h"
#include "reports/trace/instructions.h"
#include "reports/trace/sides.h"
#include "sanitizer/diagnostics.h"
#include "tools/cli/verbs/explain/explain.h"

namespace lanediff::cli::explain {
namespace {

/// Bytes of the UTF-8 sequence that starts with `first`.
std::size_t SequenceBytes(char first) {
  const auto byte = static_cast<unsigned char>(first);
  return byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
}

/// From U+3000 on are the ideographs and their punctuation.
bool IsWide(std::string_view sequence) {
  return sequence.size() >= 3 && static_cast<unsigned char>(sequence[0]) > 0xe2;
}

/// What belongs to the number before it: its bits, how often, its unit.
bool BelongsTo(std::string_view number, std::string_view word) {
  constexpr std::string_view kUnits[] = {
      "byte",  "bytes", "element",   "elements",   "lane",     "lanes",
      "ULP",   "row",   "DataBlock", "DataBlocks", "rows",     "step",
      "steps", "times", "iteration", "iterations", "matrices", "fields"};
  if (word.starts_with("(0x") || word.starts_with("×")) return true;
  const std::size_t end = std::min(word.find_first_of(",;:."), word.size());
  return number.find_first_not_of("-0123456789") == std::string_view::npos &&
         std::ranges::find(kUnits, word.substr(0, end)) != std::end(kUnits);
}

/// What must not be parted at the end of a line.
std::vector<std::string> Words(std::string_view text) {
  std::vector<std::string> words;
  std::string_view last;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (word.empty()) continue;
    if (!words.empty() && BelongsTo(last, word)) {
      words.back() += fmt::format(" {}", word);
    } else {
      words.emplace_back(word);
    }
    last = word;
  }
  return words;
}

using view::RuleUse;
using view::RuleVerdict;

constexpr std::size_t kVerdictWidth = 12;

std::string Head(std::string_view verdict) {
  return fmt::format("    {:<{}}", verdict, kVerdictWidth);
}

void PrintRule(std::string_view verdict, const isa::Rule& rule, bool whole) {
  const std::string head = Head(verdict);
  const std::string text = fmt::format("{} [{}] {}", rule.id.text(),
                                       view::DocumentsOf(rule), rule.statement);
  PrintWrapped(head, whole ? text : Cut(text, kPageWidth - DisplayWidth(head)));
}

/// Prints each rule by `print`; those of the verdicts `named` by their ids
/// alone, behind the others, unless everything is requested.
void PrintUses(const std::vector<RuleUse>& uses,
               std::initializer_list<RuleVerdict> named, bool all,
               const std::function<void(const RuleUse&)>& print) {
  fmt::print("  rules\n");
  std::map<RuleVerdict, std::vector<std::string_view>> ids;
  for (const RuleUse& use : uses) {
    if (all || std::ranges::find(named, use.verdict) == named.end()) {
      print(use);
    } else {
      ids[use.verdict].push_back(use.rule->id.text());
    }
  }
  for (const RuleVerdict verdict : named) {
    if (ids[verdict].empty()) continue;
    PrintWrapped(Head(isa::Name(verdict)),
                 fmt::format("{}", fmt::join(ids[verdict], ", ")));
  }
}

using view::ElementRow;
using view::Side;
using view::Sides;

std::string PlaceText(const ElementRow& e) {
  std::string text = fmt::format("{} {}", isa::Name(e.memory), e.at);
  if (!e.operand.empty()) {
    text += fmt::format(" {} of iteration {} lane {}", e.operand, e.iteration,
                        e.lane);
  }
  return text;
}

/// `line` without the blanks at its end.
std::string Trimmed(const std::string& line) {
  return line.substr(0, line.find_last_not_of(' ') + 1);
}

void PrintRows(const Sides& sides) {
  std::string head;
  for (const std::string& name : sides.columns) {
    head += fmt::format(" {:<18}", name);
  }
  fmt::print("  {:<34}{}\n", "element", Trimmed(head));
  for (const ElementRow& row : sides.rows) {
    std::string line;
    for (const std::uint64_t bits : row.bits) {
      line += fmt::format(" {:<18}", DescribeElement(row.dtype, bits));
    }
    line += row.differs ? " DIFFERS" : "";
    fmt::print("  {:<34}{}\n", PlaceText(row), Trimmed(line));
  }
}

/// How each side ended, equal ones in one line.
void PrintOutcomes(const std::vector<Side>& sides) {
  for (std::size_t i = 0; i < sides.size();) {
    std::string names;
    std::size_t end = i;
    for (; end < sides.size() && sides[end].outcome == sides[i].outcome;
         ++end) {
      names += (names.empty() ? "" : ", ") + sides[end].name;
    }
    PrintWrapped(fmt::format("  {}: ", names), sides[i].outcome);
    i = end;
  }
}

void PrintTable(const Sides& sides) {
  if (sides.rows.empty()) {
    fmt::print("  no byte is written\n");
    return;
  }
  PrintRows(sides);
  if (sides.maybe_more) {
    fmt::print("  … the first elements that differ\n");
  } else if (!sides.differ) {
    fmt::print("  … the first of {} bytes that the program writes\n",
               sides.written_bytes);
  }
}

}  // namespace

std::size_t DisplayWidth(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t i = 0; i < text.size();) {
    const std::string_view sequence = text.substr(i, SequenceBytes(text[i]));
    width += IsWide(sequence) ? 2 : 1;
    i += sequence.size();
  }
  return width;
}

std::string Cut(std::string_view text, std::size_t width) {
  if (DisplayWidth(text) <= width) return std::string(text);
  const std::size_t indent = text.find_first_not_of(' ');
  std::string line(indent, ' ');
  for (const std::string& word : Words(text)) {
    if (DisplayWidth(line) + DisplayWidth(word) + 3 > width) break;
    line += (line.size() == indent ? "" : " ") + word;
  }
  return line + " …";
}

std::vector<std::string> Wrapped(const std::string& head, std::string_view text,
                                 std::size_t width) {
  std::vector<std::string> lines;
  const std::size_t indent = DisplayWidth(head);
  std::string line = head;
  bool is_first = true;
  for (const std::string& word : Words(text)) {
    if (!is_first && DisplayWidth(line) + 1 + DisplayWidth(word) > width) {
      lines.push_back(std::move(line));
      line.assign(indent, ' ');
      is_first = true;
    }
    if (!is_first) line += ' ';
    line += word;
    is_first = false;
  }
  lines.push_back(std::move(line));
  return lines;
}

void PrintWrapped(const std::string& head, std::string_view text) {
  for (const std::string& line : Wrapped(head, text)) fmt::print("{}\n", line);
}

void PrintRules(const isa::Step& step, const StepFacts& facts) {
  PrintUses(view::RulesOfExecuted(step, facts),
            {RuleVerdict::kNotMet, RuleVerdict::kNotBroken}, facts.all,
            [&](const RuleUse& use) {
              PrintRule(isa::Name(use.verdict), *use.rule, facts.all);
            });
}

void PrintRejection(const Case& c, std::size_t step,
                    const isa::StepResult& result, bool all) {
  const std::vector<lint::Witness> witnesses =
      lint::DiagnoseRejected(c, step, result.rules, false).witnesses;
  PrintUses(view::RulesOfRejected(c.program[step], result),
            {RuleVerdict::kNotBroken, RuleVerdict::kNotReached}, all,
            [&](const RuleUse& use) {
              const bool broken = use.verdict == RuleVerdict::kBroken;
              PrintRule(broken ? "BROKEN" : isa::Name(use.verdict), *use.rule,
                        true);
              for (const lint::Witness& witness : witnesses) {
                if (broken && witness.rule == use.rule->id) {
                  PrintWrapped(Head(""), witness.text());
                }
              }
            });
  fmt::print("  the call was not executed: it changed no byte\n");
}

std::string VerdictText(const diff::Comparison& compared) {
  if (!compared.findings.empty()) return "DISAGREE";
  if (!compared.malformed && !compared.unsupported) return "all agree";
  return "NOT COMPARED: " + (compared.why.empty() ? "a side can't do a step"
                                                  : Quote(compared.why, 500));
}

void PrintOutcome(const Case& c, const diff::Examination& examined) {
  const diff::Comparison& compared = examined.comparison;
  fmt::print("\nexpected against actual: {}\n", VerdictText(compared));
  for (const diff::Finding& finding : compared.findings) {
    PrintWrapped(fmt::format("  {}: ", isa::Name(finding.kind)),
                 fmt::format("{} against {}: {}", finding.side,
                             finding.reference, finding.message));
  }
  const Sides sides = view::CompareSides(c, examined);
  PrintOutcomes(sides.sides);
  PrintTable(sides);
  if (compared.malformed || compared.unsupported) return;
  if (sides.unspecified_bytes > 0) {
    fmt::print(
        "  {} are unspecified at the end and not compared: tmp tiles of "
        "TROWPROD, padding of DataCopyPad and what was computed from them\n",
        Counted(sides.unspecified_bytes, "byte"));
  }
  fmt::print(
      "  compared {} and {} bytes of {} against {}{}\n",
      Counted(static_cast<std::int64_t>(compared.steps), "step"),
      compared.compared_bytes, examined.target, examined.reference,
      c.expect ? ", and both against expect" : "; the case expects nothing");
}

}  // namespace lanediff::cli::explain
