#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string_view>

#include "isa/catalogue.h"
#include "isa/signature.h"

namespace lanediff::make {

/// What becomes of the elements of a call: an intent such as ties means other
/// numbers for sums than for products.
enum class DataUse : std::uint8_t {
  kSum,      ///< of the elements of one source
  kProduct,  ///< likewise
  kCompare,
  kMagnitude,  ///< of one element, never negative
  kCopy,
  kPairSum,  ///< of an element of each source
  kPairDifference,
  kPairProduct,
  kConversion,  ///< of one element, to another type
  kIndex,       ///< of the scalar and the numbers of lanes
};

/// What an instruction does with values, for all that makes cases of it.
struct Values {
  std::string_view op;
  DataUse use;
  std::string_view result;  ///< "minimum", for messages
  bool rectifies = false;   ///< what is below +0 becomes it in the end
};

/// A line for each intrinsic whose values `ValuesOf` must know.
inline constexpr Values kValues[] = {
    {"RepeatReduceSum", DataUse::kSum, "sum"},
    {"WholeReduceSum", DataUse::kSum, "sum"},
    {"BlockReduceMax", DataUse::kCompare, "maximum"},
    {"BlockReduceMin", DataUse::kCompare, "minimum"},
    {"BlockReduceSum", DataUse::kSum, "sum"},
    {"PairReduceSum", DataUse::kSum, "sum"},
    {"WholeReduceMax", DataUse::kCompare, "maximum"},
    {"WholeReduceMin", DataUse::kCompare, "minimum"},
    {"DataCopy", DataUse::kCopy, "copy"},
    {"DataCopyPad", DataUse::kCopy, "copy"},
    {"Copy", DataUse::kCopy, "copy"},
    {"vec_trans", DataUse::kCopy, "transpose"},
    {"Brcb", DataUse::kCopy, "copy"},
    {"TROWPROD", DataUse::kProduct, "product"},
    {"Min", DataUse::kCompare, "minimum"},
    {"Max", DataUse::kCompare, "maximum"},
    {"Add", DataUse::kPairSum, "sum"},
    {"Sub", DataUse::kPairDifference, "difference"},
    {"Mul", DataUse::kPairProduct, "product"},
    {"Muls", DataUse::kPairProduct, "product"},
    {"Div", DataUse::kPairProduct, "quotient"},
    {"LeakyRelu", DataUse::kPairProduct, "product"},
    {"AddRelu", DataUse::kPairSum, "sum", true},
    {"SubRelu", DataUse::kPairDifference, "difference", true},
    {"MulAddDst", DataUse::kPairProduct, "sum"},
    {"FusedMulAdd", DataUse::kPairProduct, "sum"},
    {"MulAddRelu", DataUse::kPairProduct, "sum", true},
    {"Axpy", DataUse::kPairProduct, "sum"},
    {"Cast", DataUse::kConversion, "conversion"},
    {"AddReluCast", DataUse::kPairSum, "sum", true},
    {"SubReluCast", DataUse::kPairDifference, "difference", true},
    {"MulCast", DataUse::kPairProduct, "product"},
    {"CreateVecIndex", DataUse::kIndex, "index"},
    {"Compare", DataUse::kCompare, "comparison"},
    {"CompareScalar", DataUse::kCompare, "comparison"},
    {"Select", DataUse::kCopy, "selection"},
};

/// The line of `op`. A lane-wise call without one copies a scalar where it has
/// no source, and gives a magnitude of a single element; of more it adds if its
/// results may leave an integer type, and picks and changes values otherwise.
inline Values ValuesOf(std::string_view op) {
  const auto* const line = std::ranges::find(kValues, op, &Values::op);
  if (line != std::end(kValues)) return *line;
  const isa::Signature& call = *isa::FindSignature(op);
  if (call.sources() == 0) return {op, DataUse::kCopy, "copy"};
  if (call.sources() == 1 && !call.Has(isa::Param::kScalar)) {
    return {op, DataUse::kMagnitude, "result"};
  }
  if (isa::FindRule(call.Rule(isa::CallRule::kIntegerOverflow).text())) {
    return {op, DataUse::kPairSum, "result"};
  }
  return {op, DataUse::kCompare, "result"};
}

/// Whether results can differ from all operands: they are rounded, or leave
/// their type.
constexpr bool Computes(DataUse use) {
  return use != DataUse::kCompare && use != DataUse::kMagnitude &&
         use != DataUse::kCopy;
}

}  // namespace lanediff::make
