#include <cstdint>
#include <cstring>
#include <span>

#include "emulator/vector/highway_config.h"
#include "emulator/vector/vectors.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "emulator/vector/brcb.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "emulator/vector/access-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanediff::emulator::HWY_NAMESPACE {
namespace {

constexpr std::int64_t kBlock = 32;
constexpr std::int64_t kElements = 8;

/// Iterations over elements of `T`.
template <class T>
void Fill(const BrcbPlan& plan, std::span<std::uint8_t> ub) {
  const BlockTag<T> d;
  const auto bytes = static_cast<std::int64_t>(hn::Lanes(d) * sizeof(T));
  for (std::int64_t r = 0; r < plan.dst.count; ++r) {
    const std::uint8_t* from = ub.data() + plan.src.begin + r * plan.src.stride;
    std::uint8_t* to = ub.data() + plan.dst.begin + r * plan.dst.stride;
    for (std::int64_t i = 0; i < kElements; ++i) {
      T element;
      std::memcpy(&element, from, sizeof element);
      const auto all = hn::Set(d, element);
      for (std::int64_t at = 0; at < kBlock; at += bytes) {
        StoreTo(d, all, to + at);
      }
      from += sizeof(T);
      to += plan.dst_block_stride;
    }
  }
}

}  // namespace

Path Brcb(const BrcbPlan& plan, std::span<std::uint8_t> ub) {
  if (plan.element_bytes == 2) {
    Fill<std::uint16_t>(plan, ub);
  } else {
    Fill<std::uint32_t>(plan, ub);
  }
  const bool contiguous =
      plan.dst_block_stride == kBlock && plan.dst.stride == kElements * kBlock;
  return contiguous ? Path::kContiguous : Path::kStrided;
}

}  // namespace lanediff::emulator::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanediff::emulator {

constinit const ByVectorTarget<BrcbVectors> kBrcbByTarget =
    LANEDIFF_BY_VECTOR_TARGET(Brcb);

}  // namespace lanediff::emulator
#endif
