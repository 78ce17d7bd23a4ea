#include <algorithm>
#include <nlohmann/json.hpp>

#include "differential/testcase/json_layout.h"
#include "differential/testcase/record_json.h"
#include "isa/memory_map.h"
#include "reports/audit.h"
#include "reports/citations.h"
#include "reports/corpus_index.h"
#include "reports/headline.h"

namespace lanediff::reports {
namespace {

using namespace audit;
using OrderedJson = nlohmann::ordered_json;

template <class List, class F>
OrderedJson ListJson(const List& list, F&& one) {
  OrderedJson json = OrderedJson::array();
  for (const auto& item : list) json.push_back(one(item));
  return json;
}

OrderedJson IntegerJson(std::int64_t value) {
  return std::visit([](const auto& exact) { return OrderedJson(exact); },
                    ExactInteger(value));
}

/// Memory by memory of each product, of a rule that follows them.
OrderedJson CapacitiesJson(const isa::Rule& rule) {
  OrderedJson json = OrderedJson::array();
  if (rule.stage != isa::Stage::kBounds) return json;
  for (std::size_t p = 0; p < isa::kCount<isa::Product>; ++p) {
    for (std::size_t m = 0; m < isa::kCount<isa::Memory>; ++m) {
      const auto product = static_cast<isa::Product>(p);
      const auto memory = static_cast<isa::Memory>(m);
      const auto bytes = isa::CapacityBytes(product, memory);
      if (bytes == 0) continue;
      json.push_back({{"product", isa::Name(product)},
                      {"memory", isa::Name(memory)},
                      {"bytes", bytes}});
    }
  }
  return json;
}

/// Whether a case of the corpus objects when its rule is not followed: of a
/// reject rule or a note that is seen from what the case expects.
bool IsEvidence(const CorpusEntry& entry, const isa::Rule& rule) {
  const bool rejected = entry.expects == CorpusEntry::kRejected;
  if (rule.effect == isa::Effect::kReject) return rejected;
  if (rule.effect == isa::Effect::kSemantics) return !rejected;
  return rule.effect == isa::Effect::kNote &&
         entry.expects == CorpusEntry::kNoted;
}

/// The cases of the corpus that are evidence of a rule, by who worked out what
/// they expect: the farther from the oracle, the earlier.
OrderedJson CorpusJson(const isa::Rule& rule) {
  OrderedJson json = OrderedJson::array();
  for (std::string_view tool :
       {"published", "hand", "script/expectations", "oracle"}) {
    OrderedJson cases = OrderedJson::array();
    for (const CorpusEntry& entry : CorpusEntries()) {
      if (entry.rule == rule.id.text() && entry.tool == tool &&
          IsEvidence(entry, rule)) {
        cases.push_back(entry.id);
      }
    }
    if (!cases.empty()) json.push_back({{"tool", tool}, {"cases", cases}});
  }
  return json;
}

/// What the matrix of a page shows.
OrderedJson RuleDigestJson(const AuditedRule& audited) {
  OrderedJson json = RecordJson(HeadOf(*audited.rule));
  json["verdict"] = isa::Name(audited.verdict);
  if (audited.share) {
    json["share"] = {{"cases", audited.share->cases},
                     {"of", audited.share->of}};
  }
  json["cells"] = ListJson(audited.cells, [](const Cell& cell) {
    OrderedJson one = {{"product", isa::Name(cell.product)},
                       {"verdict", isa::Name(cell.verdict)},
                       {"reason", Shortened(cell.reason, 200)},
                       {"compared", cell.compared}};
    if (!cell.claimed) one["claimed"] = false;
    return one;
  });
  return json;
}

OrderedJson RuleJson(const AuditedRule& audited) {
  const isa::Rule& rule = *audited.rule;
  OrderedJson json = RuleDigestJson(audited);
  json["ranges"] = ListJson(rule.ranges, [](const isa::Range& range) {
    return OrderedJson{{"field", range.field},
                       {"low", IntegerJson(range.low)},
                       {"high", IntegerJson(range.high)},
                       {"elementBits", range.element_bits}};
  });
  json["capacities"] = CapacitiesJson(rule);
  json["corpus"] = CorpusJson(rule);
  json["cells"] = lanediff::ListJson(audited.cells);
  return json;
}

OrderedJson DisagreementJson(const AuditedDisagreement& place) {
  OrderedJson json = RecordJson(HeadOf(place));
  json["product"] = isa::Name(place.product);
  json["case"] = place.id_of_case;
  json["file"] = place.file;
  json["follows"] = isa::Name(place.follows);
  json["message"] = place.message;
  json["reproduce"] = place.reproduce;
  return json;
}

/// All but rule by rule.
OrderedJson WholeJson(const AuditRecord& record, const AuditChanges* changes,
                      const TargetRecord* about) {
  const auto groups = GroupsOf(record, changes);
  OrderedJson json = {{"format", "lanediff-audit/1"},
                      {"target", record.target},
                      {"vectors", record.vectors},
                      {"reference", record.reference},
                      {"edition", isa::Name(record.edition)}};
  json["headline"] = RecordJson(HeadlineOf(record, groups, about));
  json["groups"] = ListJson(
      groups, [](const FindingGroup& group) { return RecordJson(group); });
  if (about != nullptr) json["about"] = RecordJson(*about);
  json.update(OrderedJson{{"cases", record.cases},
                          {"compared", record.Compared()},
                          {"unsupported", record.unsupported},
                          {"beyond", record.beyond},
                          {"skipped", record.skipped},
                          {"crashed", record.crashed},
                          {"hung", record.hung},
                          {"steps", record.steps},
                          {"comparedBytes", record.compared_bytes},
                          {"nodes", record.nodes}});
  AddComplete(ReasonsOf(record), json);
  json.update(OrderedJson{{"interrupted", record.interrupted},
                          {"stopped", record.stopped}});
  if (record.sample) json["sample"] = RecordJson(*record.sample);
  const auto cells = record.Cells();
  for (std::size_t i = 0; i < cells.size(); ++i) {
    json["cells"][isa::Words<audit::Verdict>::kSpelling[i]] = cells[i];
  }
  json["products"] = isa::Words<isa::Product>::kSpelling;
  json["documents"] = lanediff::ListJson(CitedDocuments());
  return json;
}

std::string Finished(OrderedJson json, const AuditRecord& record,
                     const AuditChanges* changes) {
  json["disagreements"] = ListJson(record.disagreements, DisagreementJson);
  if (changes != nullptr) json["changes"] = RecordJson(*changes);
  return LayOut(json);
}

}  // namespace

std::string AuditJson(const AuditRecord& record, const AuditChanges* changes,
                      const TargetRecord* about) {
  OrderedJson json = WholeJson(record, changes, about);
  json["rules"] = ListJson(record.rules, RuleJson);
  return Finished(std::move(json), record, changes);
}

std::string AuditDigestJson(const AuditRecord& record,
                            const AuditChanges* changes,
                            const TargetRecord* about) {
  constexpr std::size_t kMostGroups = 400;
  OrderedJson json = WholeJson(record, changes, about);
  auto& groups = json["groups"];
  const std::size_t left = groups.size() - std::min(groups.size(), kMostGroups);
  if (left > 0) {
    groups.erase(groups.begin() + kMostGroups, groups.end());
    json["groupsLeftOut"] = left;
  }
  json["rules"] = ListJson(record.rules, RuleDigestJson);
  AuditRecord places;
  for (AuditedDisagreement place : record.disagreements) {
    place.message = Shortened(place.message, 2000);
    places.disagreements.push_back(std::move(place));
  }
  return Finished(std::move(json), places, changes);
}

std::string DetailsJson(const AuditedRule& rule) {
  return LayOut(RuleJson(rule));
}

}  // namespace lanediff::reports
