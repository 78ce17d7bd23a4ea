#pragma once

#include <cstdint>
#include <optional>

#include "generators/random/data.h"
#include "generators/random/float_data.h"
#include "isa/vocabulary.h"

/// Elements that meet their like in another source, one pair a lane. Both sides
/// of a pair are made alone, but from one key: what they are to give together
/// is known to either.
namespace lanediff::make {

/// Whether `use` is one of pairs.
constexpr bool IsOfPairs(DataUse use) {
  return use == DataUse::kPairSum || use == DataUse::kPairDifference ||
         use == DataUse::kPairProduct;
}

/// Of a floating type, for a use of pairs: see ThemedElement.
std::uint64_t PairedFloat(const FloatLayout& l, const DataTheme& theme,
                          std::int64_t index, std::uint64_t word);

/// Of an integer type, more than its bits; nothing where the intent means for
/// pairs what it means for any elements.
std::optional<std::uint64_t> PairedInteger(isa::DType type,
                                           const DataTheme& theme,
                                           std::int64_t index,
                                           std::uint64_t word);

}  // namespace lanediff::make
