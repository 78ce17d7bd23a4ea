#include <algorithm>
#include <cstdint>

#include "fuzz/properties/law.h"
#include "fuzz/properties/support.h"
#include "generators/random.h"
#include "isa/units.h"

/// Laws of Brcb.
namespace lanediff::properties {
namespace {

using isa::DType;
using isa::Param;

/// A legal call.
Sample DrawBroadcast(std::int64_t least_rep_stride) {
  Sample s;
  s.product = *rc::gen::element(isa::Product::kAtlasA2, isa::Product::kAtlasA3,
                                isa::Product::kAtlasInferenceAicore)
                   .as("product");
  s.fill = DrawFill();
  s.call = isa::CallOf("Brcb");
  s.call.dtype = *rc::gen::element(DType::kHalf, DType::kInt16, DType::kUint32,
                                   DType::kFloat)
                      .as("dtype");
  const auto repeat = Draw<std::int64_t>("repeatTime", 1, 6);
  const auto blk = Draw<std::int64_t>("dstBlkStride", 1, 3);
  const auto rep = Draw<std::int64_t>("dstRepStride", least_rep_stride, 30);
  s.call[Param::kRepeatTimes] = repeat;
  s.call.BlkStride(0) = blk;
  s.call.RepStride(0) = rep;
  make::Random random(DrawWord("seed"));
  s.call.dst() =
      s.Add(32 * ((repeat - 1) * rep + 7 * blk + 1), isa::Position::kVecout);
  s.call.src(0) =
      s.Add(8 * repeat * isa::SizeBytes(s.call.dtype), isa::Position::kVecin);
  s.Fill(s.call.src(0), {});
  for (std::uint64_t& bits : s.source()) {
    bits = random.Bits() & isa::WidthMask(s.call.dtype);
  }
  return s;
}

Verdict RepeatIsSingles() { return RepeatIsSingleRepeats(DrawBroadcast(0)); }

Verdict StrideZeroKeepsLast() {
  Sample s = DrawBroadcast(0);
  s.call.RepStride(0) = 0;
  return SameMemory(s, {Iteration(s.call, s.call[Param::kRepeatTimes] - 1)});
}

Verdict TypeOfSameWidthDoesntMatter() {
  const Sample s = DrawBroadcast(0);
  isa::Call other = s.call;
  other.dtype =
      isa::SizeBytes(s.call.dtype) == 2 ? DType::kUint16 : DType::kInt32;
  return SameMemory(s, {other});
}

[[maybe_unused]] const bool kGiven = GiveLaws(
    "brcb", {{"RepeatIsSingles", RepeatIsSingles},
             {"StrideZeroKeepsLast", StrideZeroKeepsLast},
             {"TypeOfSameWidthDoesntMatter", TypeOfSameWidthDoesntMatter}});

}  // namespace
}  // namespace lanediff::properties
