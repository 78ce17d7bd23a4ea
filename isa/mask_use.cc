#include "isa/mask_use.h"

#include <concepts>
#include <variant>

namespace lanediff::isa {
namespace {

/// TPipe and InitSocState set the register where documented.
MaskUse UseOfResource(const Resource& resource, Product product) {
  const bool sets = resource.name == ResourceName::kTPipe ||
                    resource.name == ResourceName::kInitSocState;
  const bool has_register =
      product == Product::kAtlasA2 || product == Product::kAtlasA3;
  return {.sets_mode = sets, .sets_register = sets && has_register};
}

MaskUse UseOfCarried(const CarriedMask& mask) {
  return {.reads_mode = mask.masked,
          .reads_register = mask.masked && !mask.is_set_mask,
          .sets_mode = mask.sets_normal,
          .sets_register = mask.leaves.has_value() || mask.leaves_unknown};
}

}  // namespace

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
          if (!s.Has(Param::kIsSetMask)) return {};
          return {true, !s.is_set_mask, false, s.is_set_mask};
        } else {
          return {};
        }
      },
      step);
}

}  // namespace lanediff::isa
