#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

#include "emulator/address.h"
#include "emulator/lanewise_legality.h"
#include "emulator/lanewise_limits.h"

namespace lanediff::emulator {
namespace {

// Every address is a multiple of 32, so that two DataBlocks are the same one or
// have nothing in common: blocks are compared, then their lanes, or, where
// types differ in width, the parts of blocks that the lanes take.

/// Lanes of block `block` of `operand` that take part. A masked call has the
/// same lanes in every iteration.
std::uint64_t LanesOfBlock(const LanewisePlan& plan,
                           const VectorOperand& operand, int block) {
  const auto lanes = static_cast<int>(kBlockBytes / operand.element_bytes);
  return plan.lanes.Slice(block * lanes, lanes);
}

/// The same as parts of the block, each as wide as the narrowest type: a lane
/// that is `kWider` times as wide takes as many.
std::uint64_t PartsOfBlock(const LanewisePlan& plan,
                           const VectorOperand& operand, std::int64_t narrowest,
                           int block) {
  std::uint64_t parts = 0;
  const std::int64_t wider = operand.element_bytes / narrowest;
  const std::uint64_t lane = (std::uint64_t{1} << wider) - 1;
  const std::uint64_t lanes = LanesOfBlock(plan, operand, block);
  for (std::uint64_t rest = lanes; rest != 0; rest &= rest - 1) {
    parts |= lane << std::countr_zero(rest) * wider;
  }
  return parts;
}

/// Whether `visit(b, c)` holds for a block b of `first` and a block c of
/// `second` that have a byte in common where they are at the same address.
template <class Visit>
bool AnyCommonBlocks(const LanewisePlan& plan, const VectorOperand& first,
                     const VectorOperand& second, Visit visit) {
  const std::int64_t narrowest =
      std::min(first.element_bytes, second.element_bytes);
  const auto parts = [&](const VectorOperand& operand, int block) {
    return first.element_bytes == second.element_bytes
               ? LanesOfBlock(plan, operand, block)
               : PartsOfBlock(plan, operand, narrowest, block);
  };
  for (int b = 0; b < kBlocksPerIteration; ++b) {
    const std::uint64_t written = parts(first, b);
    if (written == 0) continue;
    for (int c = 0; c < kBlocksPerIteration; ++c) {
      if ((written & parts(second, c)) != 0 && visit(b, c)) return true;
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
bool Share(const LanewisePlan& plan, const VectorOperand& first,
           const VectorOperand& second, std::int64_t lag) {
  const IterationPairs pairs(first.repeat_stride, second.repeat_stride,
                             plan.iterations, lag);
  return AnyCommonBlocks(plan, first, second, [&](int b, int c) {
    return pairs.Any(first.BlockAt(0, b) - second.BlockAt(0, c));
  });
}

/// Whether dst may lie on `b` in the iteration: lane by lane or, of narrower
/// results, from the start.
bool MayMeet(const LanewisePlan& plan, const VectorOperand& b,
             std::int64_t iteration) {
  const VectorOperand& a = plan.dst();
  if (a.element_bytes != b.element_bytes) {
    return a.element_bytes < b.element_bytes &&
           a.BlockAt(iteration, 0) == b.BlockAt(iteration, 0);
  }
  for (int block = 0; block < kBlocksPerIteration; ++block) {
    if (LanesOfBlock(plan, a, block) != 0 &&
        a.BlockAt(iteration, block) != b.BlockAt(iteration, block)) {
      return false;
    }
  }
  return true;
}

/// *-OVERLAP-ITERATION for one source. The one iteration in which two blocks
/// can meet is found by division.
bool OverlapsWithinIteration(const LanewisePlan& plan,
                             const VectorOperand& src) {
  const std::int64_t step = src.repeat_stride - plan.dst().repeat_stride;
  return AnyCommonBlocks(plan, plan.dst(), src, [&](int b, int c) {
    const std::int64_t distance = plan.dst().BlockAt(0, b) - src.BlockAt(0, c);
    std::int64_t iteration = 0;
    if (step == 0) {
      if (distance != 0) return false;
    } else {
      if (distance % step != 0) return false;
      iteration = distance / step;
      if (iteration < 0 || iteration >= plan.iterations) return false;
    }
    return !MayMeet(plan, src, iteration);
  });
}

/// Bytes from the first to the last one with a bit of `lanes`.
Extent BitsExtent(const LaneMask& lanes) {
  return {lanes.Lowest() / 8, lanes.Highest() / 8 + 1};
}

/// *-OVERLAP of packed bits: whether a lane of dst lies on a byte with a bit of
/// a lane, in any two iterations. Of both the runs side by side are compared.
bool LiesOnBits(const LanewisePlan& plan, const VectorOperand& bits) {
  const VectorOperand& dst = plan.dst();
  const auto lanes = static_cast<int>(kBlockBytes / dst.element_bytes);
  for (int byte = 0; byte < kBlocksPerIteration * lanes / 8; ++byte) {
    if (plan.lanes.Slice(byte * 8, 8) == 0) continue;
    const Blocks read = {bits.at + byte, 1, bits.repeat_stride,
                         plan.iterations};
    for (int block = 0; block < kBlocksPerIteration; ++block) {
      std::uint64_t rest = LanesOfBlock(plan, dst, block);
      while (rest != 0) {
        const int first = std::countr_zero(rest);
        const int run = std::countr_one(rest >> first);
        rest &= ~(((std::uint64_t{1} << run) - 1) << first);
        const Blocks written = {
            dst.BlockAt(0, block) + first * dst.element_bytes,
            run * dst.element_bytes, dst.repeat_stride, plan.iterations};
        if (Meet(written, read)) return true;
      }
    }
  }
  return false;
}

/// Whether iteration `q` reads of `src` what iteration `r` writes as packed
/// bits, which lie in one of its blocks.
bool ReadsBits(const LanewisePlan& plan, const VectorOperand& src,
               std::int64_t r, std::int64_t q) {
  const std::int64_t at = plan.dst().BlockAt(r, 0);
  const std::int64_t in_block = at % kBlockBytes;
  const std::int64_t lane = src.element_bytes;
  const std::int64_t first = in_block / lane;
  const std::int64_t last = (in_block + plan.packed_bytes() - 1) / lane;
  for (int b = 0; b < kBlocksPerIteration; ++b) {
    if (src.BlockAt(q, b) != at - in_block) continue;
    const auto lanes = static_cast<int>(last - first + 1);
    const auto from = static_cast<int>(first + b * (kBlockBytes / lane));
    if (plan.lanes.Slice(from, lanes) != 0) return true;
  }
  return false;
}

/// Stage 3 of packed bits: an iteration may start where its source does.
LanewiseOverlaps OverlapsOfBits(const LanewisePlan& plan,
                                const LanewiseExtents& extents) {
  LanewiseOverlaps overlaps;
  for (std::size_t i = 0; i < plan.sources(); ++i) {
    const VectorOperand& src = plan.src(i);
    if (!extents[0].Meets(extents[i + 1])) continue;
    for (std::int64_t r = 0; r < plan.iterations; ++r) {
      overlaps.iteration |= src.BlockAt(r, 0) != plan.dst().BlockAt(r, 0) &&
                            ReadsBits(plan, src, r, r);
      for (std::int64_t q = r + 1; q < plan.iterations; ++q) {
        overlaps.dependency = overlaps.dependency || ReadsBits(plan, src, r, q);
      }
    }
  }
  return overlaps;
}

}  // namespace

// No stride is negative.
Extent ExtentOf(const LanewisePlan& plan, const VectorOperand& operand) {
  if (plan.iterations == 0) return {};
  if (operand.is_packed && plan.dst().is_packed) {
    return {operand.at, operand.at +
                            Wide{plan.iterations - 1} * operand.repeat_stride +
                            plan.packed_bytes()};
  }
  const std::int64_t element = operand.element_bytes;
  const LaneMask& lanes = plan.LanesOf(0);
  const auto extent = [&](const LaneMask& of) {
    return operand.is_packed ? BitsExtent(of)
                             : LanesExtent(of, element, operand.block_stride);
  };
  const Extent first = extent(lanes);
  const Extent last =
      lanes == plan.last_lanes ? first : extent(plan.last_lanes);
  const Wide way = Wide{plan.iterations - 1} * operand.repeat_stride;
  return {operand.at + first.begin,
          operand.at + std::max(first.end, way + last.end)};
}

// Of some calls the second source may depend on dst where it or dst stays in
// place, unless the sources meet.
LanewiseOverlaps OverlapsOf(const LanewisePlan& plan,
                            const LanewiseExtents& extents) {
  if (plan.dst().is_packed) return OverlapsOfBits(plan, extents);
  const std::size_t sources = plan.sources();
  const LanewiseLimits& limits = kLanewiseLimits[isa::PlaceOf(*plan.signature)];
  const bool allowed =
      limits.in_place.Has(plan.dtype) &&
      (plan.src(1).repeat_stride == 0 || plan.dst().repeat_stride == 0);
  LanewiseOverlaps overlaps;
  overlaps.dependency =
      plan.signature->ReadsDst() && Share(plan, plan.dst(), plan.dst(), 1);
  for (std::size_t i = 0; i < sources; ++i) {
    if (!extents[0].Meets(extents[i + 1])) continue;
    if (plan.src(i).is_packed) {
      overlaps.bits = LiesOnBits(plan, plan.src(i));
      continue;
    }
    overlaps.iteration =
        overlaps.iteration || OverlapsWithinIteration(plan, plan.src(i));
    if (!Share(plan, plan.dst(), plan.src(i), 1)) continue;
    if (i == 1 && allowed) {
      overlaps.sources =
          extents[1].Meets(extents[2]) &&
          Share(plan, plan.src(0), plan.src(1), -plan.iterations);
    } else {
      overlaps.dependency = true;
    }
  }
  return overlaps;
}

}  // namespace lanediff::emulator
