// Neighbouring lanes side by side for every target, included once for each.
#if defined(LANEDIFF_EMULATOR_VECTOR_NEIGHBOURS_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef LANEDIFF_EMULATOR_VECTOR_NEIGHBOURS_INL_H_
#undef LANEDIFF_EMULATOR_VECTOR_NEIGHBOURS_INL_H_
#else
#define LANEDIFF_EMULATOR_VECTOR_NEIGHBOURS_INL_H_
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

#include "emulator/vector/access-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanediff::emulator::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class Value>
struct Pair {
  Value one;
  Value other;
};

/// Puts the neighbouring groups of `kStep` lanes of `a`, and those of `b`, into
/// the same lanes of two vectors, groups of `a` and of `b` in turns. Which of
/// two neighbours is in which vector is open: for operations that commute.
///
/// Over vectors of 2 * kStep rows with kStep = 1, 2, 4, ... lane i ends up with
/// what has become of row i.
template <std::size_t kStep, class D, class V = hn::Vec<D>>
HWY_INLINE Pair<V> Neighbours([[maybe_unused]] D d, V a, V b) {
  static_assert(sizeof(hn::TFromD<D>) == 4);
#if HWY_TARGET == HWY_SCALAR  // there are no neighbours
  return {a, b};
#else
  if constexpr (kStep == 1) {
    return {hn::OddEven(b, a), hn::Reverse2(d, hn::OddEven(a, b))};
  } else if constexpr (kStep == 2) {
    const hn::Repartition<std::uint64_t, D> wide;
    const auto wide_a = hn::BitCast(wide, a);
    const auto wide_b = hn::BitCast(wide, b);
    return {hn::BitCast(d, hn::OddEven(wide_b, wide_a)),
            hn::BitCast(d, hn::Reverse2(wide, hn::OddEven(wide_a, wide_b)))};
  } else {
    static_assert(kStep == 4 && hn::MaxLanes(d) == 8);
    return {hn::ConcatLowerLower(d, b, a), hn::ConcatUpperUpper(d, b, a)};
  }
#endif
}

}  // namespace lanediff::emulator::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
