// Loads and stores for every target, included once for each.
#if defined(LANEDIFF_EMULATOR_VECTOR_ACCESS_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef LANEDIFF_EMULATOR_VECTOR_ACCESS_INL_H_
#undef LANEDIFF_EMULATOR_VECTOR_ACCESS_INL_H_
#else
#define LANEDIFF_EMULATOR_VECTOR_ACCESS_INL_H_
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

HWY_BEFORE_NAMESPACE();
namespace lanediff::emulator::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// At most as many lanes as a DataBlock of 32 bytes has.
template <class T>
using BlockTag = hn::CappedTag<T, 32 / sizeof(T)>;

/// Lanes of `d` from bytes at any address.
template <class D>
HWY_INLINE hn::Vec<D> LoadFrom(D d, const std::uint8_t* at) {
#if HWY_TARGET == HWY_SCALAR
  hn::TFromD<D> lane;
  std::memcpy(&lane, at, sizeof(lane));
  return hn::Set(d, lane);
#else
  return hn::LoadU(d, reinterpret_cast<const hn::TFromD<D>*>(at));
#endif
}

template <class D>
HWY_INLINE void StoreTo(D d, hn::Vec<D> v, std::uint8_t* at) {
#if HWY_TARGET == HWY_SCALAR
  (void)d;
  const hn::TFromD<D> lane = hn::GetLane(v);
  std::memcpy(at, &lane, sizeof(lane));
#else
  hn::StoreU(v, d, reinterpret_cast<hn::TFromD<D>*>(at));
#endif
}

}  // namespace lanediff::emulator::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
