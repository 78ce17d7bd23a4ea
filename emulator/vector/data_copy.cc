#include <cstdint>
#include <cstring>
#include <span>

#include "emulator/address.h"
#include "emulator/vector/highway_config.h"
#include "emulator/vector/vectors.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "emulator/vector/data_copy.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "emulator/vector/access-inl.h"
#include "emulator/vector/half-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanediff::emulator::HWY_NAMESPACE {
namespace {

using D = hn::CappedTag<std::uint8_t, kBlockBytes>;
constexpr std::int64_t kBlocksAhead = 8;

HWY_INLINE void CopyDataBlock(const std::uint8_t* src, std::uint8_t* dst) {
  const D d;
  for (std::size_t j = 0; j < kBlockBytes; j += hn::Lanes(d)) {
    StoreTo(d, LoadFrom(d, src + j), dst + j);
  }
}

/// Copies blocks of one DataBlock. With gaps each is in another cache line,
/// which is read some blocks ahead.
HWY_INLINE void CopyDataBlocks(const Blocks& from, const std::uint8_t* src,
                               const Blocks& to, std::uint8_t* dst) {
  std::int64_t i = 0;
  HWY_UNROLL(4)
  for (; i < to.count - kBlocksAhead; ++i) {
    CopyDataBlock(src, dst);
    __builtin_prefetch(dst + kBlocksAhead * to.stride, 1);
    src += from.stride;
    dst += to.stride;
  }
  for (; i < to.count; ++i) {
    CopyDataBlock(src, dst);
    src += from.stride;
    dst += to.stride;
  }
}

/// Fills the DataBlocks of each block that hold something else than what is
/// copied, before it is copied.
HWY_INLINE void PadBlocks(const DataCopyPlan& plan, const std::uint8_t* src,
                          std::uint8_t* dst) {
  const BlockTag<std::uint64_t> d;
  // The element over and over.
  const std::uint64_t all = ~std::uint64_t{0};
  const std::uint64_t times = all / (all >> (64 - 8 * plan.element_bytes));
  std::uint64_t padding = plan.padding * times;
  const auto fill = [&](std::uint8_t* block) {
    for (std::size_t j = 0; j < kBlockBytes; j += 8 * hn::Lanes(d)) {
      StoreTo(d, hn::Set(d, padding), block + j);
    }
  };
  const std::int64_t tail =
      (plan.left + plan.copied()) / kBlockBytes * kBlockBytes;
  for (std::int64_t i = 0; i < plan.dst.count; ++i) {
    if (plan.padded_with == Padding::kFirstElement) {
      padding = 0;
      for (int j = plan.element_bytes; j-- > 0;) {
        padding = padding << 8 | src[j];
      }
      padding *= times;
    }
    if (plan.left != 0) fill(dst);
    for (std::int64_t at = tail; at < plan.dst.bytes; at += kBlockBytes) {
      fill(dst + at);
    }
    src += plan.src.stride;
    dst += plan.dst.stride;
  }
}

HWY_INLINE void WidenBlock(const std::uint8_t* src, std::uint8_t* dst,
                           std::int64_t dst_bytes) {
  const BlockTag<float> d;
  const HalvesOf<decltype(d)> halves;
  const auto step = static_cast<std::int64_t>(4 * hn::Lanes(d));
  for (std::int64_t i = 0; i < dst_bytes; i += step) {
    StoreTo(d, HalfToFloat(d, LoadFrom(halves, src + i / 2)), dst + i);
  }
}

}  // namespace

/// Operands that share a byte coincide, block by block.
Path DataCopy(const DataCopyPlan& plan, std::span<const std::uint8_t> src,
              std::span<std::uint8_t> dst) {
  const std::uint8_t* from = src.data() + plan.src.begin;
  std::uint8_t* to = dst.data() + plan.dst.begin;
  if (plan.padded_with != Padding::kKept && plan.dst.bytes != plan.copied()) {
    PadBlocks(plan, from, to);
  }
  to += plan.left;
  const bool contiguous =
      plan.dst.count == 1 ||
      (plan.src.stride == plan.src.bytes && plan.dst.stride == plan.copied());
  const std::int64_t blocks = contiguous ? 1 : plan.dst.count;
  const std::int64_t bytes =
      contiguous ? plan.copied() * plan.dst.count : plan.copied();
  if (from == to) {  // nothing changes
  } else if (bytes == kBlockBytes && !plan.widens) {
    CopyDataBlocks(plan.src, from, plan.dst, to);
  } else {
    for (std::int64_t i = 0; i < blocks; ++i) {
      const std::uint8_t* block = from + i * plan.src.stride;
      std::uint8_t* out = to + i * plan.dst.stride;
      if (plan.widens) {
        WidenBlock(block, out, bytes);
      } else {
        std::memcpy(out, block, static_cast<std::size_t>(bytes));
      }
    }
  }
  return contiguous ? Path::kContiguous : Path::kStrided;
}

}  // namespace lanediff::emulator::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanediff::emulator {

constinit const ByVectorTarget<DataCopyVectors> kDataCopyByTarget =
    LANEDIFF_BY_VECTOR_TARGET(DataCopy);

}  // namespace lanediff::emulator
#endif
