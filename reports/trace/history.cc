#include <fmt/format.h>

#include <variant>

#include "isa/step.h"
#include "reports/trace/facts.h"

namespace lanediff::view {
namespace {

/// STATE-MASK-REGISTER: what an executed step does to the register; empty if
/// nothing.
struct MaskEffect {
  const isa::StepResult& result;

  std::string operator()(const isa::SetVectorMask&) const { return "set by"; }
  std::string operator()(const isa::RepeatReduceSum& call) const {
    return OwnMaskOf(call);
  }
  std::string operator()(const isa::WholeReduceSum& call) const {
    return OwnMaskOf(call);
  }
  template <class Tag>
  std::string operator()(const isa::ElementwiseCall<Tag>& call) const {
    if (call.form != call.kCount) return OwnMaskOf(call);
    const bool all =
        result.notes.Contains(isa::ElementwiseRules<Tag>::kClobbersMask);
    return all ? "left all ones by" : "";
  }
  std::string operator()(const isa::DataCopy&) const { return ""; }
  std::string operator()(const isa::Trowprod&) const { return ""; }
  std::string operator()(const isa::VecTrans&) const { return ""; }
  template <isa::StateStep Other>
  std::string operator()(const Other&) const {
    return "";
  }

  template <class Call>
  static std::string OwnMaskOf(const Call& call) {
    return call.is_set_mask ? "left at its own mask by" : "";
  }
};

}  // namespace

void History::Add(std::size_t i, const isa::Step& step,
                  const isa::StepResult& result) {
  const std::string by = fmt::format("step {} {}", i, isa::OpName(step));
  const std::string effect = std::visit(MaskEffect{result}, step);
  if (!effect.empty()) mask_origin_ = effect + " " + by;
  if (const auto* mode = std::get_if<isa::SetSaturation>(&step)) {
    saturation_ = mode->enabled;
    saturation_origin_ = "set by " + by;
  }
}

std::string History::MaskOrigin() const {
  return mask_origin_.empty() ? "all ones from the start" : mask_origin_;
}

std::string History::SaturationOrigin() const {
  return saturation_origin_.empty() ? "from the start" : saturation_origin_;
}

}  // namespace lanediff::view
