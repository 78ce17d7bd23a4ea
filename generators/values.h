#pragma once

#include <cstdint>
#include <string_view>

#include "isa/step.h"

namespace lanediff::make {

/// What becomes of the elements of a call: an intent such as ties means other
/// numbers for sums than for products.
enum class DataUse : std::uint8_t {
  kSum,      ///< of the elements of one source
  kProduct,  ///< likewise
  kCompare,
  kCopy,
  kPairSum,  ///< of an element of each source
  kPairDifference,
  kPairProduct,
};

/// What an instruction does with values, for all that makes cases of it.
struct Values {
  DataUse use;
  std::string_view result;  ///< "minimum", for messages
};

/// One row for each intrinsic.
template <isa::Intrinsic Call>
inline constexpr Values kValuesOf = Call::kHasNoRowHere;

template <>
inline constexpr Values kValuesOf<isa::RepeatReduceSum>{DataUse::kSum, "sum"};
template <>
inline constexpr Values kValuesOf<isa::WholeReduceSum>{DataUse::kSum, "sum"};
template <>
inline constexpr Values kValuesOf<isa::DataCopy>{DataUse::kCopy, "copy"};
template <>
inline constexpr Values kValuesOf<isa::VecTrans>{DataUse::kCopy, "transpose"};
template <>
inline constexpr Values kValuesOf<isa::Trowprod>{DataUse::kProduct, "product"};
template <>
inline constexpr Values kValuesOf<isa::Min>{DataUse::kCompare, "minimum"};
template <>
inline constexpr Values kValuesOf<isa::Max>{DataUse::kCompare, "maximum"};
template <>
inline constexpr Values kValuesOf<isa::Add>{DataUse::kPairSum, "sum"};
template <>
inline constexpr Values kValuesOf<isa::Sub>{DataUse::kPairDifference,
                                            "difference"};
template <>
inline constexpr Values kValuesOf<isa::Mul>{DataUse::kPairProduct, "product"};

/// Whether results can differ from all operands: they are rounded, or leave
/// their type.
constexpr bool Computes(DataUse use) {
  return use != DataUse::kCompare && use != DataUse::kCopy;
}

}  // namespace lanediff::make
