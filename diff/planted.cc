#include "diff/planted.h"

#include <cstring>

#include "diff/generate/generate.h"
#include "emulator/half.h"

namespace lanediff::diff::test {
namespace {

using namespace lanediff::emulator;
using isa::RuleSet;
using Ub = std::span<const std::uint8_t>;

RuleSet Without(const RuleSet& rules, isa::RuleId rule) {
  RuleSet left;
  for (isa::RuleId id : rules) left.AddIf(id != rule, id);
  return left;
}

template <Generator (*kOf)()>
Case Generate(Random& random) {
  return kOf().generate(random, Plan{}).c;
}

constexpr auto GenerateRepeatReduceSum = Generate<RepeatReduceSumGenerator>;
constexpr auto GenerateMin = Generate<MinGenerator>;
constexpr auto GenerateDataCopy = Generate<DataCopyGenerator>;
constexpr auto GenerateTrowprod = Generate<TrowprodGenerator>;
constexpr auto GenerateVecTrans = Generate<VecTransGenerator>;
constexpr auto GenerateProgram = Generate<ProgramGenerator>;

// ---- RepeatReduceSum --------------------------------------------------------

std::uint16_t HalfAt(const ReduceSumPlan& plan, std::int64_t iteration,
                     int lane, Ub ub) {
  return Load<std::uint16_t>(ub, plan.src + iteration * plan.src_repeat_stride +
                                     lane / 16 * plan.src_block_stride +
                                     lane % 16 * 2);
}

/// Adds from left to right.
std::uint32_t SumInOrder(const ReduceSumPlan& plan, std::int64_t iteration,
                         Ub ub) {
  std::uint16_t sum = 0;
  bool begun = false;
  for (int lane = 0; lane < 128; ++lane) {
    if (plan.lanes.Slice(lane, 1) == 0) continue;
    const std::uint16_t value = HalfAt(plan, iteration, lane, ub);
    const std::uint16_t next =
        FloatToHalf(HalfToFloat(sum) + HalfToFloat(value));
    sum = !begun ? value : plan.saturation ? SaturateHalf(next) : next;
    begun = true;
  }
  return sum;
}

/// Gives zero for a subnormal sum.
std::uint32_t SumFlushed(const ReduceSumPlan& plan, std::int64_t iteration,
                         Ub ub) {
  const std::uint32_t sum = kRepeatReduceSum.half_kernel(plan, iteration, ub);
  return (sum & 0x7c00) == 0 ? sum & 0x8000 : sum;
}

ReduceSumPlan NoSaturation(const isa::RepeatReduceSum& call,
                           const State& state) {
  ReduceSumPlan plan = kRepeatReduceSum.plan(call, state);
  plan.saturation = false;
  return plan;
}

ReduceSumPlan StrideInBlocks(const isa::RepeatReduceSum& call,
                             const State& state) {
  ReduceSumPlan plan = kRepeatReduceSum.plan(call, state);
  plan.dst_repeat_stride = call.dst_rep_stride * kBlockBytes;
  return plan;
}

ReduceSumPlan LastOf64Missing(const isa::RepeatReduceSum& call,
                              const State& state) {
  ReduceSumPlan plan = kRepeatReduceSum.plan(call, state);
  if (plan.repeats >= 64) --plan.repeats;
  return plan;
}

// ---- Min --------------------------------------------------------------------

/// −0 becomes +0.
void MinPlusZero(const MinPlan& plan, std::int64_t iteration, Ub ub,
                 MinLanes& result) {
  kMin.half_kernel(plan, iteration, ub, result);
  for (std::size_t i = 0; i < result.size(); i += 2) {
    if (result[i] == 0 && result[i + 1] == 0x80) result[i + 1] = 0;
  }
}

/// One more lane than the mask says.
MinPlan MinOneLaneMore(const isa::Min& call, const State& state) {
  MinPlan plan = kMin.plan(call, state);
  for (LaneMask* lanes : {&plan.lanes, &plan.last_lanes}) {
    lanes->high |= lanes->high << 1 | lanes->low >> 63;
    lanes->low |= lanes->low << 1;
    if (ElementBytes(plan.dtype) == 4) lanes->high = 0;
  }
  return plan;
}

MinPlan MinSharesStride(const isa::Min& call, const State& state) {
  MinPlan plan = kMin.plan(call, state);
  plan.src1.block_stride = plan.src0.block_stride;
  return plan;
}

// ---- DataCopy ---------------------------------------------------------------

DataCopyPlan CopyGapTwice(const isa::DataCopy& call, const State& state) {
  DataCopyPlan plan = kDataCopy.plan(call, state);
  plan.dst.stride += plan.dst.stride - plan.dst.bytes;
  return plan;
}

DataCopyPlan CopyOneBlockLess(const isa::DataCopy& call, const State& state) {
  DataCopyPlan plan = kDataCopy.plan(call, state);
  if (call.form == isa::DataCopy::kParams && call.params.block_count > 4) {
    plan.src.count = plan.dst.count = 4;
  }
  return plan;
}

// ---- TROWPROD ---------------------------------------------------------------

TrowprodPlan NoTail(const isa::Trowprod& call, const State& state) {
  TrowprodPlan plan = kTrowprod.plan(call, state);
  const std::int64_t lanes = kIterationBytes / ElementBytes(plan.dtype);
  if (plan.cols > lanes) plan.cols -= plan.cols % lanes;
  return plan;
}

TrowprodPlan AlwaysLeftFold(const isa::Trowprod& call, const State& state) {
  TrowprodPlan plan = kTrowprod.plan(call, state);
  plan.order = isa::Order::kLeftFold;
  return plan;
}

// ---- vec_trans --------------------------------------------------------------

void CornerNotTurned(const VecTransPlan& plan, std::int64_t iteration, Ub ub,
                     VecTransBlock& transposed) {
  kVecTrans.kernel(plan, iteration, ub, transposed);
  std::swap(transposed[15], transposed[240]);
}

VecTransPlan StrideZero(const isa::VecTrans& call, const State& state) {
  VecTransPlan plan = kVecTrans.plan(call, state);
  if (call.repeat_times >= 3) plan.src.stride = 0;
  return plan;
}

}  // namespace

std::vector<Planted> PlantedDefects() {
  std::vector<Planted> all;
  const auto add = [&](std::string_view name, Case (*generate)(Random&),
                       const std::function<void(Seams&)>& plant) {
    all.push_back({name, {}, generate});
    plant(all.back().seams);
  };
  const auto sum = GenerateRepeatReduceSum;
  add("sum in order", sum,
      [](Seams& s) { s.repeat_reduce_sum.half_kernel = SumInOrder; });
  add("sum flushes subnormals", sum,
      [](Seams& s) { s.repeat_reduce_sum.half_kernel = SumFlushed; });
  add("sum does not saturate", sum,
      [](Seams& s) { s.repeat_reduce_sum.plan = NoSaturation; });
  add("sum's dstRepStride in DataBlocks", sum,
      [](Seams& s) { s.repeat_reduce_sum.plan = StrideInBlocks; });
  add("sum forgets the last of 64 repeats", GenerateProgram,
      [](Seams& s) { s.repeat_reduce_sum.plan = LastOf64Missing; });
  add("sum without RRS-SRC-ALIGN", sum, [](Seams& s) {
    s.repeat_reduce_sum.legality = [](const isa::RepeatReduceSum& call,
                                      const State& state) {
      return Without(kRepeatReduceSum.legality(call, state),
                     isa::rrs::kSrcAlign);
    };
  });
  add("sum without RRS-BOUNDS", sum, [](Seams& s) {
    s.repeat_reduce_sum.legality = [](const isa::RepeatReduceSum& call,
                                      const State& state) {
      return Without(kRepeatReduceSum.legality(call, state), isa::rrs::kBounds);
    };
  });
  add("min of zeros is +0", GenerateMin,
      [](Seams& s) { s.min.half_kernel = MinPlusZero; });
  add("min of one lane more", GenerateMin,
      [](Seams& s) { s.min.plan = MinOneLaneMore; });
  add("min: one blkStride for both sources", GenerateMin,
      [](Seams& s) { s.min.plan = MinSharesStride; });
  add("min without MIN-OVERLAP-DEPENDENCY", GenerateMin, [](Seams& s) {
    s.min.legality = [](const isa::Min& call, const State& state) {
      return Without(kMin.legality(call, state), isa::min::kOverlapDependency);
    };
  });
  add("copy: dstGap twice", GenerateDataCopy,
      [](Seams& s) { s.data_copy.plan = CopyGapTwice; });
  add("copy: 4 blocks at most", GenerateDataCopy,
      [](Seams& s) { s.data_copy.plan = CopyOneBlockLess; });
  add("copy rejects srcGap 65535", GenerateDataCopy, [](Seams& s) {
    s.data_copy.legality = [](const isa::DataCopy& call, const State& state) {
      RuleSet broken = kDataCopy.legality(call, state);
      broken.AddIf(call.params.src_gap == 65535, isa::dc::kGap);
      return broken;
    };
  });
  add("product drops the tail", GenerateTrowprod,
      [](Seams& s) { s.trowprod.plan = NoTail; });
  add("product folds from the left", GenerateTrowprod,
      [](Seams& s) { s.trowprod.plan = AlwaysLeftFold; });
  add("product without TRP-OVERLAP", GenerateTrowprod, [](Seams& s) {
    s.trowprod.legality = [](const isa::Trowprod& call, const State& state) {
      return Without(kTrowprod.legality(call, state), isa::trp::kOverlap);
    };
  });
  add("transpose leaves two corners", GenerateVecTrans,
      [](Seams& s) { s.vec_trans.kernel = CornerNotTurned; });
  add("transpose reads one block from 3 repeats on", GenerateProgram,
      [](Seams& s) { s.vec_trans.plan = StrideZero; });
  return all;
}

}  // namespace lanediff::diff::test
