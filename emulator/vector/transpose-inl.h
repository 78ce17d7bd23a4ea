// Transposing a square of 32-bit lanes for every target, included once for
// each.
#if defined(LANEDIFF_EMULATOR_VECTOR_TRANSPOSE_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef LANEDIFF_EMULATOR_VECTOR_TRANSPOSE_INL_H_
#undef LANEDIFF_EMULATOR_VECTOR_TRANSPOSE_INL_H_
#else
#define LANEDIFF_EMULATOR_VECTOR_TRANSPOSE_INL_H_
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace lanediff::emulator::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR
template <class D, class V = hn::Vec<D>>
HWY_INLINE void Transpose(D, V*) {}
#else
/// Four rows from `v` on: blocks of four lanes, transposed each by itself.
template <class D, class V = hn::Vec<D>>
HWY_INLINE void TransposeBlocks(D d, V* v) {
  const hn::Repartition<std::uint64_t, D> wide;
  const auto low01 = hn::BitCast(wide, hn::InterleaveLower(d, v[0], v[1]));
  const auto high01 = hn::BitCast(wide, hn::InterleaveUpper(d, v[0], v[1]));
  const auto low23 = hn::BitCast(wide, hn::InterleaveLower(d, v[2], v[3]));
  const auto high23 = hn::BitCast(wide, hn::InterleaveUpper(d, v[2], v[3]));
  v[0] = hn::BitCast(d, hn::InterleaveLower(wide, low01, low23));
  v[1] = hn::BitCast(d, hn::InterleaveUpper(wide, low01, low23));
  v[2] = hn::BitCast(d, hn::InterleaveLower(wide, high01, high23));
  v[3] = hn::BitCast(d, hn::InterleaveUpper(wide, high01, high23));
}

/// As many rows as a vector has lanes, 4 or 8: lane i of vector k becomes lane
/// k of vector i.
template <class D, class V = hn::Vec<D>>
HWY_INLINE void Transpose(D d, V* v) {
  TransposeBlocks(d, v);
  if constexpr (hn::MaxLanes(d) == 8) {
    TransposeBlocks(d, v + 4);
    for (std::size_t i = 0; i < 4; ++i) {
      const V upper = hn::ConcatUpperUpper(d, v[i + 4], v[i]);
      v[i] = hn::ConcatLowerLower(d, v[i + 4], v[i]);
      v[i + 4] = upper;
    }
  }
}
#endif

}  // namespace lanediff::emulator::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
