#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "differential/testcase/json.h"
#include "differential/testcase/record_json.h"
#include "isa/memory_map.h"
#include "reports/audit_document.h"
#include "reports/corpus_index.h"

namespace lanediff::reports {
namespace {

/// Whether a case of the corpus objects when its rule is not followed: of a
/// reject rule or a note that is seen from what the case expects.
bool IsEvidence(const CorpusEntry& entry, const isa::Rule& rule) {
  const bool rejected = entry.expects == CorpusEntry::kRejected;
  if (rule.effect == isa::Effect::kReject) return rejected;
  if (rule.effect == isa::Effect::kSemantics) return !rejected;
  return rule.effect == isa::Effect::kNote &&
         entry.expects == CorpusEntry::kNoted;
}

AuditDocument DocumentOf(audit::AuditRecord record, const AuditChanges* changes,
                         const TargetRecord* about) {
  AuditDocument document;
  document.groups = GroupsOf(record, changes);
  document.headline = HeadlineOf(record, document.groups, about);
  if (about != nullptr) document.about = *about;
  if (changes != nullptr) document.changes = *changes;
  document.record = std::move(record);
  return document;
}

}  // namespace

std::vector<RangeRecord> RangesOf(const isa::Rule& rule) {
  std::vector<RangeRecord> ranges;
  for (const isa::Range& range : rule.ranges) ranges.push_back({range});
  return ranges;
}

std::vector<CapacityRecord> CapacitiesOf(const isa::Rule& rule) {
  std::vector<CapacityRecord> capacities;
  if (rule.stage != isa::Stage::kBounds) return capacities;
  for (std::size_t p = 0; p < isa::kCount<isa::Product>; ++p) {
    for (std::size_t m = 0; m < isa::kCount<isa::Memory>; ++m) {
      const auto product = static_cast<isa::Product>(p);
      const auto memory = static_cast<isa::Memory>(m);
      const auto bytes = isa::CapacityBytes(product, memory);
      if (bytes > 0) capacities.push_back({product, memory, bytes});
    }
  }
  return capacities;
}

std::vector<CorpusCases> CorpusOf(const isa::Rule& rule) {
  std::vector<CorpusCases> corpus;
  for (std::string_view tool :
       {"published", "hand", "script/expectations", "oracle"}) {
    CorpusCases found = {.tool = tool, .cases = {}};
    for (const CorpusEntry& entry : CorpusEntries()) {
      if (entry.rule == rule.id.text() && entry.tool == tool &&
          IsEvidence(entry, rule)) {
        found.cases.push_back(entry.id);
      }
    }
    if (!found.cases.empty()) corpus.push_back(std::move(found));
  }
  return corpus;
}

std::string AuditJson(const audit::AuditRecord& record,
                      const AuditChanges* changes, const TargetRecord* about) {
  return RecordText(DocumentOf(record, changes, about));
}

std::string AuditDigestJson(const audit::AuditRecord& record,
                            const AuditChanges* changes,
                            const TargetRecord* about) {
  constexpr std::size_t kMostGroups = 400;
  AuditDocument document = DocumentOf(record, changes, about);
  for (auto& place : document.record.disagreements) {
    place.message = Shortened(place.message, 2000);
  }
  const std::size_t groups = document.groups.size();
  document.groups.resize(std::min(groups, kMostGroups));
  Json json = RecordJson(document);
  if (groups > kMostGroups) json["groupsLeftOut"] = groups - kMostGroups;
  for (Json& rule : json["rules"]) {
    for (const char* name : {"ranges", "capacities", "corpus"}) {
      rule.erase(name);
    }
    for (Json& cell : rule["cells"]) {
      Json digest = {
          {"product", cell["product"]},
          {"verdict", cell["verdict"]},
          {"reason", Shortened(cell["reason"].get<std::string>(), 200)},
          {"compared", cell["compared"]}};
      if (cell["claimed"] == false) digest["claimed"] = false;
      cell = std::move(digest);
    }
  }
  return LayOut(json);
}

std::string DetailsJson(const audit::AuditedRule& rule) {
  return RecordText(RuleRecord{HeadOf(*rule.rule), &rule});
}

}  // namespace lanediff::reports
