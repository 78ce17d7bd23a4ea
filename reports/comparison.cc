#include "reports/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>

#include "differential/testcase/json_layout.h"
#include "differential/testcase/record_json.h"
#include "reports/audit_record.h"
#include "reports/headline.h"
#include "reports/html.h"

namespace lanediff::reports {
namespace {

constexpr std::string_view kNotAudited = "not audited";
constexpr std::string_view kNotClaimed = "not claimed";

/// The element of `list` whose member `key` is `value`, added where there is
/// none.
template <class T>
T& ByKey(std::vector<T>& list, std::string T::* key,
         const nlohmann::json& text) {
  const auto value = text.get<std::string>();
  const auto found = std::ranges::find(list, value, key);
  if (found != list.end()) return *found;
  list.emplace_back().*key = value;
  return list.back();
}

void CompareRules(const nlohmann::json& audit, std::size_t target,
                  std::size_t targets, std::vector<ComparedRule>& rules) {
  for (const nlohmann::json& rule : audit.at("rules")) {
    ComparedRule& compared = ByKey(rules, &ComparedRule::id, rule.at("id"));
    compared.instruction = rule.at("instruction").get<std::string>();
    compared.statement = rule.at("statement").get<std::string>();
    for (const nlohmann::json& cell : rule.at("cells")) {
      ComparedCell& one =
          ByKey(compared.cells, &ComparedCell::product, cell.at("product"));
      one.verdicts.resize(targets, std::string(kNotAudited));
      one.verdicts[target] = cell.value("claimed", true)
                                 ? cell.at("verdict").get<std::string>()
                                 : std::string(kNotClaimed);
    }
  }
}

void CompareReadings(const nlohmann::json& audit, std::size_t target,
                     std::size_t targets,
                     std::vector<ComparedDisagreement>& all) {
  for (const nlohmann::json& place : audit.at("disagreements")) {
    ComparedDisagreement& one =
        ByKey(all, &ComparedDisagreement::id, place.at("id"));
    one.title = place.at("title").get<std::string>();
    one.differ = place.at("differ").get<std::uint64_t>();
    std::set<std::string> titles;
    for (const nlohmann::json& reading : place.at("readings")) {
      for (const nlohmann::json& cited : reading.at("citations")) {
        titles.insert(cited.at("title").get<std::string>());
      }
    }
    one.documents.assign(titles.begin(), titles.end());
    one.follows.resize(targets, std::string(kNotAudited));
    one.follows[target] = place.at("follows").get<std::string>();
  }
}

/// Of rows with a word for each target: how many have something to compare, and
/// in how many of these the targets that were audited differ.
struct Differences {
  std::size_t compared = 0;
  std::size_t different = 0;

  void Add(const std::vector<std::string>& words) {
    const auto is_result = [](std::string_view word) {
      return word != kNotAudited && word != kNotClaimed &&
             word != isa::Name(audit::Verdict::kNotExercised) &&
             word != isa::Name(audit::Follows::kUndecided);
    };
    std::vector<std::string_view> audited(words.begin(), words.end());
    std::erase(audited, kNotAudited);
    if (audited.size() < 2 || std::ranges::none_of(audited, is_result)) return;
    ++compared;
    const std::set<std::string_view> distinct(audited.begin(), audited.end());
    if (distinct.size() > 1) ++different;
  }
  std::string Text(std::string_view noun) const {
    return fmt::format("{} of {}", different, Counted(compared, noun));
  }
};

nlohmann::ordered_json ComparisonNode(const ComparisonRecord& record) {
  return RecordJson(record);
}

}  // namespace

ComparisonRecord ComparisonOf(std::vector<ComparedTarget> targets,
                              const std::vector<nlohmann::json>& audits) {
  ComparisonRecord record;
  record.targets = std::move(targets);
  for (std::size_t i = 0; i < audits.size(); ++i) {
    ComparedTarget& target = record.targets[i];
    const bool whole =
        !audits[i].is_null() && audits[i].at("complete").get<bool>();
    if (!whole) {
      record.complete = false;
      record.reasons.push_back(fmt::format(
          "{}: {}", target.target,
          audits[i].is_null() ? kNotAudited : "not audited as a whole"));
    }
    target.sentence = kNotAudited;
    if (audits[i].is_null()) continue;
    target.sentence =
        audits[i].at("headline").at("sentence").get<std::string>();
    CompareRules(audits[i], i, audits.size(), record.rules);
    CompareReadings(audits[i], i, audits.size(), record.disagreements);
  }
  std::ranges::stable_sort(record.disagreements, std::greater(),
                           &ComparedDisagreement::differ);
  return record;
}

std::string ComparisonJson(const ComparisonRecord& record) {
  return LayOut(ComparisonNode(record));
}

std::string ComparisonHtml(const ComparisonRecord& record) {
  return RecordPage(
      fmt::format("lanediff audit of {}",
                  Counted(record.targets.size(), "target")),
      "audit", "comparison", ComparisonNode(record), -1,
      fmt::format("<pre>{}</pre>\n", HtmlText(ComparisonText(record))));
}

std::string ComparisonText(const ComparisonRecord& record) {
  std::string text;
  for (const std::string& reason : record.reasons) {
    text += fmt::format("NOT COMPLETE: {}\n", reason);
  }
  for (const ComparedTarget& target : record.targets) {
    text += fmt::format("{}: status {}: {}\n", target.target, target.status,
                        target.sentence);
  }
  Differences verdicts, readings;
  for (const ComparedRule& rule : record.rules) {
    for (const ComparedCell& cell : rule.cells) verdicts.Add(cell.verdicts);
  }
  for (const ComparedDisagreement& place : record.disagreements) {
    readings.Add(place.follows);
  }
  return text + fmt::format("the targets differ in {} and {}\n",
                            verdicts.Text("verdict"), readings.Text("reading"));
}

}  // namespace lanediff::reports
