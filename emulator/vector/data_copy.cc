#include "emulator/vector/data_copy.h"

#include <cstdint>
#include <cstring>
#include <span>

#include "emulator/address.h"
#include "emulator/vector/highway_config.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "emulator/vector/data_copy.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "emulator/vector/access-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanediff::emulator::HWY_NAMESPACE {
namespace {

using D = hn::CappedTag<std::uint8_t, kBlockBytes>;

/// Copies blocks of one DataBlock.
HWY_INLINE void CopyDataBlocks(const Blocks& from, const std::uint8_t* src,
                               const Blocks& to, std::uint8_t* dst) {
  const D d;
  HWY_UNROLL(4)
  for (std::int64_t i = 0; i < to.count; ++i) {
    for (std::size_t j = 0; j < kBlockBytes; j += hn::Lanes(d)) {
      StoreTo(d, LoadFrom(d, src + j), dst + j);
    }
    src += from.stride;
    dst += to.stride;
  }
}

/// Exact; NaNs keep sign and payload, moved up. F16C would quieten them.
HWY_INLINE void WidenBlock(const std::uint8_t* src, std::uint8_t* dst,
                           std::int64_t dst_bytes) {
  const BlockTag<std::uint32_t> d32;
  const hn::Rebind<std::uint16_t, decltype(d32)> d16;
  const hn::Rebind<float, decltype(d32)> df;
  const auto step = static_cast<std::int64_t>(4 * hn::Lanes(d32));
  for (std::int64_t i = 0; i < dst_bytes; i += step) {
    const auto half = hn::PromoteTo(d32, LoadFrom(d16, src + i / 2));
    const auto magnitude = hn::And(half, hn::Set(d32, 0x7fffu));
    // The half's bits, read as a float, are 2^112 times too small, also where
    // the half is subnormal.
    const auto moved = hn::ShiftLeft<13>(magnitude);
    const auto finite = hn::BitCast(
        d32, hn::Mul(hn::BitCast(df, moved), hn::Set(df, 0x1p112f)));
    const auto special = hn::Or(moved, hn::Set(d32, 0x7f800000u));
    const auto is_finite = hn::Lt(magnitude, hn::Set(d32, 0x7c00u));
    const auto sign = hn::ShiftLeft<16>(hn::And(half, hn::Set(d32, 0x8000u)));
    StoreTo(d32, hn::Or(hn::IfThenElse(is_finite, finite, special), sign),
            dst + i);
  }
}

}  // namespace

/// Operands that share a byte coincide, block by block.
Path DataCopy(const DataCopyPlan& plan, std::span<const std::uint8_t> src,
              std::span<std::uint8_t> dst) {
  const std::uint8_t* from = src.data() + plan.src.begin;
  std::uint8_t* to = dst.data() + plan.dst.begin;
  const bool contiguous =
      plan.dst.count == 1 ||
      (plan.src.stride == plan.src.bytes && plan.dst.stride == plan.dst.bytes);
  const std::int64_t blocks = contiguous ? 1 : plan.dst.count;
  const std::int64_t bytes =
      contiguous ? plan.dst.bytes * plan.dst.count : plan.dst.bytes;
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
