#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "emulator/block_range.h"
#include "emulator/half.h"
#include "emulator/vector/highway_config.h"
#include "emulator/vector/lane_bytes.h"
#include "emulator/vector/vectors.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "emulator/vector/reduce_groups.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "emulator/vector/access-inl.h"
#include "emulator/vector/lanewise_values-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanediff::emulator::HWY_NAMESPACE {
namespace {

/// The lanes of an iteration, or the nodes of a level, and which of them take
/// part: all ones or zero.
template <class Bits>
struct LevelOf {
  HWY_ALIGN std::array<Bits, kIterationBytes / sizeof(Bits)> value;
  HWY_ALIGN std::array<Bits, kIterationBytes / sizeof(Bits)> present;
};

template <class T>
HWY_INLINE const std::uint8_t* BytesAt(const T& array, std::size_t i) {
  return reinterpret_cast<const std::uint8_t*>(&array[i]);
}

/// `count` nodes, each of two neighbours of `level`, in its place.
template <class Value, class D, bool kMasked, class Bits>
HWY_INLINE void JoinNeighbours(LevelOf<Bits>& level, std::size_t count) {
  const D d;
  LevelOf<Bits> left;
  LevelOf<Bits> right;
  for (std::size_t i = 0; i < count; ++i) {
    left.value[i] = level.value[2 * i];
    right.value[i] = level.value[2 * i + 1];
    if constexpr (kMasked) {
      left.present[i] = level.present[2 * i];
      right.present[i] = level.present[2 * i + 1];
    }
  }
  for (std::size_t i = 0; i < count; i += hn::Lanes(d)) {
    const auto a = LoadFrom(d, BytesAt(left.value, i));
    const auto b = LoadFrom(d, BytesAt(right.value, i));
    auto node = Value()(d, a, b);
    if constexpr (kMasked) {
      const auto has_a = LoadFrom(d, BytesAt(left.present, i));
      const auto has_b = LoadFrom(d, BytesAt(right.present, i));
      const auto alone = hn::Or(hn::And(a, has_a), hn::And(b, has_b));
      const auto both = hn::And(has_a, has_b);
      node = hn::Or(hn::And(node, both), hn::AndNot(both, alone));
      StoreTo(d, hn::Or(has_a, has_b),
              reinterpret_cast<std::uint8_t*>(&level.present[i]));
    }
    StoreTo(d, node, reinterpret_cast<std::uint8_t*>(&level.value[i]));
  }
}

/// The lowest of the lanes that take part with the bits of `value`, or with a
/// NaN where that is one.
template <bool kMasked, class Bits>
HWY_INLINE Bits IndexIn(const LevelOf<Bits>& lanes, Bits value) {
  const BlockTag<Bits> of_bits;
  const auto all = static_cast<std::size_t>(kIterationBytes / sizeof(Bits));
  const Bits magnitude = static_cast<Bits>(~Bits{0}) >> 1;
  const Bits infinity = sizeof(Bits) == 2 ? 0x7c00 : 0x7f800000;
  const bool nan = (value & magnitude) > infinity;
  for (std::size_t i = 0; i < all; i += hn::Lanes(of_bits)) {
    const auto bits = hn::Load(of_bits, &lanes.value[i]);
    auto found = hn::Eq(bits, hn::Set(of_bits, value));
    if (nan) {
      found = hn::Gt(hn::And(bits, hn::Set(of_bits, magnitude)),
                     hn::Set(of_bits, infinity));
    }
    if constexpr (kMasked) {
      const auto present = hn::Load(of_bits, &lanes.present[i]);
      found = hn::And(found, hn::Ne(present, hn::Zero(of_bits)));
    }
    const std::intptr_t first = hn::FindFirstTrue(of_bits, found);
    if (first >= 0) return static_cast<Bits>(i + first);
  }
  return 0;
}

template <class Value, class D, bool kMasked, class Bits>
void ReduceIterations(const ReduceSumPlan& plan, std::uint8_t* ub) {
  constexpr std::size_t kLanes = kIterationBytes / sizeof(Bits);
  const auto each = static_cast<std::size_t>(plan.lanes_per_result());
  const BlockSet blocks = BlocksOf(plan.lanes, kLanes / kBlocksPerIteration);
  const std::uint64_t results = plan.results();
  const bool several = each < kLanes;
  const bool saturates = sizeof(Bits) == 2 && plan.saturation;
  const bool has_index =
      std::ranges::find(plan.parts, Part::kIndex) != plan.parts.end();
  LevelOf<Bits> lanes = {};
  LevelOf<Bits> mask;
  if constexpr (kMasked) {
    const IterationBytes bytes = BytesOf(plan.lanes, sizeof(Bits));
    std::memcpy(mask.present.data(), bytes.data(), bytes.size());
  }
  for (std::int64_t r = 0; r < plan.repeats; ++r) {
    LevelOf<Bits> level;
    if constexpr (kMasked) level = {.value = {}, .present = mask.present};
    const std::uint8_t* const from = ub + plan.src + r * plan.src_repeat_stride;
    for (BlockSet rest = blocks; rest != 0; rest &= rest - 1) {
      const auto block = static_cast<std::size_t>(std::countr_zero(rest));
      std::memcpy(
          &level.value[block * kLanes / kBlocksPerIteration],
          from + static_cast<std::int64_t>(block) * plan.src_block_stride,
          kBlockBytes);
    }
    if (has_index) lanes = level;
    std::size_t count = kLanes;
    for (std::size_t width = each; width > 1; width /= 2) {
      count /= 2;
      JoinNeighbours<Value, D, kMasked>(level, count);
    }
    std::uint8_t* const to = ub + plan.dst + r * plan.dst_repeat_stride;
    for (std::uint64_t rest = results; rest != 0; rest &= rest - 1) {
      const auto i = static_cast<std::size_t>(std::countr_zero(rest));
      const Part part = several ? Part::kValue : plan.parts[i];
      Bits bits = part == Part::kValue ? level.value[several ? i : 0] : Bits{0};
      if (part == Part::kIndex) bits = IndexIn<kMasked>(lanes, level.value[0]);
      if (kMasked && several && level.present[i] == 0) {
        bits = static_cast<Bits>(plan.filling);
      }
      if (saturates) {
        bits = SaturateHalf(static_cast<std::uint16_t>(bits));
      }
      std::memcpy(to + i * sizeof(Bits), &bits, sizeof(Bits));
    }
  }
}

template <class Value, class D, class Bits>
Path ReduceWith(const ReduceSumPlan& plan, std::uint8_t* ub) {
  constexpr std::int64_t kLanes = kIterationBytes / sizeof(Bits);
  if (plan.lanes != LaneMask::First(kLanes)) {
    ReduceIterations<Value, D, true, Bits>(plan, ub);
    return Path::kMasked;
  }
  ReduceIterations<Value, D, false, Bits>(plan, ub);
  const bool contiguous = plan.src_block_stride == kBlockBytes &&
                          plan.src_repeat_stride == kIterationBytes &&
                          plan.dst_repeat_stride == plan.result_bytes();
  return contiguous ? Path::kContiguous : Path::kStrided;
}

template <class Kind, bool kSaturate>
Path ReduceOfKind(const ReduceSumPlan& plan, std::uint8_t* ub) {
  if (plan.dtype == isa::DType::kFloat) {
    return ReduceWith<typename Kind::Float, BlockTag<float>, std::uint32_t>(
        plan, ub);
  }
  return ReduceWith<typename Kind::template Half<kSaturate>,
                    typename Kind::HalfTag, std::uint16_t>(plan, ub);
}

}  // namespace

Path ReduceGroups(const ReduceSumPlan& plan, std::span<std::uint8_t> ub) {
  switch (plan.reduction) {
    case Reduction::kMax:
      return ReduceOfKind<OneOfTwo<Larger>, false>(plan, ub.data());
    case Reduction::kMin:
      return ReduceOfKind<OneOfTwo<Smaller>, false>(plan, ub.data());
    case Reduction::kSum:
      break;
  }
  return plan.saturation
             ? ReduceOfKind<ResultOfTwo<Sum>, true>(plan, ub.data())
             : ReduceOfKind<ResultOfTwo<Sum>, false>(plan, ub.data());
}

}  // namespace lanediff::emulator::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanediff::emulator {

constinit const ByVectorTarget<ReduceSumVectors> kReduceGroupsByTarget =
    LANEDIFF_BY_VECTOR_TARGET(ReduceGroups);

}  // namespace lanediff::emulator
#endif
