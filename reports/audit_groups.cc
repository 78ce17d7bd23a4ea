#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>

#include "reports/audit_record.h"
#include "reports/audit_words.h"
#include "reports/changes.h"
#include "reports/headline.h"
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
void CountFailures(const audit::AuditRecord& record,
                   std::vector<FindingGroup>& groups) {
  for (FindingGroup& group : groups) {
    for (const auto& [source, failures] : record.failures) {
      if (group.signature == FailureSignature(source, false)) {
        group.cases = failures.crashed;
      } else if (group.signature == FailureSignature(source, true)) {
        group.cases = failures.hung;
      }
    }
  }
}

/// The cases of a disagreement in which the target failed.
void AddFailures(const audit::AuditedDisagreement& place,
                 std::map<std::string, GatheredEvidence>& gathered) {
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
  if (r.unsupported > 0) {
    h.Omit(legal_only ? Counted(r.unsupported, "case") +
                            " unsupported, or left out as the documents refuse "
                            "them (legal only)"
                      : Counted(r.unsupported, "unsupported case"));
  } else if (legal_only) {
    h.Omit("calls that the documents refuse (legal only)");
  }
  if (r.malformed > 0) {
    h.Omit(Counted(r.malformed, "unreadable recorded outcome"));
  }
  if (r.skipped > 0) {
    h.Omit(Counted(r.skipped, "case") + " that could not be run here");
  }
  if (h.not_exercised > 0) {
    h.Omit(Counted(h.not_exercised, "rule") + " not exercised");
  }
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
  for (const auto& place : record.disagreements) AddFailures(place, gathered);
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
  CountFailures(record, groups);
  SortGroups(groups);
  PutLegalFirst(groups, [&](const FindingGroup& group) {
    return gathered.at(group.signature).legal;
  });
  return groups;
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

}  // namespace lanediff::reports
