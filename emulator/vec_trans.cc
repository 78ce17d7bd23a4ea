#include "emulator/vec_trans.h"

#include "emulator/address.h"

namespace lanediff::emulator {
namespace {

namespace rule = isa::vt;
using isa::DType;
using isa::RuleSet;
using isa::VecTrans;

constexpr std::int64_t kTileBytes = 512;  // 16 × 16 elements of 16 bits
constexpr int kSide = 16;

// ---- Address plan -----------------------------------------------------------

Blocks BlocksOf(std::int64_t at, std::int64_t stride_tiles,
                std::int64_t repeats) {
  return {.begin = at,
          .bytes = kTileBytes,
          .stride = stride_tiles * kTileBytes,
          .count = repeats};
}

VecTransPlan Plan(const VecTrans& call, const State&) {
  return {.src = BlocksOf(call.src.at, call.src_rep_stride, call.repeat_times),
          .dst = BlocksOf(call.dst.at, call.dst_rep_stride, call.repeat_times)};
}

// ---- Legality ---------------------------------------------------------------

RuleSet BrokenParameters(const VecTrans& c, const State& state) {
  RuleSet broken;
  broken.AddIf(state.product == isa::Product::kAtlasA3, rule::kProduct);
  broken.AddIf(c.dtype != DType::kInt16 && c.dtype != DType::kUint16 &&
                   c.dtype != DType::kHalf,
               rule::kDtype);
  broken.AddIf(!TypeIs(c.dst, c.dtype) || !TypeIs(c.src, c.dtype),
               rule::kDtypeMatch);
  broken.AddIf(c.dst.position != isa::Position::kUb ||
                   c.src.position != isa::Position::kUb,
               rule::kScope);
  broken.AddIf(c.dst.at % kBlockBytes != 0 || c.src.at % kBlockBytes != 0,
               rule::kAlign);
  broken.AddIf(!InRange(c.repeat_times, 1, 4095), rule::kRepeat);
  broken.AddIf(!InRange(c.dst_rep_stride, 0, 4095), rule::kDstStride);
  broken.AddIf(!InRange(c.src_rep_stride, 0, 4095), rule::kSrcStride);
  return broken;
}

/// Whether every iteration works in place.
bool Coincide(const VecTransPlan& plan) {
  return plan.src.begin == plan.dst.begin &&
         (plan.src.count == 1 || plan.src.stride == plan.dst.stride);
}

RuleSet Legality(const VecTrans& call, const State& state) {
  RuleSet broken = BrokenParameters(call, state);
  if (!broken.empty()) return broken;

  const VecTransPlan plan = Plan(call, state);
  const std::size_t ub = BytesOf(state, isa::Memory::kUb);
  broken.AddIf(OutOfBounds(call.dst, ExtentOf(plan.dst), ub) ||
                   OutOfBounds(call.src, ExtentOf(plan.src), ub),
               rule::kBounds);
  if (!broken.empty()) return broken;

  broken.AddIf(!Coincide(plan) && Meet(plan.dst, plan.src), rule::kOverlap);
  return broken;
}

// ---- Kernel -----------------------------------------------------------------

void Transpose(const VecTransPlan& plan, std::int64_t iteration,
               std::span<const std::uint8_t> ub, VecTransBlock& transposed) {
  const std::int64_t at = plan.src.begin + iteration * plan.src.stride;
  for (int row = 0; row < kSide; ++row) {
    for (int column = 0; column < kSide; ++column) {
      const int element = row * kSide + column;
      transposed[column * kSide + row] =
          Load<std::uint16_t>(ub, at + std::int64_t{2} * element);
    }
  }
}

// ---- Write-back -------------------------------------------------------------

void WriteBack(const VecTransPlan& plan, std::int64_t iteration,
               const VecTransBlock& transposed, std::span<std::uint8_t> ub) {
  Store(ub, plan.dst.begin + iteration * plan.dst.stride, transposed);
}

}  // namespace

constinit const VecTransSeams kVecTrans = {.legality = Legality,
                                           .plan = Plan,
                                           .kernel = Transpose,
                                           .write_back = WriteBack};

isa::StepResult Run(const VecTrans& call, const VecTransSeams& seams,
                    State& state) {
  const isa::StepResult result =
      isa::StepResult::FromBroken(seams.legality(call, state));
  if (result.status == isa::StepResult::Status::kRejected) return result;

  const VecTransPlan plan = seams.plan(call, state);
  const std::span<std::uint8_t> ub = state.memories[isa::Memory::kUb];
  if (seams.vectors != nullptr) {
    state.paths.Count(seams.vectors(plan, ub));
    return result;
  }
  VecTransBlock transposed;
  for (std::int64_t r = 0; r < plan.dst.count; ++r) {
    seams.kernel(plan, r, ub, transposed);
    seams.write_back(plan, r, transposed, ub);
  }
  state.paths.Count(Path::kPlain);
  return result;
}

}  // namespace lanediff::emulator
