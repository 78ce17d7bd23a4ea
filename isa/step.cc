#include "isa/step.h"

#include <algorithm>
#include <array>
#include <vector>

namespace lanediff::isa {
namespace {

/// The steps without a row, each at its number.
constexpr std::size_t kNumbers[] = {0,  1,  2,  13, 14, 15,
                                    16, 17, 18, 19, 20, 21};
static_assert(std::size(kNumbers) + 1 == std::variant_size_v<Step>);

std::vector<Step> MakeKinds() {
  std::vector<Step> kinds(std::size(kNumbers) + kSignatures.size());
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (kinds[kNumbers[I]].emplace<I>(), ...);
  }(std::make_index_sequence<std::size(kNumbers)>());
  for (const Signature& signature : kSignatures) {
    kinds[signature.number] = CallOf(signature);
  }
  return kinds;
}

}  // namespace

std::span<const Step> StepKinds() {
  static const std::vector<Step> kinds = MakeKinds();
  return kinds;
}

std::span<const Call> CallKinds() {
  static const std::vector<Call> kinds = [] {
    std::vector<Call> found;
    for (const Step& kind : StepKinds()) {
      if (const auto* call = std::get_if<Call>(&kind)) found.push_back(*call);
    }
    return found;
  }();
  return kinds;
}

const Step* FindStepKind(std::string_view op) {
  const auto found = std::ranges::find(StepKinds(), op, OpName);
  return found == StepKinds().end() ? nullptr : &*found;
}

std::size_t NumberOf(const Step& step) {
  const auto* const call = std::get_if<Call>(&step);
  return call != nullptr ? call->signature->number : kNumbers[step.index()];
}

}  // namespace lanediff::isa
