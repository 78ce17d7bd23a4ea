#include "emulator/vec_trans.h"

#include "emulator/address.h"

namespace lanediff::emulator {
namespace {

using isa::Call;
using isa::CallRule;
using isa::DType;
using isa::Param;
using isa::RuleSet;

constexpr std::int64_t kTileBytes = 512;  // 16 × 16 elements of 16 bits
constexpr int kSide = 16;

// ---- Address plan -----------------------------------------------------------

/// Those of operand `i`.
Blocks BlocksOf(const Call& call, std::size_t i) {
  return {.begin = call.operands[i].at,
          .bytes = kTileBytes,
          .stride = call.RepStride(i) * kTileBytes,
          .count = call[Param::kRepeatTimes]};
}

VecTransPlan Plan(const Call& call, const State&) {
  return {.src = BlocksOf(call, 1), .dst = BlocksOf(call, 0)};
}

// ---- Legality ---------------------------------------------------------------

void AddBrokenParameters(const Call& c, const State& state,
                         BrokenRules& broken) {
  const isa::Operand& dst = c.dst();
  const isa::Operand& src = c.src(0);
  broken.AddIf(state.product == isa::Product::kAtlasA3, CallRule::kProduct);
  broken.AddIf(c.dtype != DType::kInt16 && c.dtype != DType::kUint16 &&
                   c.dtype != DType::kHalf,
               CallRule::kDtype);
  broken.AddIf(!TypeIs(dst, c.dtype) || !TypeIs(src, c.dtype),
               CallRule::kDtypeMatch);
  broken.AddIf(
      dst.position != isa::Position::kUb || src.position != isa::Position::kUb,
      CallRule::kScope);
  broken.AddIf(dst.at % kBlockBytes != 0 || src.at % kBlockBytes != 0,
               CallRule::kAlign);
  broken.AddIf(!InRange(c[Param::kRepeatTimes], 1, 4095), CallRule::kRepeat);
  broken.AddIf(!InRange(c.RepStride(0), 0, 4095), CallRule::kDstStride);
  broken.AddIf(!InRange(c.RepStride(1), 0, 4095), CallRule::kSrcStride);
}

/// Whether every iteration works in place.
bool Coincide(const VecTransPlan& plan) {
  return plan.src.begin == plan.dst.begin &&
         (plan.src.count == 1 || plan.src.stride == plan.dst.stride);
}

RuleSet Legality(const Call& call, const State& state) {
  RuleSet rules;
  BrokenRules broken = {.call = call, .rules = rules};
  AddBrokenParameters(call, state, broken);
  if (!rules.empty()) return rules;

  const VecTransPlan plan = Plan(call, state);
  const std::size_t ub = BytesOf(state, isa::Memory::kUb);
  broken.AddIf(OutOfBounds(call.dst(), ExtentOf(plan.dst), ub) ||
                   OutOfBounds(call.src(0), ExtentOf(plan.src), ub),
               CallRule::kBounds);
  if (!rules.empty()) return rules;

  broken.AddIf(!Coincide(plan) && Meet(plan.dst, plan.src), CallRule::kOverlap);
  return rules;
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

isa::StepResult Run(const Call& call, const VecTransSeams& seams,
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
