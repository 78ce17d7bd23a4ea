#include "isa/data_copy.h"

#include "reports/trace/instructions.h"

namespace lanediff::view {

bool Uses(const isa::DataCopy& call, isa::RuleId rule, const StepFacts& facts) {
  namespace dc = isa::dc;
  if (rule == dc::kCountLength) return call.form == isa::DataCopy::kCount;
  if (rule == dc::kAddress) return call.form == isa::DataCopy::kParams;
  return !facts.accesses.empty();
}

Portrait PortraitOf(const isa::DataCopy&, const StepFacts&) {
  return {.iteration = "block"};
}

}  // namespace lanediff::view
