#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "isa/operand.h"
#include "isa/rule.h"
#include "isa/vocabulary.h"
#include "oracle/vector_lanes.h"

/// What the rules of the vector calls require of numbers, operands and masks.
namespace lanediff::oracle {

constexpr bool IsWithin(std::int64_t value, std::int64_t low,
                        std::int64_t high) {
  return low <= value && value <= high;
}

/// Whether the operand is at VECIN, VECCALC or VECOUT.
bool IsAtVectorPosition(const isa::Operand& operand);

/// The mask argument of a call: a number of lanes or, bitwise, two words, of
/// which bit i of the first is lane i and of the second lane 64 + i.
struct MaskArgument {
  bool bitwise = false;
  std::int64_t lanes = 0;
  std::array<std::uint64_t, 2> words = {};
  bool is_set_mask = true;  ///< else the mask register counts
};

/// The mask with which a call over `type` runs. Nothing where it names a number
/// of lanes that no iteration has, and for types of 8 bits, whose 256 lanes
/// have more than the mask's bits.
std::optional<LaneMask> MaskOf(const MaskArgument& mask, isa::DType type,
                               const LaneMask& mask_register);

/// The names that the rules on masks have for one call.
struct MaskRules {
  isa::RuleId contiguous;
  isa::RuleId bits;
  isa::RuleId placeholder;
};

/// *-MASK-CONTIGUOUS, *-MASK-BITS and *-PLACEHOLDER; the ranges are given for
/// types of 16, 32 and 64 bits.
isa::RuleSet BrokenMaskRules(const MaskArgument& mask, isa::DType type,
                             const MaskRules& rules);

}  // namespace lanediff::oracle
