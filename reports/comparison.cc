#include "reports/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>

#include "differential/testcase/json_layout.h"
#include "differential/testcase/record_json.h"
#include "reports/headline.h"
#include "reports/html.h"

namespace lanediff::reports {
namespace {

constexpr std::string_view kNotAudited = "not audited";

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
                                 : "not claimed";
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

/// Whether the targets that were audited differ.
bool IsDifferent(const std::vector<std::string>& words) {
  std::set<std::string_view> distinct(words.begin(), words.end());
  distinct.erase(kNotAudited);
  return distinct.size() > 1;
}

nlohmann::ordered_json ComparisonNode(const ComparisonRecord& record) {
  return ToOrdered(RecordJson(record));
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
  std::size_t cells = 0;
  for (const ComparedRule& rule : record.rules) {
    cells += static_cast<std::size_t>(std::ranges::count_if(
        rule.cells, IsDifferent, &ComparedCell::verdicts));
  }
  const auto readings = static_cast<std::size_t>(std::ranges::count_if(
      record.disagreements, IsDifferent, &ComparedDisagreement::follows));
  return text + fmt::format("the targets differ in {} and {}\n",
                            Counted(cells, "verdict"),
                            Counted(readings, "reading"));
}

}  // namespace lanediff::reports
