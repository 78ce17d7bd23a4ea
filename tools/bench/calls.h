#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "generators/lanewise.h"
#include "isa/memory_map.h"
#include "isa/operand.h"
#include "isa/step.h"
#include "isa/units.h"
#include "isa/vocabulary.h"

/// Calls that rows make.
namespace lanediff::bench {

/// Where an operand of a vector call is, in DataBlocks: its first one, its
/// strides, and how many its window has; without a number all to the end of a
/// UB of 256 KiB.
struct Place {
  std::int64_t at, blk_stride = 1, rep_stride = 8, blocks = -1;
};

inline isa::Operand Window(isa::Position position, std::int64_t at,
                           std::int64_t bytes) {
  return {.position = position, .at = at, .bytes = bytes, .dtype = {}};
}

inline isa::Operand Window(isa::Position position, const Place& place) {
  constexpr std::int64_t kUbBlocks = 262144 / isa::kDataBlockBytes;
  return Window(position, place.at * isa::kDataBlockBytes,
                (place.blocks < 0 ? kUbBlocks - place.at : place.blocks) *
                    isa::kDataBlockBytes);
}

/// DataBlocks from the first to the last that `repeats` repeats touch.
constexpr std::int64_t BlocksOf(std::int64_t repeats, std::int64_t blk_stride,
                                std::int64_t rep_stride) {
  return (repeats - 1) * rep_stride + 7 * blk_stride + 1;
}

/// A call of `op` of all lanes; `places` has dst first. Of a sum `rep_stride`
/// of dst is in elements.
inline isa::Call VectorCall(std::string_view op, isa::DType type,
                            std::int64_t repeats,
                            const std::vector<Place>& places) {
  isa::Call call = isa::CallOf(op);
  call.dtype = type;
  call.form = call.signature->FormWith(isa::Param::kMask);
  call[isa::Param::kMask] = 256 / isa::SizeBytes(type);
  call[isa::Param::kRepeatTimes] = repeats;
  for (std::size_t i = 0; i < places.size(); ++i) {
    call.operands[i] = Window(
        i == 0 ? isa::Position::kVecout : isa::Position::kVecin, places[i]);
    call.BlkStride(i) = places[i].blk_stride;
    call.RepStride(i) = places[i].rep_stride;
  }
  return call;
}

/// The same of sources and result one after the other, in windows that just
/// hold them.
inline isa::Call VectorCallApart(std::string_view op, isa::DType type,
                                 std::int64_t repeats, std::int64_t blk_stride,
                                 std::int64_t rep_stride) {
  const std::int64_t blocks = BlocksOf(repeats, blk_stride, rep_stride);
  std::vector<Place> places;
  for (std::size_t i = 0; i < isa::FindSignature(op)->operands.size(); ++i) {
    places.push_back({static_cast<std::int64_t>(i) * blocks, blk_stride,
                      rep_stride, blocks});
  }
  std::ranges::rotate(places, places.end() - 1);
  return VectorCall(op, type, repeats, places);
}

/// RepeatReduceSum of all lanes of repeats from the start of UB on, results
/// side by side behind.
inline isa::Call SumCallApart(isa::DType type, std::int64_t repeats,
                              std::int64_t blk_stride = 1,
                              std::int64_t rep_stride = 8) {
  const std::int64_t blocks = BlocksOf(repeats, blk_stride, rep_stride);
  return VectorCall("RepeatReduceSum", type, repeats,
                    {{blocks, 0, 1, 32}, {0, blk_stride, rep_stride, blocks}});
}

/// The first `bytes` bytes.
inline isa::Call CopyCall(const isa::Operand& src, const isa::Operand& dst,
                          std::int64_t bytes) {
  isa::Call call = isa::CallOf("DataCopy");
  call.src(0) = src;
  call.dst() = dst;
  call[isa::Param::kCount] = bytes / 2;
  return call;
}

/// Blocks of one DataBlock, gaps in DataBlocks.
inline isa::Call CopyCall(const isa::Operand& src, const isa::Operand& dst,
                          std::int64_t blocks, std::int64_t src_gap,
                          std::int64_t dst_gap) {
  isa::Call call = CopyCall(src, dst, 0);
  call.form = call.signature->FormWith(isa::Param::kBlockCount);
  call[isa::Param::kBlockCount] = blocks;
  call[isa::Param::kBlockLen] = 1;
  call[isa::Param::kSrcGap] = src_gap;
  call[isa::Param::kDstGap] = dst_gap;
  return call;
}

/// DataCopyPad of blocks of `bytes` bytes of float, without gaps; into UB with
/// `right` elements of padding.
inline isa::Call PadCall(const isa::Operand& src, const isa::Operand& dst,
                         std::int64_t blocks, std::int64_t bytes,
                         std::int64_t right) {
  isa::Call call = isa::CallOf("DataCopyPad");
  call.dtype = isa::DType::kFloat;
  call.src(0) = src;
  call.dst() = dst;
  call.SetBlocks(blocks, bytes);
  if (dst.position == isa::Position::kGm) {
    call.form = 1;
  } else {
    call.is_pad = true;
    call[isa::Param::kRightPadding] = right;
  }
  return call;
}

/// Blocks of 512 bytes: both operands are so many apart, windows end with UB or
/// have `blocks`.
inline isa::Call TransCall(std::int64_t repeats, std::int64_t dst_at,
                           std::int64_t stride, std::int64_t blocks = -1) {
  const std::int64_t size = blocks < 0 ? -1 : 16 * blocks;
  isa::Call call = isa::CallOf("vec_trans");
  call.src(0) = Window(isa::Position::kUb, Place{.at = 0, .blocks = size});
  call.dst() =
      Window(isa::Position::kUb, Place{.at = 16 * dst_at, .blocks = size});
  call[isa::Param::kRepeatTimes] = repeats;
  call[isa::Param::kDstRepStride] = stride;
  call[isa::Param::kSrc0RepStride] = stride;
  return call;
}

/// Results of ProductCall, in bytes from the start of UB.
inline constexpr std::int64_t kProducts = 131072;

/// Rows without gaps, tmp behind them, results side by side.
inline isa::Call ProductCall(isa::DType type, std::int64_t rows,
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
  isa::Call call = isa::CallOf("TROWPROD");
  call.dtype = type;
  call.order = order;
  call.tiles = {
      tile(kProducts, 1, isa::Layout::kDn), tile(0, cols, isa::Layout::kNd),
      tile(rows * cols * isa::SizeBytes(type), cols, isa::Layout::kNd)};
  return call;
}

}  // namespace lanediff::bench
