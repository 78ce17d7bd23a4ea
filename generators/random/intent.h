#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "isa/vocabulary.h"

/// The named distributions that generated cases are drawn from. An intent
/// states what a case is to show; which intents an instruction uses and how
/// often stands in a table of `Weighted` in its own file.
namespace lanediff::make {

/// How the operands of a call lie to each other. Some layouts are legal, some
/// break a rule, some do either, depending on the call.
enum class LayoutIntent : std::uint8_t {
  kDisjoint,              ///< bytes between them of no operand
  kTouching,              ///< one begins where the other ends
  kIdentical,             ///< the same place, iteration by iteration
  kSameStart,             ///< the same place at first, then other strides
  kSameSource,            ///< both sources are one
  kOverlapOneByte,        ///< windows, or destinations in GM, share one byte
  kOverlapOneElement,     ///< one element is read and written
  kOverlapOneBlock,       ///< one block (DataBlock, matrix) is read and written
  kOverlapAnywhere,       ///< the destination lies at random in the source
  kLastIterationDepends,  ///< only the last iteration reads what the first
                          ///< wrote
  kInterleaved,           ///< each lies in the gaps of the other
  kException,             ///< running minimum through src1, stride 0
  kExceptionNearMiss,     ///< the same with one condition not met
  kSameDestination,       ///< two copies to one place, a barrier or none
};

/// What the elements of a source have in common.
enum class DataIntent : std::uint8_t {
  kTies,               ///< results halfway between two representable ones
  kJustOverflow,       ///< results next to the largest finite number
  kCancellation,       ///< results far smaller than the operands
  kSubnormals,         ///< operands or results below the smallest normal number
  kSignedZeros,        ///< zeros of both signs
  kInfinitiesAndNans,  ///< among ordinary numbers; NaNs of all payloads
  kRamp,               ///< 1, 2, 3, …: a misplaced element shows
  kRandomBits,
  kSmallIntegers,  ///< exact results
  kSpecial,        ///< the ends of each class of numbers
  kNormal,         ///< ordinary numbers of a few orders of magnitude
  kPowersOfTwo,
  kNearOne,   ///< factors whose products stay finite
  kAllEqual,  ///< one number everywhere
};

/// Whether generation follows intents or is the plain one that it is measured
/// against: the same layouts and the same share of legal cases, but parameters
/// uniform over their legal ranges as far as they fit, and random bits.
enum class Style : std::uint8_t { kByIntent, kUniform };

/// How often `value` is chosen, in relation to the other rows of its table.
template <class T>
struct Weighted {
  T value;
  int weight;
};

}  // namespace lanediff::make

template <>
struct lanediff::isa::Words<lanediff::make::LayoutIntent> {
  static constexpr std::array<std::string_view, 14> kSpelling = {
      "disjoint",
      "touching",
      "identical",
      "same-start",
      "same-source",
      "overlap-one-byte",
      "overlap-one-element",
      "overlap-one-block",
      "overlap-anywhere",
      "dependent-at-last-iteration-only",
      "interleaved",
      "min-exception",
      "min-exception-near-miss",
      "same-destination"};
};

template <>
struct lanediff::isa::Words<lanediff::make::DataIntent> {
  static constexpr std::array<std::string_view, 14> kSpelling = {
      "ties",       "just-overflow", "cancellation",
      "subnormals", "signed-zeros",  "infinities-and-nans",
      "ramp",       "random-bits",   "small-integers",
      "special",    "normal",        "powers-of-two",
      "near-one",   "all-equal"};
};

template <>
struct lanediff::isa::Words<lanediff::make::Style> {
  static constexpr std::array<std::string_view, 2> kSpelling = {"by-intent",
                                                                "uniform"};
};
