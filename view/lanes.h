#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "isa/vocabulary.h"
#include "view/facts.h"

namespace lanediff::view {

/// The lanes of an iteration; all iterations have the same.
struct Lanes {
  /// A character a lane, "#" for one that takes part and "." for one that
  /// doesn't. Whole DataBlocks, 8 of them or as many as there are lanes for.
  std::string drawing;
  std::int64_t taking_part = 0;
};

/// The lanes in which `operand`, elements of `type`, is read or written.
Lanes LanesOf(const StepFacts& facts, std::string_view operand,
              isa::DType type);

/// Whether a lane of the 256 bytes of an iteration takes no part.
bool HasMaskedLane(const StepFacts& facts, std::string_view operand,
                   isa::DType type);

/// "mask from the register, set by step 0 SetVectorMask": for calls without
/// isSetMask.
std::string RegisterOrigin(const StepFacts& facts);

}  // namespace lanediff::view
