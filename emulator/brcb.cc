#include "emulator/brcb.h"

#include "emulator/address.h"

namespace lanediff::emulator {
namespace {

using isa::Call;
using isa::CallRule;
using isa::DType;
using isa::Param;
using isa::Product;
using isa::RuleSet;

// ---- Address plan -----------------------------------------------------------

BrcbPlan Plan(const Call& call, const State&) {
  const std::int64_t element = ElementBytes(call.dtype);
  const std::int64_t read = kBlocksPerIteration * element;
  const std::int64_t times = call[Param::kRepeatTimes];
  return {.src = {call.src(0).at, read, read, times},
          .dst = {call.dst().at, kBlockBytes, call.RepStride(0) * kBlockBytes,
                  times},
          .dst_block_stride = call.BlkStride(0) * kBlockBytes,
          .element_bytes = element};
}

/// DataBlock `block` of every iteration.
Blocks BlocksOf(const BrcbPlan& plan, int block) {
  Blocks blocks = plan.dst;
  blocks.begin += block * plan.dst_block_stride;
  return blocks;
}

// ---- Legality ---------------------------------------------------------------

bool HasType(const State& state, DType dtype) {
  switch (dtype) {
    case DType::kInt16:
    case DType::kUint16:
    case DType::kHalf:
    case DType::kInt32:
    case DType::kUint32:
    case DType::kFloat:
      return true;
    case DType::kBfloat16:
      return state.product != Product::kAtlasInferenceAicore;
    default:
      return false;
  }
}

void AddBrokenParameters(const Call& c, const State& state,
                         BrokenRules& broken) {
  const isa::Operand& dst = c.dst();
  const isa::Operand& src = c.src(0);
  const bool has_product = state.product == Product::kAtlasInferenceAicore ||
                           state.product == Product::kAtlasA2 ||
                           state.product == Product::kAtlasA3;
  broken.AddIf(!has_product, CallRule::kProduct);
  broken.AddIf(!HasType(state, c.dtype), CallRule::kDtype);
  broken.AddIf(!TypeIs(dst, c.dtype) || !TypeIs(src, c.dtype),
               CallRule::kDtypeMatch);
  broken.AddIf(
      !IsVectorPosition(dst.position) || !IsVectorPosition(src.position),
      CallRule::kPosition);
  broken.AddIf(dst.at % kBlockBytes != 0 || src.at % kBlockBytes != 0,
               CallRule::kAlign);
  broken.AddIf(!InRange(c[Param::kRepeatTimes], 0, 255), CallRule::kRepeat);
  broken.AddIf(
      !InRange(c.BlkStride(0), 0, 65535) || !InRange(c.RepStride(0), 0, 65535),
      CallRule::kStrideRange);
  broken.AddIf(c.BlkStride(0) == 0, CallRule::kDstBlkStrideZero);
}

/// From the first block of the first iteration to the last one of the last.
Extent DstExtent(const BrcbPlan& plan) {
  Extent extent = ExtentOf(plan.dst);
  if (!extent.empty()) {
    extent.end += (kBlocksPerIteration - 1) * plan.dst_block_stride;
  }
  return extent;
}

/// Whether some iteration writes what some iteration reads.
bool Overlaps(const BrcbPlan& plan) {
  bool meet = false;
  for (int block = 0; block < kBlocksPerIteration; ++block) {
    meet |= Meet(BlocksOf(plan, block), plan.src);
  }
  return meet;
}

RuleSet Legality(const Call& call, const State& state) {
  RuleSet rules;
  BrokenRules broken = {.call = call, .rules = rules};
  AddBrokenParameters(call, state, broken);
  if (!rules.empty()) return rules;

  const BrcbPlan plan = Plan(call, state);
  const std::size_t ub = BytesOf(state, isa::Memory::kUb);
  broken.AddIf(OutOfBounds(call.dst(), DstExtent(plan), ub) ||
                   OutOfBounds(call.src(0), ExtentOf(plan.src), ub),
               CallRule::kBounds);
  if (!rules.empty()) return rules;

  broken.AddIf(Overlaps(plan), CallRule::kOverlap);
  return rules;
}

// ---- Kernel -----------------------------------------------------------------

void ReadElements(const BrcbPlan& plan, std::int64_t iteration,
                  std::span<const std::uint8_t> ub, BrcbElements& elements) {
  std::int64_t at = plan.src.begin + iteration * plan.src.stride;
  for (std::uint64_t& element : elements) {
    element = plan.element_bytes == 2 ? Load<std::uint16_t>(ub, at)
                                      : Load<std::uint32_t>(ub, at);
    at += plan.element_bytes;
  }
}

// ---- Write-back -------------------------------------------------------------

void WriteBack(const BrcbPlan& plan, std::int64_t iteration,
               const BrcbElements& elements, std::span<std::uint8_t> ub) {
  std::int64_t at = plan.dst.begin + iteration * plan.dst.stride;
  for (const std::uint64_t element : elements) {
    for (std::int64_t i = 0; i < kBlockBytes; i += plan.element_bytes) {
      if (plan.element_bytes == 2) {
        Store(ub, at + i, static_cast<std::uint16_t>(element));
      } else {
        Store(ub, at + i, static_cast<std::uint32_t>(element));
      }
    }
    at += plan.dst_block_stride;
  }
}

}  // namespace

constinit const BrcbSeams kBrcb = {.legality = Legality,
                                   .plan = Plan,
                                   .kernel = ReadElements,
                                   .write_back = WriteBack};

isa::StepResult Run(const Call& call, const BrcbSeams& seams, State& state) {
  isa::StepResult result =
      isa::StepResult::FromBroken(seams.legality(call, state));
  if (result.status == isa::StepResult::Status::kRejected) return result;

  const BrcbPlan plan = seams.plan(call, state);
  const std::span<std::uint8_t> ub = state.memories[isa::Memory::kUb];
  if (seams.vectors != nullptr && plan.dst.count > 0) {
    state.paths.Count(seams.vectors(plan, ub));
  } else if (plan.dst.count > 0) {
    BrcbElements elements;
    for (std::int64_t r = 0; r < plan.dst.count; ++r) {
      seams.kernel(plan, r, ub, elements);
      seams.write_back(plan, r, elements, ub);
    }
    state.paths.Count(Path::kPlain);
  }
  state.mask_register = LaneMask::First(128);
  result.notes.Add(call.Rule(CallRule::kClobbersMask));
  result.notes.AddIf(plan.dst.count == 0, call.Rule(CallRule::kRepeatZero));
  return result;
}

}  // namespace lanediff::emulator
