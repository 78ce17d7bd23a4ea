#include "isa/step.h"

#include <algorithm>
#include <array>
#include <vector>

namespace lanediff::isa {
namespace {

/// The steps without a row, each at its number.
constexpr std::size_t kNumbers[] = {0,  1,  2,  5,  6,  7,  13, 14,
                                    15, 16, 17, 18, 19, 20, 21};
static_assert(std::size(kNumbers) + 1 == std::variant_size_v<Step>);

std::vector<Step> MakeKinds() {
  std::vector<Step> kinds(std::size(kNumbers) + kSignatures.size());
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (kinds[kNumbers[I]].emplace<I>(), ...);
  }(std::make_index_sequence<std::size(kNumbers)>());
  for (const Signature& signature : kSignatures) {
    kinds[signature.number].emplace<Call>().signature = &signature;
  }
  return kinds;
}

}  // namespace

std::span<const Step> StepKinds() {
  static const std::vector<Step> kinds = MakeKinds();
  return kinds;
}

std::span<const Step> IntrinsicKinds() {
  static const std::vector<Step> kinds = [] {
    std::vector<Step> found;
    for (const Step& kind : StepKinds()) {
      const bool is_intrinsic =
          std::visit([]<class S>(const S&) { return Intrinsic<S>; }, kind);
      if (is_intrinsic) found.push_back(kind);
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
