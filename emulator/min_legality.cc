#include "emulator/min_legality.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

#include "emulator/address.h"
#include "emulator/min.h"

namespace lanediff::emulator {
namespace {

namespace rule = isa::min;
using isa::DType;
using isa::Min;
using isa::Product;
using isa::RuleSet;

// ---- Stage 1 ----------------------------------------------------------------

// Each adds to one set: a set of its own would cost more than the questions.

/// MIN-PRODUCT and MIN-DTYPE, which depends on the product.
void AddBrokenByProduct(const Min& c, Product product, RuleSet& broken) {
  if (product != Product::kAtlasTraining &&
      product != Product::kAtlasInferenceAicore &&
      product != Product::kAtlasA2 && product != Product::kAtlas200i500A2) {
    broken.Add(rule::kProduct);
    return;
  }
  const bool int16 =
      c.dtype == DType::kInt16 && product != Product::kAtlasTraining;
  broken.AddIf(c.dtype != DType::kHalf && c.dtype != DType::kFloat &&
                   c.dtype != DType::kInt32 && !int16,
               rule::kDtype);
}

/// The mask of a call that sets it; only for the widths that the rules list.
void AddBrokenMask(const Min& c, RuleSet& broken) {
  const std::int64_t element = ElementBytes(c.dtype);
  if (element == 1) return;
  if (c.form == Min::kContiguous) {
    broken.AddIf(!InRange(c.mask, 1, kIterationBytes / element),
                 rule::kMaskContiguous);
    return;
  }
  const auto [low, high] = c.mask_words;
  const bool none = (low | high) == 0;
  const bool too_high =
      (element > 2 && high != 0) || (element > 4 && (low >> 32) != 0);
  broken.AddIf(none || too_high, rule::kMaskBits);
}

void AddBrokenRepeats(const Min& c, RuleSet& broken) {
  const isa::BinaryRepeatParams& p = c.repeat_params;
  broken.AddIf(!InRange(c.repeat_times, 0, 255), rule::kRepeat);
  const auto in_range = [](std::int64_t v) { return InRange(v, 0, 255); };
  broken.AddIf(!in_range(p.dst_blk_stride) || !in_range(p.src0_blk_stride) ||
                   !in_range(p.src1_blk_stride) ||
                   !in_range(p.dst_rep_stride) ||
                   !in_range(p.src0_rep_stride) || !in_range(p.src1_rep_stride),
               rule::kStrideRange);
  broken.AddIf(p.dst_blk_stride == 0, rule::kDstBlkStrideZero);
  if (c.is_set_mask) {
    AddBrokenMask(c, broken);
  } else {
    const bool placeholder = c.form == Min::kContiguous
                                 ? c.mask == 0
                                 : (c.mask_words[0] | c.mask_words[1]) == 0;
    broken.AddIf(!placeholder, rule::kPlaceholder);
  }
}

void AddBrokenParameters(const Min& c, const State& state, RuleSet& broken) {
  AddBrokenByProduct(c, state.product, broken);
  broken.AddIf(!TypeIs(c.dst, c.dtype) || !TypeIs(c.src0, c.dtype) ||
                   !TypeIs(c.src1, c.dtype),
               rule::kDtypeMatch);
  broken.AddIf(!IsVectorPosition(c.dst.position) ||
                   !IsVectorPosition(c.src0.position) ||
                   !IsVectorPosition(c.src1.position),
               rule::kPosition);
  broken.AddIf(c.dst.at % kBlockBytes != 0 || c.src0.at % kBlockBytes != 0 ||
                   c.src1.at % kBlockBytes != 0,
               rule::kAlign);
  if (c.form == Min::kCount) {
    constexpr std::int64_t kInt32Max = std::numeric_limits<std::int32_t>::max();
    broken.AddIf(!InRange(c.count, 0, kInt32Max), rule::kCount);
  } else {
    AddBrokenRepeats(c, broken);
  }
}

// ---- Stage 2 ----------------------------------------------------------------

/// Bytes from the first to the last one touched. No stride is negative.
Extent ExtentOf(const MinPlan& plan, const VectorOperand& operand) {
  if (plan.iterations == 0) return {};
  const std::int64_t element = ElementBytes(plan.dtype);
  const Extent first =
      LanesExtent(plan.LanesOf(0), element, operand.block_stride);
  const Extent last =
      LanesExtent(plan.last_lanes, element, operand.block_stride);
  return {operand.at + first.begin,
          operand.at + Wide{plan.iterations - 1} * operand.repeat_stride +
              last.end};
}

// ---- Stage 3 ----------------------------------------------------------------
// Every address is a multiple of 32, so that two DataBlocks are the same one or
// have nothing in common: blocks are compared, then their lanes.

/// Lanes of block `block` that take part. A masked call has the same lanes in
/// every iteration.
std::uint64_t LanesOfBlock(const MinPlan& plan, int block) {
  const auto lanes = static_cast<int>(kBlockBytes / ElementBytes(plan.dtype));
  return plan.lanes.Slice(block * lanes, lanes);
}

/// Whether `visit(b, c)` holds for a block b of one operand and a block c of
/// another that have a lane in common.
template <class Visit>
bool AnyCommonBlocks(const MinPlan& plan, Visit visit) {
  for (int b = 0; b < kBlocksPerIteration; ++b) {
    const std::uint64_t lanes = LanesOfBlock(plan, b);
    if (lanes == 0) continue;
    for (int c = 0; c < kBlocksPerIteration; ++c) {
      if ((lanes & LanesOfBlock(plan, c)) != 0 && visit(b, c)) return true;
    }
  }
  return false;
}

constexpr std::int64_t FloorDiv(std::int64_t a, std::int64_t b) {
  return a / b - (a % b < 0 ? 1 : 0);  // b > 0
}

/// Pairs of iterations r and q that lie at the same bytes: solves
///   q·second_stride - r·first_stride = distance,
/// 0 ≤ r, q < iterations, q - r ≥ lag, by Euclid's algorithm.
class IterationPairs {
 public:
  IterationPairs(std::int64_t first_stride, std::int64_t second_stride,
                 std::int64_t iterations, std::int64_t lag)
      : iterations_(iterations), lag_(lag) {
    // In every round: old = u·second_stride + v·first_stride.
    std::int64_t old = second_stride;
    std::int64_t now = first_stride;
    std::int64_t old_u = 1, u = 0, old_v = 0, v = 1;
    while (now != 0) {
      const std::int64_t quotient = old / now;
      old = std::exchange(now, old - quotient * now);
      old_u = std::exchange(u, old_u - quotient * u);
      old_v = std::exchange(v, old_v - quotient * v);
    }
    gcd_ = old;
    unit_q_ = old_u;
    unit_r_ = -old_v;
    if (gcd_ != 0) {
      step_q_ = first_stride / gcd_;
      step_r_ = second_stride / gcd_;
    }
  }

  bool Any(std::int64_t distance) const {
    if (gcd_ == 0) return distance == 0 && iterations_ - 1 >= lag_;
    if (distance % gcd_ != 0) return false;
    // All solutions are q + t·step_q_ and r + t·step_r_.
    const std::int64_t q = distance / gcd_ * unit_q_;
    const std::int64_t r = distance / gcd_ * unit_r_;
    Range t;
    t.Keep(q, step_q_, 0, iterations_ - 1);
    t.Keep(r, step_r_, 0, iterations_ - 1);
    t.Keep(q - r, step_q_ - step_r_, lag_, iterations_ - 1);
    return t.low <= t.high;
  }

 private:
  struct Range {
    std::int64_t low = std::numeric_limits<std::int64_t>::min();
    std::int64_t high = std::numeric_limits<std::int64_t>::max();

    /// Keeps the t with min ≤ value + t·step ≤ max.
    void Keep(std::int64_t value, std::int64_t step, std::int64_t min,
              std::int64_t max) {
      if (step < 0) return Keep(-value, -step, -max, -min);
      if (step > 0) {
        low = std::max(low, -FloorDiv(value - min, step));
        high = std::min(high, FloorDiv(max - value, step));
      } else if (value < min || value > max) {
        high = std::numeric_limits<std::int64_t>::min();
        low = 0;
      }
    }
  };

  std::int64_t iterations_;
  std::int64_t lag_;
  std::int64_t gcd_ = 0;
  std::int64_t unit_q_ = 0;
  std::int64_t unit_r_ = 0;
  std::int64_t step_q_ = 0;
  std::int64_t step_r_ = 0;
};

/// Whether iteration r of `first` and iteration q of `second` share a byte, for
/// any q - r ≥ lag.
bool Share(const MinPlan& plan, const VectorOperand& first,
           const VectorOperand& second, std::int64_t lag) {
  const IterationPairs pairs(first.repeat_stride, second.repeat_stride,
                             plan.iterations, lag);
  return AnyCommonBlocks(plan, [&](int b, int c) {
    return pairs.Any(first.BlockAt(0, b) - second.BlockAt(0, c));
  });
}

bool CoincideLaneByLane(const MinPlan& plan, const VectorOperand& a,
                        const VectorOperand& b, std::int64_t iteration) {
  for (int block = 0; block < kBlocksPerIteration; ++block) {
    if (LanesOfBlock(plan, block) != 0 &&
        a.BlockAt(iteration, block) != b.BlockAt(iteration, block)) {
      return false;
    }
  }
  return true;
}

/// MIN-OVERLAP-ITERATION for one source. The one iteration in which two blocks
/// can meet is found by division.
bool OverlapsWithinIteration(const MinPlan& plan, const VectorOperand& src) {
  const std::int64_t step = src.repeat_stride - plan.dst.repeat_stride;
  return AnyCommonBlocks(plan, [&](int b, int c) {
    const std::int64_t distance = plan.dst.BlockAt(0, b) - src.BlockAt(0, c);
    std::int64_t iteration = 0;
    if (step == 0) {
      if (distance != 0) return false;
    } else {
      if (distance % step != 0) return false;
      iteration = distance / step;
      if (iteration < 0 || iteration >= plan.iterations) return false;
    }
    return !CoincideLaneByLane(plan, plan.dst, src, iteration);
  });
}

void AddBrokenOverlaps(const MinPlan& plan, const Extent& dst,
                       const Extent& src0, const Extent& src1,
                       RuleSet& broken) {
  const bool src0_meets = dst.Meets(src0);
  const bool src1_meets = dst.Meets(src1);
  broken.AddIf((src0_meets && OverlapsWithinIteration(plan, plan.src0)) ||
                   (src1_meets && OverlapsWithinIteration(plan, plan.src1)),
               rule::kOverlapIteration);

  const bool src0_depends = src0_meets && Share(plan, plan.dst, plan.src0, 1);
  const bool src1_depends = src1_meets && Share(plan, plan.dst, plan.src1, 1);
  const bool allowed =
      plan.dtype != DType::kInt16 &&
      (plan.src1.repeat_stride == 0 || plan.dst.repeat_stride == 0);
  broken.AddIf(src0_depends || (src1_depends && !allowed),
               rule::kOverlapDependency);
  broken.AddIf(src1_depends && allowed && src0.Meets(src1) &&
                   Share(plan, plan.src0, plan.src1, -plan.iterations),
               rule::kOverlapSources);
}

}  // namespace

RuleSet MinLegality(const Min& call, const State& state) {
  RuleSet broken;
  AddBrokenParameters(call, state, broken);
  if (!broken.empty()) return broken;

  const MinPlan plan = PlanMin(call, state);
  const Extent dst = ExtentOf(plan, plan.dst);
  const Extent src0 = ExtentOf(plan, plan.src0);
  const Extent src1 = ExtentOf(plan, plan.src1);
  const std::size_t ub = BytesOf(state, isa::Memory::kUb);
  broken.AddIf(OutOfBounds(call.dst, dst, ub) ||
                   OutOfBounds(call.src0, src0, ub) ||
                   OutOfBounds(call.src1, src1, ub),
               rule::kBounds);
  if (!broken.empty()) return broken;

  if (call.form != Min::kCount) {
    AddBrokenOverlaps(plan, dst, src0, src1, broken);
    return broken;
  }
  broken.AddIf((dst.Meets(src0) && dst.begin != src0.begin) ||
                   (dst.Meets(src1) && dst.begin != src1.begin),
               rule::kOverlapCount);
  return broken;
}

}  // namespace lanediff::emulator
