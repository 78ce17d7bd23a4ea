#include "sanitizer/witness.h"

#include <iterator>

#include "isa/catalogue.h"
#include "sanitizer/kernel.h"

namespace lanediff::lint {
namespace {

std::vector<Witness> Look(const Situation& situation, const isa::Rule& rule) {
  if (std::holds_alternative<isa::Carried>(situation.step())) {
    return KernelWitnesses(situation, rule.id);
  }
  switch (rule.stage) {
    case isa::Stage::kBounds:
      return OutsideWitnesses(situation, rule.id);
    case isa::Stage::kOverlap:
      return SharedWitnesses(situation, rule.id);
    case isa::Stage::kParameters:
      break;
  }
  return ValueWitnesses(situation, rule.id);
}

/// Where no detail is known.
Witness Plain(isa::RuleId rule) {
  Witness witness;
  witness.rule = rule;
  witness.found = "the call breaks this rule";
  witness.needed = "what the rule states";
  return witness;
}

}  // namespace

std::vector<Witness> WitnessesOf(const Situation& situation,
                                 const isa::RuleSet& rules) {
  std::vector<Witness> all;
  for (isa::RuleId id : rules) {
    const isa::Rule* const rule = isa::FindRule(id.text());
    if (rule == nullptr) continue;
    std::vector<Witness> found = Look(situation, *rule);
    if (found.empty()) found.push_back(Plain(id));
    for (Witness& witness : found) {
      witness.statement = rule->StatementIn(situation.c.edition);
    }
    std::ranges::move(found, std::back_inserter(all));
  }
  return all;
}

}  // namespace lanediff::lint
