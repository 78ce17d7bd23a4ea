#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <tuple>

#include "emulator/lanewise.h"
#include "isa/vocabulary.h"

/// What is known of a lane-wise call at compile time: among it the products
/// that have it, and its types there, of *-PRODUCT and *-DTYPE.
namespace lanediff::emulator {

/// What holds an element of `kType`: of floating types its bits.
template <isa::DType kType>
using ElementOf = std::tuple_element_t<
    static_cast<std::size_t>(kType),
    std::tuple<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t,
               std::int32_t, std::uint32_t, std::int64_t, std::uint64_t,
               std::uint16_t, std::uint16_t, std::uint32_t, std::uint64_t>>;

/// Types as bits.
class TypeSet {
 public:
  constexpr TypeSet() = default;
  constexpr TypeSet(std::initializer_list<isa::DType> types) {
    for (const isa::DType type : types) bits_ |= Bit(type);
  }
  constexpr bool Has(isa::DType type) const { return (bits_ & Bit(type)) != 0; }
  constexpr bool empty() const { return bits_ == 0; }

  friend constexpr TypeSet operator|(TypeSet a, TypeSet b) {
    a.bits_ |= b.bits_;
    return a;
  }

 private:
  static constexpr std::uint32_t Bit(isa::DType type) {
    return std::uint32_t{1} << static_cast<std::size_t>(type);
  }

  std::uint32_t bits_ = 0;
};

/// The types on each product by its number, none where it doesn't have the
/// call.
struct LanewiseLimits {
  std::array<TypeSet, isa::kCount<isa::Product>> types;
  /// The first edition of the documents that lists atlas-a3.
  isa::Edition a3_since = isa::Edition::k2024;
  /// Those of which src1 may be what earlier iterations wrote.
  TypeSet in_place = {};
  /// Of conversions without modes: types of the sources and of dst.
  struct Pair {
    isa::DType from;
    isa::DType to;
  };
  std::array<Pair, 3> pairs = {};
  /// Whether the scalar is a number of bits of an element.
  bool is_shift = false;
  std::int64_t most_repeat_stride = 255;
  /// Whether dst and src must be at different positions, and dst may have a
  /// block stride of 0 for one DataBlock.
  bool has_routes = false;

  constexpr TypeSet On(isa::Product product, isa::Edition edition) const {
    if (product == isa::Product::kAtlasA3 && edition < a3_since) return {};
    return types[static_cast<std::size_t>(product)];
  }
  constexpr bool HasPair(isa::DType from, isa::DType to) const {
    return std::ranges::any_of(pairs, [&](const Pair& pair) {
      return pair.from == from && pair.to == to && from != to;
    });
  }
  constexpr TypeSet OnAny() const {
    TypeSet all;
    for (const TypeSet one : types) all = all | one;
    return all;
  }
};

inline constexpr TypeSet kWithoutInt16 = {isa::DType::kHalf, isa::DType::kFloat,
                                          isa::DType::kInt32};
inline constexpr TypeSet kWithInt16 = {isa::DType::kHalf, isa::DType::kFloat,
                                       isa::DType::kInt32, isa::DType::kInt16};
/// Neither vector cores nor 200/300/500 have these calls.
inline constexpr LanewiseLimits kOnA3 = {
    .types =
        {kWithoutInt16, kWithInt16, {}, kWithInt16, kWithInt16, kWithInt16, {}},
    .in_place = kWithoutInt16};
inline constexpr LanewiseLimits kOnA3Since2026 = {
    .types = kOnA3.types,
    .a3_since = isa::Edition::k2026,
    .in_place = kWithoutInt16};
inline constexpr TypeSet kFloating = {isa::DType::kHalf, isa::DType::kFloat};
inline constexpr LanewiseLimits kScalarOnA3 = {
    .types = {
        kFloating, kWithInt16, {}, kWithInt16, kWithInt16, kWithInt16, {}}};
inline constexpr LanewiseLimits kAbs = {
    .types = {kFloating,
              kFloating,
              {},
              kFloating,
              kFloating,
              kFloating | TypeSet{isa::DType::kInt16},
              {}}};
inline constexpr TypeSet k16Bits = {isa::DType::kInt16, isa::DType::kUint16};
inline constexpr LanewiseLimits kWords16 = {
    .types = {k16Bits, k16Bits, {}, k16Bits, k16Bits, k16Bits, {}}};
inline constexpr LanewiseLimits kNotOnTraining = {
    .types = {
        TypeSet(), kWithInt16, {}, kWithInt16, kWithInt16, kWithInt16, {}}};
inline constexpr LanewiseLimits kRelu = {.types = {TypeSet{isa::DType::kHalf},
                                                   kWithoutInt16,
                                                   {},
                                                   kWithoutInt16,
                                                   kWithoutInt16,
                                                   kWithoutInt16,
                                                   {}}};
inline constexpr LanewiseLimits kLeakyRelu = {
    .types = {TypeSet(), kFloating, {}, kFloating, kFloating, kFloating, {}}};
inline constexpr TypeSet kFloatingAndInt16 =
    kFloating | TypeSet{isa::DType::kInt16};
inline constexpr LanewiseLimits kRectified = {.types = {TypeSet(),
                                                        kFloatingAndInt16,
                                                        {},
                                                        kFloatingAndInt16,
                                                        kFloatingAndInt16,
                                                        kFloating,
                                                        {}},
                                              .in_place = kFloating};
inline constexpr TypeSet kOf16And32Bits =
    kWithInt16 | k16Bits | TypeSet{isa::DType::kBfloat16, isa::DType::kUint32};
inline constexpr LanewiseLimits kFill = {.types = {kOf16And32Bits,
                                                   kOf16And32Bits,
                                                   {},
                                                   kOf16And32Bits,
                                                   kOf16And32Bits,
                                                   kOf16And32Bits,
                                                   {}}};

inline constexpr TypeSet kIntegers =
    k16Bits | TypeSet{isa::DType::kInt32, isa::DType::kUint32};
inline constexpr LanewiseLimits kShift = {
    .types = {TypeSet(), TypeSet(), {}, kIntegers, kIntegers, kIntegers, {}},
    .is_shift = true};
inline constexpr LanewiseLimits kMulAddDst = {.types = {TypeSet(),
                                                        kFloating,
                                                        {},
                                                        kFloating,
                                                        kFloating,
                                                        kFloating | kIntegers,
                                                        {}}};
inline constexpr LanewiseLimits kAxpy = {
    .types = {kFloating, kFloating, {}, kFloating, kFloating, kFloating, {}}};

inline constexpr LanewiseLimits kCopied = {.types = {TypeSet(),
                                                     TypeSet(),
                                                     {},
                                                     kOf16And32Bits,
                                                     kOf16And32Bits,
                                                     kOf16And32Bits,
                                                     {}},
                                           .most_repeat_stride = 4095,
                                           .has_routes = true};

inline constexpr LanewiseLimits kCompared = {
    .types = {
        kFloating, kFloating, {}, kWithoutInt16, kWithoutInt16, kFloating, {}}};
inline constexpr LanewiseLimits kComparedToScalar = {
    .types = {TypeSet(),
              kFloating,
              {},
              kWithoutInt16,
              kWithoutInt16,
              kFloating | kIntegers,
              {}}};

inline constexpr TypeSet kOfPairs =
    kWithInt16 | TypeSet{isa::DType::kInt8, isa::DType::kUint8};
inline constexpr TypeSet kOfAllPairs =
    kOfPairs | TypeSet{isa::DType::kBfloat16, isa::DType::kInt64};
/// The types of sources of conversions.
inline constexpr LanewiseLimits kConversions = {
    .types = {
        kOfPairs, kOfPairs, {}, kOfAllPairs, kOfAllPairs, kOfAllPairs, {}}};

inline constexpr LanewiseLimits kRectifiedCasts = {
    .types = kRectified.types,
    .pairs = {{{isa::DType::kHalf, isa::DType::kInt8},
               {isa::DType::kInt16, isa::DType::kInt8},
               {isa::DType::kFloat, isa::DType::kHalf}}}};
inline constexpr TypeSet kHalves = {isa::DType::kHalf};
inline constexpr LanewiseLimits kProductCasts = {
    .types = {TypeSet(), kHalves, {}, kHalves, kHalves, kHalves, {}},
    .pairs = {{{isa::DType::kHalf, isa::DType::kInt8},
               {isa::DType::kHalf, isa::DType::kUint8}}}};

/// By row.
inline constexpr auto kLanewiseLimits = [] {
  std::array<LanewiseLimits, isa::kLanewiseRows.size()> limits;
#define LANEDIFF_LANEWISE_VALUE(op, limits_of_op, ...) \
  limits[LanewiseRow(#op)] = limits_of_op;
#include "emulator/lanewise.inc"
#undef LANEDIFF_LANEWISE_VALUE
  return limits;
}();
static_assert(std::ranges::none_of(kLanewiseLimits,
                                   [](const auto& row) {
                                     return row.OnAny().empty();
                                   }),
              "each row needs a line in lanewise.inc");

}  // namespace lanediff::emulator
