#include "emulator/lanewise_legality.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "emulator/conversion.h"
#include "emulator/lanewise_limits.h"
#include "emulator/mask.h"

namespace lanediff::emulator {
namespace {

using isa::Call;
using isa::CallRule;
using isa::Param;

// ---- Stage 1 ----------------------------------------------------------------

/// *-PRODUCT and *-DTYPE, which depends on the product.
void AddBrokenByProduct(const Call& c, const State& state,
                        BrokenRules& broken) {
  const LanewiseLimits& limits = kLanewiseLimits[isa::PlaceOf(*c.signature)];
  const TypeSet types = limits.On(state.product, state.edition);
  broken.AddIf(types.empty(), CallRule::kProduct);
  if (c.Has(Param::kRoundMode)) {
    if (types.empty()) return;
    const std::uint8_t modes =
        RoundModesOf(state.product, c.dtype, c.TypeOf(0));
    broken.AddIf(modes == 0, CallRule::kDtype);
    broken.AddIf(modes != 0 && (modes & Bit(c.round_mode)) == 0,
                 CallRule::kRoundMode);
    return;
  }
  const bool has = types.Has(c.dtype) && (!c.signature->Converts() ||
                                          limits.HasPair(c.dtype, c.TypeOf(0)));
  broken.AddIf(!types.empty() && !has, CallRule::kDtype);
  broken.AddIf(c.Has(Param::kCmpMode) && types.Has(c.dtype) &&
                   c.dtype == isa::DType::kInt32 &&
                   state.product != isa::Product::kAtlas200i500A2 &&
                   c.cmp_mode != isa::CmpMode::kEq,
               CallRule::kCmpMode);
  broken.AddIf(c.Has(Param::kSelMode) &&
                   state.product == isa::Product::kAtlasTraining &&
                   c.sel_mode != isa::SelMode::kSameBits,
               CallRule::kSelMode);
}

/// Whether dst has a type of packed bits; beside a scalar that is uint8 alone.
bool IsOfBits(const Call& c) {
  const auto type = c.dst().dtype;
  return type == isa::DType::kUint8 ||
         (type == isa::DType::kInt8 && !c.signature->Has(Param::kScalar));
}

/// Of the widest element of the operands.
std::int64_t LaneBytes(const Call& c) {
  const std::int64_t bytes = ElementBytes(c.dtype);
  return c.signature->Converts() ? std::max(bytes, ElementBytes(c.TypeOf(0)))
                                 : bytes;
}

/// The types of packed bits.
constexpr TypeSet kWords = {isa::DType::kUint8, isa::DType::kUint16,
                            isa::DType::kUint32, isa::DType::kUint64};

/// Whether a lane of the mask lies beyond the first DataBlock.
bool GoesBeyondBlock(const Call& c, const State& state) {
  const std::int64_t bytes = LaneBytes(c);
  const std::int64_t lanes = kBlockBytes / bytes;
  if (c.is_set_mask && c.Has(Param::kMask)) return c[Param::kMask] > lanes;
  const LaneMask mask = MaskOf(c, state);
  const std::uint64_t low = bytes == 8 ? mask.low & 0xffffffffu : mask.low;
  return low >> lanes != 0 || (bytes <= 2 && mask.high != 0);
}

void AddBrokenRepeats(const Call& c, const LanewiseLimits& limits,
                      const State& state, BrokenRules& broken) {
  broken.AddIf(!InRange(c[Param::kRepeatTimes], 0, 255), CallRule::kRepeat);
  bool in_range = true;
  // BinaryRepeatParams has 8 bits for strides of blocks, all others have 16.
  const std::int64_t most = c.signature->sources() >= 2 ? 255 : 65535;
  // Those of src1 are fields where a scalar stands for it, too.
  for (std::size_t i = 0; i <= c.signature->sources(); ++i) {
    in_range &= InRange(c.BlkStride(i), 0, most);
    in_range &= InRange(c.RepStride(i), 0, limits.most_repeat_stride);
  }
  broken.AddIf(!in_range, CallRule::kStrideRange);
  broken.AddIf(c.BlkStride(0) == 0 && !c.signature->PacksBits() &&
                   (!limits.has_routes || GoesBeyondBlock(c, state)),
               CallRule::kDstBlkStrideZero);
  AddBrokenMask(c, LaneBytes(c), broken);
}

/// Of shifts: by how many bits, and whether they round.
void AddBrokenShift(const Call& c, const State& state, BrokenRules& broken) {
  // Bits of a negative number are those of a large one.
  const auto bits = static_cast<std::uint64_t>(8 * ElementBytes(c.dtype));
  broken.AddIf(kIntegers.Has(c.dtype) && c.scalar > bits,
               CallRule::kScalarRange);
  broken.AddIf(c.Has(Param::kRoundEn) && c.round_en &&
                   state.product == isa::Product::kAtlas200i500A2,
               CallRule::kRoundEn);
}

void AddBrokenParameters(const Call& c, const State& state,
                         BrokenRules& broken) {
  AddBrokenByProduct(c, state, broken);
  const LanewiseLimits& limits = kLanewiseLimits[isa::PlaceOf(*c.signature)];
  if (limits.is_shift) AddBrokenShift(c, state, broken);
  bool types = true;
  bool positions = true;
  bool aligned = true;
  for (std::size_t i = 0; i <= c.sources(); ++i) {
    const isa::Operand& operand = c.operands[i];
    types &= !c.signature->operands[i].is_packed ? TypeIs(operand, c.TypeOf(i))
             : i == 0                            ? IsOfBits(c)
                                                 : kWords.Has(c.TypeOf(i));
    positions &= IsVectorPosition(operand.position);
    aligned &= operand.at % kBlockBytes == 0;
  }
  broken.AddIf(!types, CallRule::kDtypeMatch);
  broken.AddIf(!positions, CallRule::kPosition);
  broken.AddIf(!aligned, CallRule::kAlign);
  broken.AddIf(limits.has_routes && c.dst().position == c.src(0).position,
               CallRule::kRoute);
  if (c.IsByCount()) {
    constexpr std::int64_t kInt32Max = std::numeric_limits<std::int32_t>::max();
    // Conversions, what numbers lanes, comparisons and selections have a
    // uint32_t.
    const bool packs = c.signature->PacksBits();
    const bool is_unsigned = packs || c.signature->Converts() ||
                             c.signature->NumbersLanes() ||
                             c.Has(Param::kSelMode);
    const std::int64_t most = is_unsigned ? 2 * kInt32Max + 1 : kInt32Max;
    const std::int64_t count = c[Param::kCount];
    broken.AddIf(!InRange(count, 0, most), CallRule::kCount);
    broken.AddIf(packs && InRange(count, 0, most) &&
                     count % (kIterationBytes / LaneBytes(c)) != 0,
                 CallRule::kCountLength);
  } else {
    AddBrokenRepeats(c, limits, state, broken);
  }
}

}  // namespace

LanewisePlan PlanLanewise(const Call& call, const State& state) {
  LanewisePlan plan;
  plan.signature = call.signature;
  plan.dtype = call.dtype;
  plan.saturation = state.saturation;
  plan.scalar = call.scalar;
  plan.round = call.Has(Param::kRoundEn) && call.round_en;
  plan.dst_dtype = call.TypeOf(0);
  plan.round_mode = call.round_mode;
  plan.cmp_mode = call.cmp_mode;
  plan.lane_bytes = LaneBytes(call);
  plan.selects_scalar = call.SelectsScalar();
  const bool count_form = call.IsByCount();
  for (std::size_t i = 0; i <= call.sources(); ++i) {
    const isa::OperandSpec& spec = call.signature->operands[i];
    if (spec.is_packed && !spec.is_written) {
      const std::int64_t bytes = kBlockBytes / plan.lane_bytes / 8;
      const bool same = call.sel_mode == isa::SelMode::kSameBits;
      plan.operands[i] = {
          .at = call.operands[i].at,
          .block_stride = bytes,
          .repeat_stride = same ? 0 : kBlocksPerIteration * bytes,
          .is_packed = true};
      continue;
    }
    plan.operands[i] = {
        .at = call.operands[i].at,
        .block_stride = (count_form ? 1 : call.BlkStride(i)) * kBlockBytes,
        .repeat_stride =
            (count_form ? kIterationBytes / kBlockBytes : call.RepStride(i)) *
            kBlockBytes,
        .element_bytes = ElementBytes(call.TypeOf(i))};
    // Iterations of a narrower type have fewer blocks.
    if (count_form) {
      auto& stride = plan.operands[i].repeat_stride;
      stride = stride * plan.operands[i].element_bytes / plan.lane_bytes;
    }
  }
  const std::int64_t lanes = kIterationBytes / plan.lane_bytes;
  const bool packs = call.signature->PacksBits();
  if (packs) {
    plan.dst() = {.at = call.dst().at,
                  .block_stride = kBlockBytes,
                  .repeat_stride = plan.packed_bytes(),
                  .element_bytes = 1,
                  .is_packed = true};
  }
  if (!count_form) {
    // Of comparisons the mask is without effect on most products.
    plan.lanes = packs && state.product != isa::Product::kAtlas200i500A2
                     ? LaneMask::First(lanes)
                     : MaskOf(call, state);
    // Of 32-bit types the low 64 bits count (STATE-MASK-REGISTER).
    if (plan.lane_bytes >= 4) plan.lanes.high = 0;
    if (plan.lane_bytes == 8) plan.lanes.low &= 0xffffffffu;
    plan.last_lanes = plan.lanes;
    plan.iterations = plan.lanes.empty() ? 0 : call[Param::kRepeatTimes];
    return plan;
  }
  // Iterations of 256 bytes, of the widest type, without gaps, the last one
  // perhaps not full, but of comparisons left out then.
  std::int64_t count = call[Param::kCount];
  if (packs) count -= count % lanes;
  plan.iterations = (count + lanes - 1) / lanes;
  plan.lanes = LaneMask::First(lanes);
  if (plan.iterations > 0) {
    plan.last_lanes = LaneMask::First(count - (plan.iterations - 1) * lanes);
  }
  return plan;
}

isa::RuleSet LanewiseLegality(const Call& call, const State& state) {
  isa::RuleSet rules;
  BrokenRules broken = {.call = call, .rules = rules};
  AddBrokenParameters(call, state, broken);
  if (!rules.empty()) return rules;

  const LanewisePlan plan = PlanLanewise(call, state);
  const std::size_t sources = call.sources();
  const std::size_t ub = BytesOf(state, isa::Memory::kUb);
  LanewiseExtents touched;
  for (std::size_t i = 0; i <= sources; ++i) {
    touched[i] = ExtentOf(plan, plan.operands[i]);
    broken.AddIf(OutOfBounds(call.operands[i], touched[i], ub),
                 CallRule::kBounds);
  }
  if (!rules.empty()) return rules;

  if (call.IsByCount()) {
    const Extent& dst = touched[0];
    for (std::size_t i = 1; i <= sources; ++i) {
      const Extent& src = touched[i];
      if (plan.operands[i].is_packed) {
        broken.AddIf(dst.Meets(src), CallRule::kOverlap);
        continue;
      }
      const Wide ahead = src.begin - dst.begin;
      // A wider result must not reach what is read later.
      const bool wider =
          plan.dst().element_bytes > plan.operands[i].element_bytes;
      const bool together = wider ? ahead >= src.end - src.begin : ahead == 0;
      broken.AddIf(dst.Meets(src) && !together, CallRule::kOverlapCount);
    }
    return rules;
  }
  const LanewiseOverlaps overlaps = OverlapsOf(plan, touched);
  broken.AddIf(overlaps.iteration, CallRule::kOverlapIteration);
  broken.AddIf(overlaps.dependency, CallRule::kOverlapDependency);
  broken.AddIf(overlaps.sources, CallRule::kOverlapSources);
  broken.AddIf(overlaps.bits, CallRule::kOverlap);
  return rules;
}

}  // namespace lanediff::emulator
