#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "isa/vocabulary.h"
#include "reports/trace/facts.h"

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

/// "mask from the call, the first 4 lanes": for calls with it.
std::string OwnMask(std::int64_t lanes);
std::string OwnMask(const std::array<std::uint64_t, 2>& words);

/// Where the mask of a call in a contiguous or a bitwise form is from.
template <class Call>
std::string MaskOrigin(const Call& call, const StepFacts& facts) {
  if (!call.is_set_mask) return RegisterOrigin(facts);
  return call.form == Call::kContiguous ? OwnMask(call.mask)
                                        : OwnMask(call.mask_words);
}

}  // namespace lanediff::view
