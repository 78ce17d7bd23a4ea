#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "generators/random.h"
#include "generators/random/intent.h"
#include "generators/values.h"
#include "isa/vocabulary.h"

namespace lanediff::make {

/// One intent for all elements of a region.
struct DataTheme {
  DataIntent intent = DataIntent::kRandomBits;
  DataUse use = DataUse::kCopy;
  /// What the elements have in common beside the intent, such as an exponent.
  std::uint64_t key = 0;
  /// Whether this is the second of the two sources whose elements meet in
  /// pairs; uses of other kinds do not look.
  bool second = false;
};

/// The bits of element `index` of a region with `theme`, as `word` decides.
/// Random words give random elements; word 0 gives the simplest. Integer types
/// take intents of floating types as random bits, but for pairs that overflow
/// or cancel.
std::uint64_t ThemedElement(isa::DType type, const DataTheme& theme,
                            std::int64_t index, std::uint64_t word);

/// `count` elements with `theme` in memory order. In some of the regions, a
/// few elements are special ones instead.
std::vector<std::uint8_t> GenerateData(Random& random, isa::DType type,
                                       const DataTheme& theme,
                                       std::int64_t count);

/// Bits of one element that is likely to matter: zeros of both signs, the
/// smallest and largest subnormal and normal numbers, values next to overflow,
/// infinities, NaNs, powers of two; for integers the ends of the range.
std::uint64_t SpecialElement(Random& random, isa::DType type);

/// The intents that data of `type` for `use` are drawn from, with weights.
std::span<const Weighted<DataIntent>> DataIntentsOf(isa::DType type,
                                                    DataUse use);

/// A theme by those weights; random bits in the uniform style.
DataTheme GenerateTheme(Random& random, isa::DType type, DataUse use,
                        Style style);

}  // namespace lanediff::make
