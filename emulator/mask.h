#pragma once

#include <array>
#include <cstdint>

#include "emulator/address.h"
#include "emulator/state.h"
#include "isa/call.h"
#include "isa/rule.h"
#include "isa/whole_reduce_sum.h"

/// Masks of calls that take a number or two words.
namespace lanediff::emulator {

/// The mask of a masked call, and its type.
struct MaskArgument {
  isa::DType dtype;
  bool is_set_mask;
  bool contiguous;  ///< `mask`, else `words`
  std::int64_t mask;
  std::array<std::uint64_t, 2> words;

  MaskArgument(const isa::Call& call)  // NOLINT: implicit
      : dtype(call.dtype),
        is_set_mask(call.is_set_mask),
        contiguous(call.form == isa::kMaskForm),
        mask(call[isa::Param::kMask]),
        words(call.mask_words) {}
  MaskArgument(const isa::WholeReduceSum& call)  // NOLINT: implicit
      : dtype(call.dtype),
        is_set_mask(call.is_set_mask),
        contiguous(call.form == call.kContiguous),
        mask(call.mask),
        words(call.mask_words) {}
};

/// The mask that a masked call sets, or finds in the register.
inline LaneMask MaskOf(const MaskArgument& call, const State& state) {
  if (!call.is_set_mask) return state.mask_register;
  if (call.contiguous) return LaneMask::First(call.mask);
  return {.low = call.words[0], .high = call.words[1]};
}

/// The lanes of it that the type has: of 32-bit types the low
/// 64 bits count (STATE-MASK-REGISTER).
inline LaneMask LanesOf(const MaskArgument& call, const State& state) {
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
inline void AddBrokenMask(const MaskArgument& c, const MaskRules& rules,
                          isa::RuleSet& broken) {
  const auto [low, high] = c.words;
  const bool none = c.contiguous ? c.mask == 0 : (low | high) == 0;
  if (!c.is_set_mask) {
    broken.AddIf(!none, rules.placeholder);
    return;
  }
  const std::int64_t element = ElementBytes(c.dtype);
  if (element == 1) return;
  if (c.contiguous) {
    broken.AddIf(!InRange(c.mask, 1, kIterationBytes / element),
                 rules.contiguous);
    return;
  }
  const bool too_high =
      (element > 2 && high != 0) || (element > 4 && (low >> 32) != 0);
  broken.AddIf(none || too_high, rules.bits);
}

}  // namespace lanediff::emulator
