#pragma once

#include <cstdint>

#include "emulator/address.h"
#include "emulator/state.h"
#include "isa/rule.h"

/// Masks of calls that take a number or two words: `Call` has forms kContiguous
/// and kBitwise.
namespace lanediff::emulator {

/// The mask that a masked call sets, or finds in the register.
template <class Call>
LaneMask MaskOf(const Call& call, const State& state) {
  if (!call.is_set_mask) return state.mask_register;
  if (call.form == Call::kContiguous) return LaneMask::First(call.mask);
  return {.low = call.mask_words[0], .high = call.mask_words[1]};
}

/// The lanes of it that a type of `element_bytes` has: of 32-bit types the low
/// 64 bits count (STATE-MASK-REGISTER).
template <class Call>
LaneMask LanesOf(const Call& call, const State& state) {
  LaneMask lanes = MaskOf(call, state);
  if (ElementBytes(call.dtype) == 4) lanes.high = 0;
  return lanes;
}

/// The names that an instruction's rules of masks have.
struct MaskRules {
  isa::RuleId contiguous;
  isa::RuleId bits;
  isa::RuleId placeholder;
};

/// What the mask of a masked call breaks; ranges only of the widths that the
/// rules list.
template <class Call>
void AddBrokenMask(const Call& c, const MaskRules& rules,
                   isa::RuleSet& broken) {
  const bool contiguous = c.form == Call::kContiguous;
  const auto [low, high] = c.mask_words;
  const bool none = contiguous ? c.mask == 0 : (low | high) == 0;
  if (!c.is_set_mask) {
    broken.AddIf(!none, rules.placeholder);
    return;
  }
  const std::int64_t element = ElementBytes(c.dtype);
  if (element == 1) return;
  if (contiguous) {
    broken.AddIf(!InRange(c.mask, 1, kIterationBytes / element),
                 rules.contiguous);
    return;
  }
  const bool too_high =
      (element > 2 && high != 0) || (element > 4 && (low >> 32) != 0);
  broken.AddIf(none || too_high, rules.bits);
}

}  // namespace lanediff::emulator
