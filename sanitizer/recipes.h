#pragma once

#include <cstdint>

#include "isa/rule.h"

namespace lanediff::lint {

/// How to find the value for which a rule on values is broken.
enum class Recipe : std::uint8_t {
  kRanges,  ///< the catalogue has the ranges; whatever stands nowhere else
  kProduct,
  kType,
  kOwnTypes,
  kPositions,
  kAlign,
  kDstBlkStrideZero,
  kDstRepStrideZero,
  kMaskWords,
  kPlaceholder,
  kRoute,
  kMixed,
  kSrcLayout,
  kDstLayout,
  kValidZero,
  kValidRows,
  kTmpShape,
  kTiles,
};

Recipe RecipeOf(isa::RuleId rule);

}  // namespace lanediff::lint
