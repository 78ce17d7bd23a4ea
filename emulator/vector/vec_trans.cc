#include <cstdint>
#include <cstring>
#include <span>

#include "emulator/vector/highway_config.h"
#include "emulator/vector/vectors.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "emulator/vector/vec_trans.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "emulator/vector/access-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanediff::emulator::HWY_NAMESPACE {
namespace {

constexpr int kSide = 16;
constexpr std::int64_t kRowBytes = 2 * kSide;

#if HWY_TARGET == HWY_SCALAR

void Transpose(const std::uint8_t* tile, std::uint8_t* out) {
  const BlockTag<std::uint16_t> d;
  for (int row = 0; row < kSide; ++row) {
    for (int column = 0; column < kSide; ++column) {
      StoreTo(d, LoadFrom(d, tile + row * kRowBytes + column * 2),
              out + column * kRowBytes + row * 2);
    }
  }
}

#else

using D = BlockTag<std::uint16_t>;
using V = hn::Vec<D>;

/// Rows that a vector holds eight columns of, one in each 128-bit part, eight
/// rows apart.
constexpr std::int64_t kRows = hn::MaxLanes(D());

HWY_INLINE V LoadColumns(D d, const std::uint8_t* row) {
  if constexpr (kRows == kSide) {
    const hn::Half<D> half;
    return hn::Combine(d, LoadFrom(half, row + 8 * kRowBytes),
                       LoadFrom(half, row));
  } else {
    return LoadFrom(d, row);
  }
}

/// In each 128-bit part a perfect shuffle of 64 elements: one of the first half
/// and one of the second half in turn.
HWY_INLINE void Shuffle(D d, const V (&in)[8], V (&out)[8]) {
  for (int i = 0; i < 4; ++i) {
    out[2 * i] = hn::InterleaveLower(d, in[i], in[i + 4]);
    out[2 * i + 1] = hn::InterleaveUpper(d, in[i], in[i + 4]);
  }
}

void Transpose(const std::uint8_t* tile, std::uint8_t* out) {
  const D d;
  for (std::int64_t column = 0; column < kSide; column += 8) {
    for (std::int64_t row = 0; row < kSide; row += kRows) {
      V a[8];
      V b[8];
      for (int i = 0; i < 8; ++i) {
        a[i] = LoadColumns(d, tile + (row + i) * kRowBytes + 2 * column);
      }
      // Each moves the highest of the six index bits to the end; three of them
      // change rows and columns over.
      Shuffle(d, a, b);
      Shuffle(d, b, a);
      Shuffle(d, a, b);
      for (int i = 0; i < 8; ++i) {
        StoreTo(d, b[i], out + (column + i) * kRowBytes + 2 * row);
      }
    }
  }
}

#endif

}  // namespace

Path VecTrans(const VecTransPlan& plan, std::span<std::uint8_t> ub) {
  VecTransBlock transposed;
  for (std::int64_t r = 0; r < plan.dst.count; ++r) {
    const std::uint8_t* tile = ub.data() + plan.src.begin + r * plan.src.stride;
    std::uint8_t* out = ub.data() + plan.dst.begin + r * plan.dst.stride;
    if (tile != out) {
      Transpose(tile, out);
    } else {  // all of the block is read before any of it is written
      auto* const buffer = reinterpret_cast<std::uint8_t*>(transposed.data());
      Transpose(tile, buffer);
      std::memcpy(out, buffer, sizeof(transposed));
    }
  }
  const bool contiguous =
      plan.src.stride == plan.src.bytes && plan.dst.stride == plan.dst.bytes;
  return contiguous ? Path::kContiguous : Path::kStrided;
}

}  // namespace lanediff::emulator::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanediff::emulator {

constinit const ByVectorTarget<VecTransVectors> kVecTransByTarget =
    LANEDIFF_BY_VECTOR_TARGET(VecTrans);

}  // namespace lanediff::emulator
#endif
