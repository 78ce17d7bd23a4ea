#include "isa/repeat_reduce_sum.h"

#include <cstdint>
#include <limits>

#include "fuzz/properties/reduce_sum_laws.h"

/// Laws of RepeatReduceSum.
namespace lanediff::properties {
namespace {

using isa::RepeatReduceSum;

Verdict DstBlkStrideIsIgnored() {
  const ReduceSumSample s = DrawSample<RepeatReduceSum>(Source::kAnyStrides);
  ReduceSumSample other = s;
  using Limits = std::numeric_limits<std::int32_t>;
  other.call.dst_blk_stride =
      *rc::gen::oneOf(rc::gen::arbitrary<std::int32_t>(),
                      rc::gen::element(0, -1, Limits::min(), Limits::max()))
           .as("dstBlkStride");
  return SameMemory<RepeatReduceSum>(s, CaseOf<RepeatReduceSum>(other));
}

[[maybe_unused]] const bool kGiven =
    GiveLawsOfSums<RepeatReduceSum>() &&
    GiveLaws<RepeatReduceSum>(
        {{"DstBlkStrideIsIgnored", DstBlkStrideIsIgnored}});

}  // namespace
}  // namespace lanediff::properties
