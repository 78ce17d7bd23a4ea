#pragma once

#include <cstdint>

#include "isa/memory_map.h"
#include "isa/operand.h"
#include "isa/repeat_reduce_sum.h"
#include "isa/step.h"
#include "isa/trowprod.h"
#include "isa/vocabulary.h"
#include "tools/bench/yardsticks.h"

/// Calls that several rows and the yardsticks' tests make. Sources begin where
/// UB does, results at `kResults`.
namespace lanediff::bench {

inline constexpr std::int64_t kResults = 131072;

inline isa::Operand Window(isa::Position position, std::int64_t at,
                           std::int64_t bytes) {
  return {.position = position, .at = at, .bytes = bytes, .dtype = {}};
}

/// The yardstick's name of an element-wise call.
template <isa::Elementwise Call>
inline constexpr Op kYardstickOf = Call::kHasNoRowHere;
template <>
inline constexpr Op kYardstickOf<isa::Min> = Op::kMin;
template <>
inline constexpr Op kYardstickOf<isa::Max> = Op::kMax;
template <>
inline constexpr Op kYardstickOf<isa::Add> = Op::kAdd;
template <>
inline constexpr Op kYardstickOf<isa::Sub> = Op::kSub;
template <>
inline constexpr Op kYardstickOf<isa::Mul> = Op::kMul;

/// All lanes of contiguous repeats, results side by side.
inline isa::RepeatReduceSum SumCall(isa::DType type, std::int64_t repeats) {
  const std::int64_t size = isa::SizeBytes(type);
  isa::RepeatReduceSum call;
  call.dtype = type;
  call.src = Window(isa::Position::kVecin, 0, repeats * 256);
  call.dst = Window(isa::Position::kVecout, kResults, repeats * size);
  call.repeat = repeats;
  call.elems_in_one_repeat = 256 / size;
  call.src_blk_stride = 1;
  call.dst_rep_stride = 1;
  call.src_rep_stride = 8;
  return call;
}

/// Rows without gaps, tmp behind them, results side by side.
inline isa::Trowprod ProductCall(isa::DType type, std::int64_t rows,
                                 std::int64_t cols, isa::Order order) {
  const auto tile = [&](std::int64_t at, std::int64_t width,
                        isa::Layout layout) {
    return isa::Tile{.position = isa::Position::kUb,
                     .at = at,
                     .rows = rows,
                     .cols = width,
                     .valid_row = rows,
                     .valid_col = width,
                     .layout = layout,
                     .dtype = {}};
  };
  isa::Trowprod call;
  call.dtype = type;
  call.order = order;
  call.src = tile(0, cols, isa::Layout::kNd);
  call.tmp = tile(rows * cols * isa::SizeBytes(type), cols, isa::Layout::kNd);
  call.dst = tile(kResults, 1, isa::Layout::kDn);
  return call;
}

}  // namespace lanediff::bench
