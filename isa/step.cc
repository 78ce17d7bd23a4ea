#include "isa/step.h"

#include <algorithm>
#include <concepts>
#include <utility>
#include <variant>
#include <vector>

#include "isa/memory_map.h"

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

/// TPipe and InitSocState set the register where documented.
MaskUse UseOfResource(const Resource& resource, Product product) {
  const bool sets = resource.name == ResourceName::kTPipe ||
                    resource.name == ResourceName::kInitSocState;
  return {.sets_mode = sets, .sets_register = sets && IsA2OrA3(product)};
}

MaskUse UseOfCarried(const CarriedMask& mask) {
  return {.reads_mode = mask.masked,
          .reads_register = mask.masked && !mask.is_set_mask,
          .sets_mode = mask.sets_normal,
          .sets_register = mask.leaves.has_value() || mask.leaves_unknown};
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

MaskUse MaskUseOf(const Step& step, Product product) {
  return std::visit(
      [&]<class S>(const S& s) -> MaskUse {
        if constexpr (std::same_as<S, Carried>) {
          return UseOfCarried(s.mask);
        } else if constexpr (std::same_as<S, Resource>) {
          return UseOfResource(s, product);
        } else if constexpr (std::same_as<S, SetMaskNorm> ||
                             std::same_as<S, SetMaskCount>) {
          return {.sets_mode = true};
        } else if constexpr (std::same_as<S, SetVectorMask> ||
                             std::same_as<S, ResetMask>) {
          return {.sets_register = true};
        } else if constexpr (std::same_as<S, Call>) {
          const bool some = s[Param::kCount] > 0;
          if (s.IsByCount()) return {false, false, some, some};
          if (s.Is(Family::kBroadcast)) return {.sets_register = true};
          if (!s.IsMasked()) return {};
          return {true, !s.is_set_mask, false, s.is_set_mask};
        } else {
          return {};
        }
      },
      step);
}

}  // namespace lanediff::isa
