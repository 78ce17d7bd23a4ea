#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "reports/audit_words.h"
#include "reports/changes.h"
#include "reports/groups.h"
#include "reports/target_record.h"

namespace lanediff::reports {
namespace {

template <class T>
void AddOnce(const T& one, std::vector<std::string>& list) {
  if (std::ranges::find(list, one) == list.end()) list.emplace_back(one);
}

struct GatheredEvidence {
  FindingGroup group;
  std::set<std::string> ids;
  bool legal = false;  ///< some of it is no failure in an illegal call
};

void Add(const audit::Evidence& evidence, const isa::Rule& rule,
         isa::Product product, GatheredEvidence& one) {
  const bool failed = evidence.showing == audit::Showing::kCrashed ||
                      evidence.showing == audit::Showing::kHung;
  one.legal |= !failed || evidence.side != audit::Side::kBreaks;
  one.ids.insert(evidence.id);
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

/// The folder of an evidence file, "cases/ROOM/17-atlas-a2.json".
std::string RoomOf(const audit::Evidence& evidence) {
  const std::size_t from = evidence.file.find('/');
  const std::size_t to = evidence.file.find('/', from + 1);
  if (to == std::string::npos) return "audit";
  return evidence.file.substr(from + 1, to - from - 1);
}

/// That of the evidence. A target that ended is told by instruction; what an
/// illegal call did has no signature of its own and is told by its rule.
std::string SignatureOf(const audit::Evidence& evidence,
                        const isa::Rule& rule) {
  using enum audit::Showing;
  const std::string room = RoomOf(evidence);
  if (evidence.showing == kCrashed) return "crash/" + room + "/target/none";
  if (evidence.showing == kHung) return "timeout/" + room + "/target/none";
  if (!evidence.signature.empty()) return evidence.signature;
  return fmt::format("{}/{}/{}/none",
                     evidence.showing == kDifferently ? "memory" : "outcome",
                     room, rule.id.text());
}

/// Of failures few cases are kept as evidence: where one group has all of them,
/// its count is that of the record.
void CountFailures(std::string_view kind, std::uint64_t cases,
                   std::vector<FindingGroup>& groups) {
  const auto is_kind = [&](const FindingGroup& group) {
    return group.signature.starts_with(kind);
  };
  if (std::ranges::count_if(groups, is_kind) != 1) return;
  FindingGroup& group = *std::ranges::find_if(groups, is_kind);
  group.cases = std::max(group.cases, cases);
}

}  // namespace

std::vector<FindingGroup> GroupsOf(const audit::AuditRecord& record,
                                   const AuditChanges* changes) {
  std::map<std::string, GatheredEvidence> gathered;
  for (const audit::AuditedRule& rule : record.rules) {
    for (const audit::Cell& cell : rule.cells) {
      for (const audit::Evidence& evidence : cell.evidence) {
        if (!IsBad(evidence)) continue;
        Add(evidence, *rule.rule, cell.product,
            gathered[SignatureOf(evidence, *rule.rule)]);
      }
    }
  }
  std::vector<FindingGroup> groups;
  for (auto& [signature, one] : gathered) {
    one.group.signature = signature;
    one.group.instruction = InstructionOf(signature);
    one.group.cases = one.ids.size();
    if (changes != nullptr) {
      one.group.since = changes->signatures.Since(signature);
    }
    groups.push_back(std::move(one.group));
  }
  CountFailures("crash/", record.crashed, groups);
  CountFailures("timeout/", record.hung, groups);
  SortGroups(groups);
  PutLegalFirst(groups, [&](const FindingGroup& group) {
    return gathered.at(group.signature).legal;
  });
  return groups;
}

}  // namespace lanediff::reports
