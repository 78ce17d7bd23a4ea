#include "isa/trowprod.h"

#include "reports/trace/instructions.h"
#include "reports/trace/phases.h"

namespace lanediff::view {

bool Uses(const isa::Trowprod& call, isa::RuleId rule, const StepFacts&) {
  return rule != isa::trp::kSaturate || call.dtype == isa::DType::kHalf;
}

Portrait PortraitOf(const isa::Trowprod& call, const StepFacts& facts) {
  return {.iteration = "row",
          .arithmetic = Arithmetic::kPhases,
          .phases = facts.nodes.empty() ? std::vector<Phase>()
                                        : PhasesOf(call, facts.nodes)};
}

}  // namespace lanediff::view
