#include <array>
#include <cstdint>
#include <limits>
#include <string_view>

#include "emulator/address.h"
#include "emulator/mask.h"
#include "emulator/reduce_sum.h"

namespace lanediff::emulator {
namespace {

using isa::Call;
using isa::CallRule;
using isa::DType;
using isa::Param;
using isa::Product;

// ---- Legality ---------------------------------------------------------------

/// In what the pages of the instructions differ.
struct ReductionLimits {
  /// The first edition that lists atlas-a3 and atlas-200i-500-a2.
  isa::Edition a3_since = isa::Edition::k2024;
  /// The widest elements whose mask has a range, in bytes.
  std::int64_t widest_masked = 8;
  /// Whether the pages advise WholeReduceSum.
  bool prefer_whole = false;
  Reduction reduction = Reduction::kSum;
  bool float_on_training = true;
  /// What dst.at is a multiple of, for half and float; 0: the element.
  std::int64_t half_align = 0;
  std::int64_t float_align = 0;
  /// What atlas-200i-500-a2 writes for a DataBlock or pair of no lane.
  std::uint32_t half_filling = 0;
  std::uint32_t float_filling = 0;
};

/// By place in `isa::kReductionRows`.
constexpr auto kLimits = [] {
  std::array<ReductionLimits, isa::kReductionRows.size()> limits;
  // The newest pages call it ReduceRepeat.
  limits[isa::PlaceOf(*isa::FindSignature("RepeatReduceSum"))] = {
      .a3_since = isa::Edition::k2026,
      .widest_masked = 4,
      .prefer_whole = true};
  const auto set = [&](std::string_view op, const ReductionLimits& limit) {
    limits[isa::PlaceOf(*isa::FindSignature(op))] = limit;
  };
  set("BlockReduceMax", {.reduction = Reduction::kMax,
                         .float_on_training = false,
                         .half_align = 16,
                         .float_align = 32,
                         .half_filling = 0xfbffu,
                         .float_filling = 0xff800000u});
  set("BlockReduceMin", {.reduction = Reduction::kMin,
                         .float_on_training = false,
                         .half_align = 16,
                         .float_align = 32,
                         .half_filling = 0x7bffu,
                         .float_filling = 0x7f800000u});
  set("BlockReduceSum",
      {.float_on_training = false, .half_align = 16, .float_align = 32});
  set("WholeReduceMax",
      {.reduction = Reduction::kMax, .float_on_training = false});
  set("WholeReduceMin",
      {.reduction = Reduction::kMin, .float_on_training = false});
  set("PairReduceSum",
      {.float_on_training = false, .half_align = 32, .float_align = 32});
  return limits;
}();

const ReductionLimits& LimitsOf(const Call& call) {
  return kLimits[isa::PlaceOf(*call.signature)];
}

bool Has(const ReductionLimits& limits, const State& state) {
  switch (state.product) {
    case Product::kAtlasTraining:
    case Product::kAtlasInferenceAicore:
    case Product::kAtlasA2:
      return true;
    case Product::kAtlasA3:
    case Product::kAtlas200i500A2:
      return state.edition >= limits.a3_since;
    default:
      return false;
  }
}

/// The elements of a result, one beside the other: a lone index has 32 bits.
struct Parts {
  std::array<Part, 2> parts = {};
  std::int64_t bytes = 0;
};
Parts PartsOf(const Call& c) {
  const std::int64_t element = ElementBytes(c.dtype);
  if (!c.Has(Param::kReduceOrder)) return {.bytes = element};
  switch (c.reduce_order) {
    case isa::ReduceOrder::kValueIndex:
      return {{Part::kValue, Part::kIndex}, 2 * element};
    case isa::ReduceOrder::kIndexValue:
      return {{Part::kIndex, Part::kValue}, 2 * element};
    case isa::ReduceOrder::kOnlyValue:
      return {{Part::kValue}, element};
    case isa::ReduceOrder::kOnlyIndex:
      break;
  }
  return {{Part::kIndex, Part::kZero}, 4};
}

/// Bit i: the product has order i.
unsigned OrdersOf(Product product) {
  switch (product) {
    case Product::kAtlasA2:
    case Product::kAtlasA3:
      return 0b1111;
    case Product::kAtlas200i500A2:
      return 0b0101;
    case Product::kAtlasInferenceAicore:
      return 0b0011;
    default:
      return 0b0001;
  }
}

void AddBrokenParameters(const Call& c, const State& state,
                         BrokenRules& broken) {
  const ReductionLimits& limits = LimitsOf(c);
  const std::int64_t element = ElementBytes(c.dtype);
  const isa::Operand& dst = c.dst();
  const isa::Operand& src = c.src(0);
  broken.AddIf(!Has(limits, state), CallRule::kProduct);
  const unsigned orders = OrdersOf(state.product);
  broken.AddIf(c.Has(Param::kReduceOrder) && Has(limits, state) &&
                   (orders >> static_cast<unsigned>(c.reduce_order) & 1) == 0,
               CallRule::kReduceOrder);
  const bool has_float =
      limits.float_on_training || state.product != Product::kAtlasTraining;
  broken.AddIf(
      c.dtype != DType::kHalf && (c.dtype != DType::kFloat || !has_float),
      CallRule::kDtype);
  broken.AddIf(!TypeIs(dst, c.dtype) || !TypeIs(src, c.dtype),
               CallRule::kDtypeMatch);
  broken.AddIf(
      !IsVectorPosition(dst.position) || !IsVectorPosition(src.position),
      CallRule::kPosition);
  const std::int64_t align =
      element <= 2 ? limits.half_align : limits.float_align;
  broken.AddIf(dst.at % (align != 0 ? align : PartsOf(c).bytes) != 0,
               CallRule::kDstAlign);
  broken.AddIf(src.at % kBlockBytes != 0, CallRule::kSrcAlign);
  broken.AddIf(!InRange(c[Param::kRepeatTimes], 0, 255), CallRule::kRepeat);
  constexpr std::int64_t kInt32Min = std::numeric_limits<std::int32_t>::min();
  constexpr std::int64_t kInt32Max = std::numeric_limits<std::int32_t>::max();
  broken.AddIf(!InRange(c.RepStride(0), 0, 65535) ||
                   !InRange(c.BlkStride(1), 0, 65535) ||
                   !InRange(c.RepStride(1), 0, 65535) ||
                   !InRange(c.BlkStride(0), kInt32Min, kInt32Max),
               CallRule::kStrideRange);
  broken.AddIf(state.product == Product::kAtlasTraining && c.RepStride(0) == 0,
               CallRule::kDstRepStrideZero);
  if (!c.is_set_mask || element <= limits.widest_masked) {
    AddBrokenMask(c, ElementBytes(c.dtype), broken);
  }
}

ReduceSumPlan Plan(const Call& call, const State& state) {
  LaneMask lanes = MaskOf(call, state);
  // Of floats the low 64 bits count (STATE-MASK-REGISTER).
  if (call.dtype != DType::kHalf) lanes.high = 0;
  const ReductionLimits& limits = LimitsOf(call);
  const bool half = call.dtype == DType::kHalf;
  const isa::Group group = call.signature->group;
  // An iteration's results: 1, 8, or as many as fill half of its 256 bytes.
  const std::int64_t results_bytes =
      group == isa::Group::kPair        ? kIterationBytes / 2
      : group == isa::Group::kDataBlock ? 8 * ElementBytes(call.dtype)
                                        : PartsOf(call).bytes;
  const bool several = group != isa::Group::kIteration;
  return {.dtype = call.dtype,
          .repeats = call[Param::kRepeatTimes],
          .lanes = lanes,
          .src = call.src(0).at,
          .src_block_stride = call.BlkStride(1) * kBlockBytes,
          .src_repeat_stride = call.RepStride(1) * kBlockBytes,
          .dst = call.dst().at,
          .dst_repeat_stride = call.RepStride(0) * results_bytes,
          .saturation = state.saturation,
          .reduction = limits.reduction,
          .signature = call.signature,
          .fills = group != isa::Group::kIteration &&
                   state.product == Product::kAtlas200i500A2,
          .filling = half ? limits.half_filling : limits.float_filling,
          .parts = PartsOf(call).parts,
          .elements = several ? 1
                              : static_cast<int>(results_bytes /
                                                 ElementBytes(call.dtype))};
}

isa::RuleSet Legality(const Call& call, const State& state) {
  isa::RuleSet rules;
  BrokenRules broken = {.call = call, .rules = rules};
  AddBrokenParameters(call, state, broken);
  if (rules.empty()) {
    AddBrokenPlaces(Plan(call, state), BytesOf(state, isa::Memory::kUb),
                    broken);
  }
  return rules;
}

}  // namespace

constinit const ReductionRows kReductions = [] {
  ReductionRows rows;
  rows.fill({.legality = Legality,
             .plan = Plan,
             .half_kernel = TreeSumOfHalves,
             .float_kernel = TreeSumOfFloats,
             .index = IndexOfPicked,
             .write_back = WriteSum});
  return rows;
}();

isa::StepResult Run(const Call& call, const ReduceSumSeams& seams,
                    State& state) {
  isa::StepResult result =
      isa::StepResult::FromBroken(seams.legality(call, state));
  if (result.status == isa::StepResult::Status::kRejected) return result;

  const ReduceSumPlan plan = seams.plan(call, state);
  if (!plan.empty()) {
    state.paths.Count(RunSums(plan, seams, state.memories[isa::Memory::kUb]));
  }
  // Without isSetMask this leaves the register as it is.
  state.mask_register = MaskOf(call, state);
  result.notes.AddIf(LimitsOf(call).prefer_whole,
                     call.Rule(CallRule::kPreferWholeReduceSum));
  result.notes.AddIf(call[Param::kRepeatTimes] == 0,
                     call.Rule(CallRule::kRepeatZero));
  result.notes.AddIf(!call.is_set_mask && plan.lanes.empty(),
                     call.Rule(CallRule::kMaskEmpty));
  return result;
}

}  // namespace lanediff::emulator
