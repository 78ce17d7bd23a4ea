#include "oracle/vector_rules.h"

#include <array>
#include <cstdint>
#include <optional>

#include "oracle/memory_map.h"

namespace lanediff::oracle {
namespace {

/// No range is given for 8 bits.
bool NumberIsInRange(std::int64_t lanes, std::int64_t element_bytes) {
  if (element_bytes == 2) return IsWithin(lanes, 1, 128);
  if (element_bytes == 4) return IsWithin(lanes, 1, 64);
  if (element_bytes == 8) return IsWithin(lanes, 1, 32);
  return true;
}

/// 8 bits are unspecified.
bool WordsAreInRange(const std::array<std::uint64_t, 2>& words,
                     std::int64_t element_bytes) {
  if (element_bytes == 2) return words[0] != 0 || words[1] != 0;
  if (element_bytes == 4) return words[1] == 0 && words[0] != 0;
  if (element_bytes == 8) {
    return words[1] == 0 && words[0] != 0 && words[0] <= 0xffffffff;
  }
  return true;
}

/// MASK_PLACEHOLDER is 0, or two words 0.
bool IsPlaceholder(const MaskArgument& mask) {
  return mask.bitwise ? mask.words[0] == 0 && mask.words[1] == 0
                      : mask.lanes == 0;
}

}  // namespace

bool IsAtVectorPosition(const isa::Operand& operand) {
  using isa::Position;
  return operand.position == Position::kVecin ||
         operand.position == Position::kVeccalc ||
         operand.position == Position::kVecout;
}

std::optional<LaneMask> MaskOf(const MaskArgument& mask, isa::DType type,
                               const LaneMask& mask_register) {
  const std::int64_t element_bytes = ElementBytes(type);
  if (element_bytes < 2) return std::nullopt;
  if (!mask.is_set_mask) return mask_register;
  if (mask.bitwise) return MaskOfWords(mask.words[1], mask.words[0]);
  if (!IsWithin(mask.lanes, 0, kIterationBytes / element_bytes)) {
    return std::nullopt;
  }
  return MaskOfFirst(mask.lanes);
}

isa::RuleSet BrokenMaskRules(const MaskArgument& mask, isa::DType type,
                             const MaskRules& rules) {
  const std::int64_t element_bytes = ElementBytes(type);
  isa::RuleSet broken;
  if (!mask.is_set_mask) {
    broken.AddIf(!IsPlaceholder(mask), rules.placeholder);
  } else if (mask.bitwise) {
    broken.AddIf(!WordsAreInRange(mask.words, element_bytes), rules.bits);
  } else {
    broken.AddIf(!NumberIsInRange(mask.lanes, element_bytes), rules.contiguous);
  }
  return broken;
}

}  // namespace lanediff::oracle
