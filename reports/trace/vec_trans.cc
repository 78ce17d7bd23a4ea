#include "isa/vec_trans.h"

#include "reports/trace/instructions.h"

namespace lanediff::view {

bool Uses(const isa::VecTrans&, isa::RuleId rule, const StepFacts& facts) {
  const bool needs_more =
      rule == isa::vt::kAddress || rule == isa::vt::kInOrder;
  return !needs_more || facts.iterations() > 1;
}

Portrait PortraitOf(const isa::VecTrans&, const StepFacts&) { return {}; }

}  // namespace lanediff::view
