#pragma once

#include <cstdint>

#include "emulator/address.h"
#include "emulator/state.h"
#include "isa/call.h"

/// Masks of calls that take a number or two words.
namespace lanediff::emulator {

/// The mask that a masked call sets, or finds in the register.
inline LaneMask MaskOf(const isa::Call& call, const State& state) {
  if (!call.is_set_mask) return state.mask_register;
  if (call.Has(isa::Param::kMask)) {
    return LaneMask::First(call[isa::Param::kMask]);
  }
  return {.low = call.mask_words[0], .high = call.mask_words[1]};
}

/// What the mask of a masked call with lanes of `element` bytes breaks; ranges
/// only of the widths that the rules list.
inline void AddBrokenMask(const isa::Call& c, std::int64_t element,
                          BrokenRules& broken) {
  const auto [low, high] = c.mask_words;
  const bool counted = c.Has(isa::Param::kMask);
  const std::int64_t lanes = c[isa::Param::kMask];
  const bool none = counted ? lanes == 0 : (low | high) == 0;
  if (!c.is_set_mask) {
    broken.AddIf(!none, isa::CallRule::kPlaceholder);
    return;
  }
  if (element == 1) return;
  if (counted) {
    broken.AddIf(!InRange(lanes, 1, kIterationBytes / element),
                 isa::CallRule::kMaskContiguous);
    return;
  }
  const bool too_high =
      (element > 2 && high != 0) || (element > 4 && (low >> 32) != 0);
  broken.AddIf(none || too_high, isa::CallRule::kMaskBits);
}

}  // namespace lanediff::emulator
