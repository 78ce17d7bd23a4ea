#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "differential/testcase/json.h"
#include "differential/testcase/record_json.h"
#include "isa/memory_map.h"
#include "reports/audit.h"
#include "reports/audit_record.h"
#include "reports/changes.h"
#include "reports/corpus_index.h"
#include "reports/headline.h"
#include "reports/target_record.h"

namespace lanediff::reports {
namespace {

template <class T>
void AddOnce(const T& one, std::vector<std::string>& list) {
  if (std::ranges::find(list, one) == list.end()) list.emplace_back(one);
}

using Gathered = std::map<std::string, GatheredGroup>;

void Add(const audit::Evidence& evidence, const isa::Rule& rule,
         isa::Product product, GatheredGroup& one) {
  const bool failed = evidence.showing == audit::Showing::kCrashed ||
                      evidence.showing == audit::Showing::kHung;
  one.legal |= !failed || evidence.side != audit::Side::kBreaks;
  AddOnce(rule.id.text(), one.group.rules);
  AddOnce(isa::Name(product), one.group.products);
  if (!one.group.id.empty()) return;  // the first was saved as the smallest
  one.group.id = evidence.id;
  one.group.path = evidence.file;
  one.group.message = Shortened(
      evidence.message.empty() ? EvidenceText(evidence) : evidence.message,
      kMostMessageBytes);
  one.group.reproduce = evidence.reproduce;
}

/// The folder of an evidence file, "cases/SLUG/17-atlas-a2.json".
std::string SlugOf(const audit::Evidence& evidence) {
  const std::size_t from = evidence.file.find('/');
  const std::size_t to = evidence.file.find('/', from + 1);
  if (to == std::string::npos) return "audit";
  return evidence.file.substr(from + 1, to - from - 1);
}

std::string FailureSignature(std::string_view source, bool hung) {
  return fmt::format("{}/{}/target/none", hung ? "timeout" : "crash", source);
}

/// That of the evidence. A target that ended is grouped by instruction; what an
/// illegal call did has no signature of its own and is grouped by its rule.
std::string SignatureOf(const audit::Evidence& evidence,
                        const isa::Rule& rule) {
  using enum audit::Showing;
  const std::string slug = SlugOf(evidence);
  if (evidence.showing == kCrashed || evidence.showing == kHung) {
    return FailureSignature(slug, evidence.showing == kHung);
  }
  if (!evidence.signature.empty()) return evidence.signature;
  return fmt::format("{}/{}/{}/none",
                     evidence.showing == kDifferently ? "memory" : "outcome",
                     slug, rule.id.text());
}

/// Of failures few cases are kept as evidence: their count is the record's.
void CountFailures(const audit::AuditRecord& record, Gathered& gathered) {
  for (const auto& [source, failures] : record.failures) {
    for (const bool hung : {false, true}) {
      const auto found = gathered.find(FailureSignature(source, hung));
      if (found == gathered.end()) continue;
      found->second.group.cases = hung ? failures.hung : failures.crashed;
    }
  }
}

/// The cases of a disagreement in which the target failed.
void AddFailures(const audit::AuditedDisagreement& place, Gathered& gathered) {
  for (bool hung : {false, true}) {
    if ((hung ? place.failures.hung : place.failures.crashed) == 0) continue;
    auto& one = gathered[FailureSignature(place.Source(), hung)];
    one.legal = true;
    for (isa::RuleId rule : place.rules) {
      AddOnce(rule.text(), one.group.rules);
    }
    AddOnce(isa::Name(place.product), one.group.products);
    if (!one.group.id.empty()) continue;
    one.group.id = place.id_of_case;
    one.group.path = place.file;
    one.group.message = Shortened(place.message, kMostMessageBytes);
    one.group.reproduce = place.reproduce;
  }
}

/// The worst of the cells that were exercised.
audit::Verdict StandingOf(const audit::AuditedRule& rule) {
  auto worst = audit::Verdict::kNotExercised;
  for (const audit::Cell& cell : rule.cells) {
    if (cell.verdict == audit::Verdict::kNotExercised) continue;
    worst = worst == audit::Verdict::kNotExercised
                ? cell.verdict
                : audit::Worse(worst, cell.verdict);
  }
  return worst;
}

std::uint64_t& CountOf(audit::Verdict standing, Headline& h) {
  std::uint64_t* const counts[] = {
      &h.enforced,     &h.tolerated,     &h.violated, &h.confirmed,
      &h.contradicted, &h.not_exercised, &h.suspected};
  static_assert(std::size(counts) == isa::kCount<audit::Verdict>);
  return *counts[static_cast<std::size_t>(standing)];
}

void AddNotCompared(const audit::AuditRecord& r, const TargetRecord* about,
                    Headline& h) {
  if (r.interrupted) h.Omit("the rest: the audit was interrupted");
  if (!r.stopped.empty()) h.Omit("the rest: " + Shortened(r.stopped, 200));
  if (r.recorded) h.Omit("what was not recorded");
  if (r.IsSampled()) h.Omit("all but " + make::SampleText(*r.sample));
  const bool legal_only = about != nullptr && about->legal_only;
  if (legal_only && r.unsupported == 0) {
    h.Omit("calls that the documents refuse (legal only)");
  }
  h.Omit(r.unsupported, legal_only ? "case" : "unsupported case",
         legal_only ? " unsupported, or left out as the documents refuse them "
                      "(legal only)"
                    : "");
  h.Omit(r.malformed, "unreadable recorded outcome");
  h.Omit(r.skipped, "case", " that could not be run here");
  h.Omit(h.not_exercised, "rule", " not exercised");
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

std::vector<FindingGroup> GroupsOf(const audit::AuditRecord& record,
                                   const AuditChanges* changes) {
  Gathered gathered;
  std::set<std::pair<std::string, std::string_view>> counted;
  for (const audit::AuditedRule& rule : record.rules) {
    for (const audit::Cell& cell : rule.cells) {
      for (const audit::Evidence& evidence : cell.evidence) {
        if (!IsBad(evidence)) continue;
        const std::string signature = SignatureOf(evidence, *rule.rule);
        GatheredGroup& one = gathered[signature];
        Add(evidence, *rule.rule, cell.product, one);
        one.group.cases += counted.emplace(signature, evidence.id).second;
      }
    }
  }
  for (const auto& place : record.disagreements) AddFailures(place, gathered);
  CountFailures(record, gathered);
  return Sorted(std::move(gathered),
                changes == nullptr ? nullptr : &changes->signatures);
}

Headline HeadlineOf(const audit::AuditRecord& record,
                    const std::vector<FindingGroup>& groups,
                    const TargetRecord* about) {
  Headline h;
  std::set<std::string_view> instructions;
  for (const audit::AuditedRule& rule : record.rules) {
    ++CountOf(StandingOf(rule), h);
    const bool compared = std::ranges::any_of(
        rule.cells, [](const audit::Cell& cell) { return cell.compared > 0; });
    if (compared && rule.rule->instruction != "common") {
      instructions.insert(rule.rule->instruction);
    }
  }
  h.instructions = instructions.size();
  AddNotCompared(record, about, h);
  PutIntoWords(
      h, groups,
      fmt::format(
          "{} enforced, {} tolerated, {} violated; {} confirmed, {} "
          "contradicted{}",
          Counted(h.enforced, "rule"), h.tolerated, h.violated, h.confirmed,
          h.contradicted,
          h.suspected > 0 ? fmt::format(", {} suspected", h.suspected) : ""),
      record.Compared() > 0, record.crashed + record.hung > 0);
  return h;
}

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
