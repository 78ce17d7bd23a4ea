#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

/// What the emulator's speed is held against: what a good engineer would write
/// by hand for one fixed call, without any of the emulator's generality.
/// Nothing here uses the emulator or the oracle; rows hold the results against
/// the oracle's before they are timed. Pointers may be unaligned; operands
/// don't overlap. Halves are given as bits. Saturation mode is on: a half
/// result of ±inf is ±65504 and a NaN is +0 (STATE-SATURATION), where a
/// yardstick names no other.
namespace lanediff::bench {

/// Whether this processor can run what is called Avx2 below.
bool HasAvx2();

// ---- Half bits and float, in plain scalar code ------------------------------

/// Exact; a NaN keeps its sign and payload.
inline float WidenHalf(std::uint16_t half) {
  const std::uint32_t sign = std::uint32_t{half & 0x8000u} << 16;
  const std::uint32_t exponent = (half >> 10) & 31u;
  const std::uint32_t fraction = half & 0x3ffu;
  if (exponent == 31) {
    return std::bit_cast<float>(sign | 0x7f800000u | fraction << 13);
  }
  if (exponent == 0) {
    const float magnitude = static_cast<float>(fraction) * 0x1p-24f;
    return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(magnitude));
  }
  return std::bit_cast<float>(sign | (exponent + 112) << 23 | fraction << 13);
}

/// To nearest, ties to even; what a half can't hold becomes ±65504, NaN +0.
inline std::uint16_t NarrowSaturated(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = (bits >> 16) & 0x8000u;
  const std::uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude >= 0x477fe000u) {  // 65504 and above
    return magnitude > 0x7f800000u ? 0
                                   : static_cast<std::uint16_t>(sign | 0x7bffu);
  }
  if (magnitude >= 0x38800000u) {  // a normal half
    const std::uint32_t rounded = magnitude + 0xfffu + ((magnitude >> 13) & 1u);
    return static_cast<std::uint16_t>(sign | ((rounded - 0x38000000u) >> 13));
  }
  // In a float from 0.5 to 1 the last place is 2^-24, a half's smallest step.
  const float shifted = std::bit_cast<float>(magnitude) + 0.5f;
  return static_cast<std::uint16_t>(
      sign | (std::bit_cast<std::uint32_t>(shifted) & 0x7fffffu));
}

/// memcpy, out of line so that no caller's compiler knows the length.
void CopyBytes(std::uint8_t* dst, const std::uint8_t* src, std::size_t bytes);

// ---- Element-wise calls: full mask, contiguous ------------------------------

enum class Op : std::uint8_t { kMin, kMax, kAdd, kSub, kMul };
enum class Lanes : std::uint8_t { kInt16, kInt32, kHalf, kFloat };

/// Each element of `dst` is what `op` makes of those of `src0` and `src1`, in
/// `bytes` bytes, a multiple of 64. Min and Max of halves and floats: a NaN if
/// either is one (half: saturated to +0; float: 0x7fc00000), −0 is smaller than
/// +0 (*-VALUE). The others are what the processor makes of numbers: nothing
/// saturates, integers wrap, and a NaN is any.
void LanewiseAvx2(Op op, Lanes lanes, std::uint8_t* dst,
                  const std::uint8_t* src0, const std::uint8_t* src1,
                  std::size_t bytes);

// ---- RepeatReduceSum: half, 128 lanes, contiguous ---------------------------

/// Halves in one repeat.
inline constexpr std::size_t kHalvesInRepeat = 128;

/// `dst[r]` is the sum of the 128 halves from `src[128 * r]` on, as a binary
/// tree of neighbours, rounded and saturated at every node (RRS-TREE,
/// RRS-SATURATE).
void ReduceSumHalfAvx2(std::uint16_t* dst, const std::uint16_t* src,
                       std::size_t repeats);
/// The same, one node after the other, without vectors.
void ReduceSumHalfScalar(std::uint16_t* dst, const std::uint16_t* src,
                         std::size_t repeats);

// ---- TROWPROD: left fold, rows without gaps ---------------------------------

/// `dst[i]` is ((1·x0)·x1)·… of row i, rounded to half and saturated after
/// every multiplication; without vectors.
void LeftFoldHalfScalar(std::uint16_t* dst, const std::uint16_t* src,
                        std::size_t rows, std::size_t cols);
/// The same for float, which does not saturate.
void LeftFoldFloatScalar(float* dst, const float* src, std::size_t rows,
                         std::size_t cols);

}  // namespace lanediff::bench
