#include "reports/comparison.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <utility>

#include "differential/testcase/record_json.h"
#include "reports/audit.h"
#include "reports/audit_record.h"
#include "reports/headline.h"
#include "reports/html.h"
#include "reports/printable.h"

namespace lanediff::reports {
namespace {

constexpr std::string_view kNotAudited = "not audited";
constexpr std::string_view kNotClaimed = "not claimed";

// What is compared of the document of one audit.

struct CellPart {
  isa::Product product = isa::Product::kAtlasA2;
  std::string verdict;
  bool claimed = true;

  static void Fields(auto& c, auto& v) {
    LANEDIFF_REQUIRED(v, c.product, c.verdict, c.claimed);
  }
};

using RulePart = RuleWith<CellPart>;

struct DisagreementPart : DisagreementHead {
  std::string follows;

  static void Fields(auto& d, auto& v) {
    DisagreementHead::Fields(d, v);
    v.Required("follows", d.follows);
  }
};

struct AuditPart {
  bool complete = false;
  Headline headline;
  std::vector<CitedDocument> documents;
  std::vector<RulePart> rules;
  std::vector<DisagreementPart> disagreements;

  static void Fields(auto& a, auto& v) {
    v.Document("audit");
    LANEDIFF_REQUIRED(v, a.complete, a.headline, a.documents, a.rules,
                      a.disagreements);
  }
};

/// The element of `list` whose `key` is `value`, added where there is none.
template <class T, class Base, class Key>
T& ByKey(std::vector<T>& list, Key Base::* key, const Key& value) {
  const auto found = std::ranges::find(list, value, key);
  if (found != list.end()) return *found;
  list.emplace_back().*key = value;
  return list.back();
}

void Add(AuditPart audit, std::size_t target, ComparisonRecord& record) {
  const std::vector<std::string> none(record.targets.size(),
                                      std::string(kNotAudited));
  for (RulePart& rule : audit.rules) {
    ComparedRule& compared = ByKey(record.rules, &RuleHead::id, rule.id);
    for (const CellPart& cell : rule.cells) {
      auto& verdicts =
          ByKey(compared.cells, &ComparedCell::product, cell.product).verdicts;
      if (verdicts.empty()) verdicts = none;
      verdicts[target] = cell.claimed ? cell.verdict : std::string(kNotClaimed);
    }
    static_cast<RuleHead&>(compared) = std::move(rule);
  }
  for (DisagreementPart& place : audit.disagreements) {
    ComparedDisagreement& compared =
        ByKey(record.disagreements, &DisagreementHead::id, place.id);
    if (compared.follows.empty()) compared.follows = none;
    compared.follows[target] = place.follows;
    static_cast<DisagreementHead&>(compared) = std::move(place);
  }
  record.documents = std::move(audit.documents);
}

/// Of rows with a word for each target: how many have something to compare, and
/// in how many of these the targets that were audited differ.
struct Differences {
  std::size_t compared = 0;
  std::size_t different = 0;

  /// Whether they differ in this one.
  bool Add(const std::vector<std::string>& words) {
    const auto is_result = [](std::string_view word) {
      return word != kNotAudited && word != kNotClaimed &&
             word != isa::Name(audit::Verdict::kNotExercised) &&
             word != isa::Name(audit::Follows::kUndecided);
    };
    std::vector<std::string_view> audited(words.begin(), words.end());
    std::erase(audited, kNotAudited);
    if (audited.size() < 2 || std::ranges::none_of(audited, is_result)) {
      return false;
    }
    ++compared;
    const std::set<std::string_view> distinct(audited.begin(), audited.end());
    different += distinct.size() > 1;
    return distinct.size() > 1;
  }
  std::string Text(std::string_view noun) const {
    return fmt::format("{} of {}", different, Counted(compared, noun));
  }
};

/// The first of `lines`, or all.
std::string SomeOf(const std::vector<std::string>& lines, bool all) {
  constexpr std::size_t kShown = 10;
  const std::size_t shown = all ? lines.size() : std::min(lines.size(), kShown);
  std::string text;
  for (std::size_t i = 0; i < shown; ++i) text += lines[i];
  if (shown < lines.size()) {
    text += fmt::format("… and {} more\n", lines.size() - shown);
  }
  return text;
}

/// A line for each set of verdicts in which targets differ on a rule.
void AddRule(const ComparedRule& rule, Differences& verdicts,
             std::vector<std::string>& lines) {
  std::map<std::string, std::vector<std::string_view>> products;
  for (const ComparedCell& cell : rule.cells) {
    if (!verdicts.Add(cell.verdicts)) continue;
    products[fmt::format("{}", fmt::join(cell.verdicts, " | "))].push_back(
        ShortName(cell.product));
  }
  for (const auto& [words, where] : products) {
    lines.push_back(
        fmt::format("{} on {}: {}\n", rule.id, fmt::join(where, ", "), words));
  }
}

}  // namespace

ComparisonRecord ComparisonOf(std::vector<ComparedTarget> targets,
                              const std::vector<std::string>& audits) {
  ComparisonRecord record;
  record.targets = std::move(targets);
  for (std::size_t i = 0; i < audits.size(); ++i) {
    ComparedTarget& target = record.targets[i];
    auto audit = ReadDocument(audits[i], [](const Cursor& root) {
      return ReadRecord<AuditPart>(root, UnknownFields::kNotLookedAt);
    });
    target.audited = audit.has_value();
    target.sentence =
        audit ? audit->headline.sentence : std::string(kNotAudited);
    if (!audit || !audit->complete) {
      record.reasons.push_back(
          fmt::format("{}: {}", target.target,
                      audit ? "not audited as a whole" : kNotAudited));
    }
    if (audit) Add(*std::move(audit), i, record);
  }
  std::ranges::stable_sort(record.disagreements, std::greater(),
                           &DisagreementHead::differ);
  return record;
}

std::string ComparisonJson(const ComparisonRecord& record) {
  return RecordText(record);
}

std::string ComparisonHtml(const ComparisonRecord& record) {
  return RecordPage(
      fmt::format("lanediff audit of {}",
                  Counted(record.targets.size(), "target")),
      "audit", "comparison", RecordJson(record), -1,
      fmt::format("<pre>{}</pre>\n", HtmlText(ComparisonText(record, true))));
}

std::string ComparisonText(const ComparisonRecord& record, bool all) {
  std::string text;
  for (const std::string& reason : record.reasons) {
    text += fmt::format("NOT COMPLETE: {}\n", InOneLine(reason));
  }
  for (const ComparedTarget& target : record.targets) {
    text += fmt::format("{}: status {}: {}\n", InOneLine(target.target),
                        target.status, InOneLine(target.sentence));
  }
  Differences verdicts, readings;
  std::vector<std::string> rules, places;
  for (const ComparedRule& rule : record.rules) AddRule(rule, verdicts, rules);
  for (const ComparedDisagreement& place : record.disagreements) {
    if (!readings.Add(place.follows)) continue;
    places.push_back(fmt::format("{}, {} legal calls differ: {}\n", place.id,
                                 place.differ,
                                 fmt::join(place.follows, " | ")));
  }
  return InLines(text + SomeOf(rules, all) + SomeOf(places, all) +
                 fmt::format("the targets differ in {} and {}\n",
                             verdicts.Text("verdict"),
                             readings.Text("reading")));
}

}  // namespace lanediff::reports
