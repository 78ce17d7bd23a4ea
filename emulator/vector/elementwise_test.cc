#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "emulator/emulator.h"
#include "emulator/vector/random_run.h"
#include "isa/elementwise_calls.h"

namespace lanediff::emulator {
namespace {

using isa::DType;

/// Strides of all kinds; often those without gaps.
void DrawStrides(RandomWords& random, isa::BinaryRepeatParams& p) {
  p = {1, 1, 1, 8, 8, 8};
  if (Draw(random, 0, 2) == 0) return;
  p.dst_blk_stride = Draw(random, 1, 3);
  p.src0_blk_stride = Draw(random, 0, 3);
  p.src1_blk_stride = Draw(random, 0, 3);
  p.dst_rep_stride = Draw(random, 0, 20);
  p.src0_rep_stride = Draw(random, 0, 20);
  p.src1_rep_stride = Draw(random, 0, 20);
}

/// Any form; which lanes take part, or those that the register selects.
template <class Call>
void DrawForm(RandomWords& random, Call& call, std::vector<isa::Step>& steps) {
  const bool wide = call.dtype == DType::kFloat || call.dtype == DType::kInt32;
  const std::int64_t all = wide ? 64 : 128;
  call.form = static_cast<std::uint8_t>(Draw(random, 0, 2));
  if (call.form == Call::kCount) {
    call.count = Draw(random, 1, 4 * all);
    return;
  }
  call.repeat_times = Draw(random, 1, 20);
  DrawStrides(random, call.repeat_params);
  const isa::SetVectorMask mask{.high = random(), .low = random() | 1};
  if (Draw(random, 0, 3) == 0) {
    call.is_set_mask = false;
    steps.emplace_back(mask);
  } else if (call.form == Call::kContiguous) {
    call.mask = Draw(random, 0, 1) == 0 ? all : Draw(random, 1, all);
  } else {
    call.mask_words = {mask.low, wide ? 0 : mask.high};
  }
}

template <class Call>
Sample DrawSample(RandomWords& random) {
  constexpr DType kTypes[] = {DType::kHalf, DType::kFloat, DType::kInt16,
                              DType::kInt32};
  std::vector<isa::Step> steps;
  Call call;
  call.dtype = kTypes[Draw(random, 0, 3)];
  if (Draw(random, 0, 1) == 0) {
    steps.emplace_back(isa::SetSaturation{.enabled = false});
  }
  DrawForm(random, call, steps);
  call.src0 = WindowFrom(32 * Draw(random, 0, 300));
  call.src1 = WindowFrom(32 * Draw(random, 0, 300));
  // On a source, right behind one, or anywhere.
  const std::int64_t places[] = {call.src0.at, call.src1.at, call.src0.at + 256,
                                 32 * Draw(random, 0, 700)};
  call.dst = WindowFrom(places[Draw(random, 0, 3)]);
  steps.emplace_back(call);
  return {.program = steps, .dtype = call.dtype};
}

template <class Call>
class ElementwiseVectorsOf : public testing::Test {};
using Calls = isa::ElementwiseCalls<testing::Types>;
TYPED_TEST_SUITE(ElementwiseVectorsOf, Calls);

TYPED_TEST(ElementwiseVectorsOf, LeaveWhatPlainSeamsLeave) {
  ExpectSameLeft(11, 3000, DrawSample<TypeParam>, {101, 21, 201});
}

}  // namespace
}  // namespace lanediff::emulator
