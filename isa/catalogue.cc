#include "isa/catalogue.h"

#include <algorithm>
#include <iterator>

namespace lanediff::isa {
namespace {

std::vector<Rule> BuildCatalogue() {
  std::vector<Rule> all;
  for (auto* section : {&CommonRules, &RepeatReduceSumRules, &MinRules,
                        &DataCopyRules, &TrowprodRules, &VecTransRules}) {
    std::ranges::move(section(), std::back_inserter(all));
  }
  return all;
}

}  // namespace

std::span<const Rule> Catalogue() {
  static const std::vector<Rule> all = BuildCatalogue();
  return all;
}

EvidenceLevel EvidenceOf(const Source& source) {
  if (source.stronger) return *source.stronger;
  switch (source.provenance) {
    case Provenance::kDocumented:
      return EvidenceLevel::kDocumentText;
    case Provenance::kSupplement:
      return EvidenceLevel::kSupplement;
    case Provenance::kAssumed:
      break;
  }
  return EvidenceLevel::kAssumption;
}

EvidenceLevel EvidenceOf(const Rule& rule) {
  // Enumerators run from the strongest to the weakest.
  EvidenceLevel weakest = EvidenceLevel::kDeviceResults;
  for (const Source& one : rule.sources) {
    EvidenceLevel strongest = EvidenceOf(one);
    for (const Source& other : rule.sources) {
      if (other.part != one.part) continue;
      strongest = std::min(strongest, EvidenceOf(other));
    }
    weakest = std::max(weakest, strongest);
  }
  return weakest;
}

const Rule* FindRule(std::string_view text) {
  const auto all = Catalogue();
  const auto found = std::ranges::find(
      all, text, [](const Rule& rule) { return rule.id.text(); });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace lanediff::isa
