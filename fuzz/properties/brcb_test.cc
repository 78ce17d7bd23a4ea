#include <array>
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

constexpr std::array kWide = {DType::kUint32, DType::kFloat};
constexpr std::array kAnyWidth = {DType::kHalf, DType::kInt16, DType::kUint32,
                                  DType::kFloat};

/// A legal call. Of wide types each iteration is one as a call of its own, too:
/// of others src is aligned for every second one alone.
Sample DrawBroadcast(const auto& types) {
  Sample s;
  s.product = *rc::gen::element(isa::Product::kAtlasA2, isa::Product::kAtlasA3,
                                isa::Product::kAtlasInferenceAicore)
                   .as("product");
  s.fill = DrawFill();
  s.call = isa::CallOf("Brcb");
  s.call.dtype = *rc::gen::elementOf(types).as("dtype");
  const auto repeat = Draw<std::int64_t>("repeatTime", 1, 6);
  const auto blk = Draw<std::int64_t>("dstBlkStride", 1, 3);
  const auto rep = Draw<std::int64_t>("dstRepStride", 0, 30);
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

Verdict RepeatIsSingles() {
  return RepeatIsSingleRepeats(DrawBroadcast(kWide));
}

Verdict StrideZeroKeepsLast() {
  Sample s = DrawBroadcast(kWide);
  s.call.RepStride(0) = 0;
  return SameMemory(s, {Iteration(s.call, s.call[Param::kRepeatTimes] - 1)});
}

Verdict TypeOfSameWidthDoesntMatter() {
  const Sample s = DrawBroadcast(kAnyWidth);
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
