#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "differential/testcase/record_json.h"
#include "reports/character_record.h"
#include "reports/printable.h"
#include "reports/report.h"
#include "reports/target_record.h"

namespace lanediff::reports {
namespace {

using character::Answer;
using Answers = std::vector<const Answer*>;
/// Texts and what each is about, in the order of their first.
using TextGroups =
    std::vector<std::pair<std::string, std::vector<std::string>>>;

void AddTo(TextGroups& groups, const std::string& text, std::string of) {
  const auto found =
      std::ranges::find(groups, text, &TextGroups::value_type::first);
  if (found == groups.end()) {
    groups.push_back({text, {std::move(of)}});
  } else if (std::ranges::count(found->second, of) == 0) {
    found->second.push_back(std::move(of));
  }
}

/// The answer, with a remark where one is needed.
std::string Word(const Answer& a) {
  constexpr std::size_t kLongestTree = 100;
  std::string text = a.answer;
  if (a.answer == "other" && !a.tree.empty()) {
    text += " " + a.tree.substr(0, kLongestTree);
    if (a.tree.size() > kLongestTree) text += "…";
  }
  const bool needs = a.answer == "other" || a.answer == "not a fixed tree" ||
                     a.question == "illegal";
  if (needs && !a.note.empty()) text += fmt::format(" ({})", a.note);
  return text;
}

/// "half X; float Y", or X where all have it.
std::string ByType(const TextGroups& groups) {
  if (groups.size() == 1) return groups.front().first;
  std::vector<std::string> parts;
  for (const auto& [text, types] : groups) {
    parts.push_back(fmt::format("{} {}", fmt::join(types, ", "), text));
  }
  return fmt::format("{}", fmt::join(parts, "; "));
}

/// "neighbours (2, 3, 5)".
std::string Lengths(const TextGroups& groups) {
  std::vector<std::string> parts;
  for (const auto& [text, lengths] : groups) {
    parts.push_back(fmt::format("{} ({})", text, fmt::join(lengths, ", ")));
  }
  return fmt::format("{}", fmt::join(parts, "; "));
}

/// The answers by type to one question about one thing.
std::string AnswerLine(const Answers& answers) {
  using OfType = std::pair<std::string, TextGroups>;
  std::vector<OfType> of_type;
  for (const Answer* a : answers) {
    auto found = std::ranges::find(of_type, a->dtype, &OfType::first);
    if (found == of_type.end()) {
      found = of_type.insert(of_type.end(), {a->dtype, {}});
    }
    AddTo(found->second, Word(*a), std::to_string(a->length));
  }
  TextGroups merged;
  for (const auto& [type, groups] : of_type) {
    const bool lengths = groups.front().second.front() != "0";
    AddTo(merged, lengths ? Lengths(groups) : groups.front().first, type);
  }
  return ByType(merged);
}

/// Whether an order that was requested answers as the target does unasked.
bool Repeats(const Answer& a, const std::vector<Answer>& all) {
  if (!a.about.starts_with("order ") || a.question == "order") return false;
  const auto comma = a.about.find(", ");
  const std::string about =
      comma == std::string::npos ? "" : a.about.substr(comma + 2);
  return std::ranges::any_of(all, [&](const Answer& b) {
    return b.question == a.question && b.instruction == a.instruction &&
           b.dtype == a.dtype && b.about == about && b.answer == a.answer;
  });
}

/// Answers that share a line.
struct Row {
  std::string about;
  std::string text;
  std::vector<std::string_view> ops;
};

void Add(std::vector<Row>& rows, const std::string& about,
         const std::string& text, std::string_view op) {
  const auto found = std::ranges::find_if(rows, [&](const Row& row) {
    return row.about == about && row.text == text;
  });
  if (found != rows.end()) {
    found->ops.push_back(op);
  } else {
    rows.push_back({about, text, {op}});
  }
}

/// The answers of one instruction to a question, a row for each subject.
void AddRows(std::string_view op, const Answers& answers,
             std::vector<Row>& rows) {
  std::vector<std::string> abouts;
  for (const Answer* a : answers) {
    if (std::ranges::count(abouts, a->about) == 0) abouts.push_back(a->about);
  }
  for (const std::string& about : abouts) {
    Answers some;
    std::ranges::copy_if(answers, std::back_inserter(some),
                         [&](const Answer* a) { return a->about == about; });
    Add(rows, about, AnswerLine(some), op);
  }
}

/// Of broken rules: how many, or which where they are few.
void AddRules(std::string_view op, const Answers& answers,
              std::vector<Row>& rows) {
  constexpr std::size_t kMost = 6;
  TextGroups groups;
  for (const Answer* a : answers) AddTo(groups, Word(*a), a->about);
  for (const auto& [word, rules] : groups) {
    const std::string which = rules.size() > kMost && word == "rejects"
                                  ? fmt::format("{} {} rules", rules.size(), op)
                                  : fmt::format("{}", fmt::join(rules, ", "));
    const auto found = std::ranges::find(rows, word, &Row::about);
    if (found == rows.end()) {
      rows.push_back({word, which, {}});
    } else {
      found->text += ", " + which;
    }
  }
}

std::string RowText(const Row& row) {
  std::string text =
      fmt::format("{}{}{}", row.about, row.about.empty() ? "" : ": ", row.text);
  if (!row.ops.empty()) {
    text += fmt::format("  [{}]", fmt::join(row.ops, ", "));
  }
  return text;
}

std::vector<std::string_view> OpsOf(const character::Character& c) {
  std::vector<std::string_view> ops;
  for (const Answer& a : c.answers) {
    if (std::ranges::count(ops, a.instruction) == 0) {
      ops.push_back(a.instruction);
    }
  }
  return ops;
}

std::vector<std::string> LinesOf(std::string_view question,
                                 const character::Character& c) {
  std::vector<Row> rows;
  for (const std::string_view op : OpsOf(c)) {
    Answers answers;
    for (const Answer& a : c.answers) {
      if (a.instruction == op && a.question == question &&
          !Repeats(a, c.answers)) {
        answers.push_back(&a);
      }
    }
    if (question == "illegal") {
      AddRules(op, answers, rows);
    } else {
      AddRows(op, answers, rows);
    }
  }
  std::vector<std::string> lines;
  for (const Row& row : rows) lines.push_back(RowText(row));
  return lines;
}

}  // namespace

Reasons ReasonsOf(const character::Character& c) {
  return ReasonsFrom(
      {c.gave_up ? "the target failed too often" : "",
       c.interrupted ? "interrupted" : "",
       c.executed + c.rejected > 0
           ? ""
           : fmt::format("{} answered 0 of {} probes", c.target, c.probes)});
}

Report ToReport(const character::Character& c) {
  const Reasons reasons = ReasonsOf(c);
  Report report = {.title = "characterise: " + c.target,
                   .opening = IncompleteText(reasons),
                   .reasons = reasons};
  for (const std::string_view question : character::kQuestions) {
    Report::Section& section = report.sections.emplace_back(
        Report::Section{.title = std::string(question),
                        .in = Report::Section::In::kBoth,
                        .titled = true});
    for (std::string& line : LinesOf(question, c)) {
      section.lines.push_back({std::move(line)});
    }
  }
  report.summary = fmt::format(
      "characterise: {}: {} answers, {} probes, edition {}{}{}{}\n",
      InOneLine(c.target), c.answers.size(), c.probes, isa::Name(c.edition),
      c.failures != 0 ? fmt::format(", {} failed", c.failures) : "",
      c.gave_up ? "; given up" : "", c.interrupted ? "; interrupted" : "");
  return report;
}

std::vector<TraitRecord> TraitsOf(const character::Character& c) {
  // A page shows them: a target that answers something else each time has many.
  constexpr std::size_t kMostLines = 40;
  constexpr std::size_t kMostBytes = 600;
  std::vector<TraitRecord> traits;
  for (const std::string_view question : character::kQuestions) {
    auto lines = LinesOf(question, c);
    if (lines.empty()) continue;
    const std::size_t left = lines.size() - std::min(lines.size(), kMostLines);
    lines.resize(lines.size() - left);
    for (std::string& line : lines) line = Shortened(line, kMostBytes);
    if (left > 0) lines.push_back(fmt::format("… {} more", left));
    traits.push_back({std::string(question), std::move(lines)});
  }
  return traits;
}

std::string CharacterJson(const character::Character& character) {
  return RecordText(character);
}

}  // namespace lanediff::reports
