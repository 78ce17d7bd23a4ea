// What the pages allow of each parameter, both ends, and what a parameter is
// that a call lacks.

#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "kernel/carried/call_testing.h"

namespace lanediff::kernel {
namespace {

using isa::Product;

/// "NAME low..high, …" of the parameters that have a range.
std::string Ranges(Call&& call) {
  const auto plan = call.Plan();
  if (!plan) return plan.error();
  std::string text;
  for (const isa::Argument& one : plan->parameters) {
    if (!one.range) continue;
    text += (text.empty() ? "" : ", ") + one.name + " " +
            std::to_string(one.range->low) + ".." +
            std::to_string(one.range->high);
  }
  return text;
}

using Names = std::vector<const char*>;
using Operands = std::vector<isa::OperandName>;

/// A call whose parameters `ones` are all 1, with the words and the scalar that
/// it may need.
Call With(const char* name, std::uint8_t dtype, const Operands& operands,
          const Names& ones = {}) {
  Call call = Of(name, dtype, operands);
  if (std::string_view(name) == "Compare") {
    call.call.operands[0].dtype = LANEDIFF_UINT8;
  }
  for (const char* one : ones) call.Number(one, 1);
  call.Word("roundMode", "CAST_RINT").Word("cmpMode", "LT");
  call.Word("selMode", "VSEL_CMPMASK_SPR").Scalar(dtype, 0);
  return call;
}
/// The same with a mask of the first lane.
Call Masked(const char* name, std::uint8_t dtype, const Operands& operands,
            const Names& ones) {
  Call call = With(name, dtype, operands, ones);
  call.Mask(1, 1);
  return call;
}
const Names kOneSource = {"dstBlkStride", "srcBlkStride", "dstRepStride",
                          "srcRepStride"};
const Names kTwoSources = {"dstBlkStride", "src0BlkStride", "src1BlkStride",
                           "dstRepStride", "src0RepStride", "src1RepStride"};
const std::string kOneSourceRanges =
    "dstBlkStride 1..255, srcBlkStride 0..255, dstRepStride 0..255, "
    "srcRepStride 0..255, repeatTime 0..255";
const std::string kTwoSourceRanges =
    "src0BlkStride 0..255, src1BlkStride 0..255, dstRepStride 0..255, "
    "src0RepStride 0..255, src1RepStride 0..255, repeatTime 0..255";

TEST(ParameterRanges, OfCallsByLane) {
  EXPECT_EQ(Ranges(Masked("Subs", LANEDIFF_HALF, {kDst, kSrc}, kOneSource)),
            kOneSourceRanges + ", mask 1..128");
  Call cast = Masked("Cast", LANEDIFF_FLOAT, {kDst, kSrc}, kOneSource);
  EXPECT_EQ(Ranges(std::move(cast)), kOneSourceRanges + ", mask 1..64");
  EXPECT_EQ(
      Ranges(Masked("Div", LANEDIFF_HALF, {kDst, kSrc0, kSrc1}, kTwoSources)),
      "dstBlkStride 1..255, " + kTwoSourceRanges + ", mask 1..128");
  EXPECT_EQ(Ranges(Masked(
                "Copy", LANEDIFF_FLOAT, {kDst, kSrc},
                {"dstStride", "srcStride", "dstRepeatSize", "srcRepeatSize"})),
            "dstStride 0..65535, srcStride 0..65535, dstRepeatSize 0..4095, "
            "srcRepeatSize 0..4095, repeatTime 0..255, mask 1..64");
  EXPECT_EQ(Ranges(Masked("CreateVecIndex", LANEDIFF_INT32, {kDst},
                          {"dstBlkStride", "dstRepStride"})),
            "dstBlkStride 0..65535, dstRepStride 0..255, repeatTime 0..255, "
            "mask 1..64");
  Call count = With("Subs", LANEDIFF_HALF, {kDst, kSrc});
  EXPECT_EQ(Ranges(std::move(count.Count(1))), "count 0..2147483647");
  Call words = With("Subs", LANEDIFF_FLOAT, {kDst, kSrc});
  EXPECT_EQ(Ranges(std::move(words.MaskBits(1, 0, 1))),
            "repeatTime 0..255, maskHigh 0..0");
}

TEST(ParameterRanges, OfComparisonsAndSelections) {
  EXPECT_EQ(Ranges(Masked("Compare", LANEDIFF_FLOAT, {kDst, kSrc0, kSrc1},
                          kTwoSources)),
            "dstBlkStride 0..255, " + kTwoSourceRanges);
  EXPECT_EQ(Ranges(Masked("Select", LANEDIFF_HALF, {kDst, kMask, kSrc0, kSrc1},
                          kTwoSources)),
            "dstBlkStride 1..255, " + kTwoSourceRanges + ", mask 1..128");
  for (const auto& [product, most] :
       {std::pair(Product::kAtlasA2, '7'),
        std::pair(Product::kAtlasInferenceAicore, '6')}) {
    Call gather = With("GatherMask", LANEDIFF_HALF, {kDst, kSrc0},
                       {"src1Pattern", "reduceMode", "mask", "src0BlockStride",
                        "repeatTimes", "src0RepeatStride", "src1RepeatStride"});
    EXPECT_EQ(Ranges(std::move(gather.On(product))),
              std::string("src1Pattern 1..") + most +
                  ", reduceMode 0..1, mask 1..4294967295, src0BlockStride "
                  "0..255, repeatTimes 0..255, src0RepeatStride 0..65535, "
                  "src1RepeatStride 0..255");
  }
}

TEST(ParameterRanges, OfReductions) {
  for (const char* name :
       {"WholeReduceMax", "BlockReduceSum", "PairReduceSum"}) {
    for (const auto& [product, least] :
         {std::pair(Product::kAtlasA2, '0'),
          std::pair(Product::kAtlasTraining, '1')}) {
      Call call = Masked(name, LANEDIFF_HALF, {kDst, kSrc},
                         {"dstRepStride", "srcBlkStride", "srcRepStride"});
      EXPECT_EQ(Ranges(std::move(call.On(product))),
                std::string("dstRepStride ") + least +
                    "..65535, srcBlkStride 0..65535, srcRepStride 0..65535, "
                    "repeatTime 0..255, mask 1..128")
          << name;
    }
  }
  EXPECT_EQ(Ranges(Masked("ReduceMax", LANEDIFF_HALF, {kDst, kSrc, kTmp},
                          {"srcRepStride", "calIndex"})),
            "srcRepStride 0..65535, calIndex 0..1, repeatTime 0..2147483647, "
            "mask 1..128");
}

TEST(ParameterRanges, OfCallsThatMoveAndSort) {
  struct Row {
    const char* name;
    Operands operands;
    Names ones;
    const char* ranges;
  };
  const std::string lengths =
      "elementLengths0 0..4095, elementLengths3 0..4095, "
      "ifExhaustedSuspension 0..1, repeatTimes ";
  const Operands moving = {kDst, kSrc, kOffset};
  const Operands lists = {kDst, kSrc0, kSrc1, kSrc2, kSrc3};
  const Names merging = {"elementLengths0", "elementLengths3",
                         "ifExhaustedSuspension", "repeatTimes"};
  for (const Row& row : {
           Row{"Gatherb",
               moving,
               {"dstBlkStride", "dstRepStride"},
               "dstBlkStride 0..255, dstRepStride 0..255, repeatTime 0..255"},
           Row{"Brcb",
               moving,
               {"dstBlkStride", "dstRepStride"},
               "dstBlkStride 0..65535, dstRepStride 0..65535, repeatTime "
               "0..255"},
           Row{"RpSort16", moving, {}, "repeatTime 0..255"},
           Row{"ProposalConcat",
               moving,
               {"modeNumber"},
               "modeNumber 0..5, repeatTime 0..255"},
       }) {
    Call call = With(row.name, LANEDIFF_HALF, row.operands, row.ones);
    EXPECT_EQ(Ranges(std::move(call.Number("repeatTime", 1))), row.ranges)
        << row.name;
  }
  for (const auto& [name, base, repeat, most] :
       {std::tuple("Gather", "srcBaseAddr", "dstRepStride", "65535"),
        std::tuple("Scatter", "dstBaseAddr", "srcRepStride", "255")}) {
    Call call = With(name, LANEDIFF_HALF, moving);
    call.Number(base, 2).Number(repeat, 2).Mask(1, 1);
    EXPECT_EQ(Ranges(std::move(call)), std::string(base) + " 0..4294967295, " +
                                           repeat + " 0.." + most +
                                           ", repeatTime 0..255, mask 1..128");
  }
  EXPECT_EQ(Ranges(With("TransDataTo5HD", LANEDIFF_HALF, {kDst, kSrc},
                        {"dstHighHalf", "srcHighHalf", "repeatTimes",
                         "dstRepStride", "srcRepStride"})),
            "dstHighHalf 0..1, srcHighHalf 0..1, repeatTimes 0..255, "
            "dstRepStride 0..65535, srcRepStride 0..65535");
  Call all = With("Sort", LANEDIFF_FLOAT, {kDst, kSrc0, kTmp},
                  {"isFullSort", "repeatTime"});
  all.Operand(kSrc1, LANEDIFF_UINT32, 16384);
  EXPECT_EQ(Ranges(std::move(all)), "isFullSort 0..1, repeatTime 0..255");
  for (const auto& [name, repeat] :
       {std::pair("MrgSort", "0..255"), std::pair("MrgSort4", "1..255")}) {
    Call call = With(name, LANEDIFF_HALF, lists, merging);
    EXPECT_EQ(Ranges(std::move(call.Number("validBit", 15))), lengths + repeat);
  }
}

/// What is touched of a call without its parameters is what it is with `values`
/// for them.
void ExpectDefaults(Call&& call, const Names& names,
                    const std::vector<std::int64_t>& values) {
  const std::string touched = call.Touched();
  EXPECT_FALSE(touched.empty());
  EXPECT_EQ(touched, call.Numbers(names, values).Touched());
}

TEST(ParameterDefaults, AreThoseOfTheTable) {
  const auto of = [](const char* name, const Operands& operands,
                     const Names& ones = {}) {
    return With(name, LANEDIFF_HALF, operands, ones);
  };
  const auto masked = [&](const char* name, const Operands& operands) {
    Call call = of(name, operands);
    call.MaskBits(0x10001, 0, 2);
    return call;
  };
  ExpectDefaults(masked("Subs", {kDst, kSrc}), kOneSource, {1, 1, 8, 8});
  ExpectDefaults(masked("Div", {kDst, kSrc0, kSrc1}), kTwoSources,
                 {1, 1, 1, 8, 8, 8});
  ExpectDefaults(masked("Copy", {kDst, kSrc}),
                 {"dstStride", "srcStride", "dstRepeatSize", "srcRepeatSize"},
                 {1, 1, 8, 8});
  ExpectDefaults(of("GatherMask", {kDst, kSrc0}),
                 {"src1Pattern", "reduceMode", "src0BlockStride", "repeatTimes",
                  "src0RepeatStride", "src1RepeatStride"},
                 {7, 0, 1, 1, 8, 0});
  ExpectDefaults(of("GatherMask", {kDst, kSrc0}, {"reduceMode"}), {"mask"},
                 {1});
  ExpectDefaults(masked("WholeReduceMax", {kDst, kSrc}),
                 {"dstRepStride", "srcBlkStride", "srcRepStride"}, {1, 1, 8});
  ExpectDefaults(masked("ReduceMax", {kDst, kSrc}),
                 {"srcRepStride", "calIndex"}, {8, 0});
  ExpectDefaults(of("Brcb", {kDst, kSrc0}),
                 {"dstBlkStride", "dstRepStride", "repeatTime"}, {1, 8, 1});
  ExpectDefaults(of("RpSort16", {kDst, kSrc}), {"repeatTime"}, {1});
  ExpectDefaults(masked("Gather", {kDst, kSrc, kOffset}),
                 {"srcBaseAddr", "dstRepStride"}, {0, 8});
  ExpectDefaults(
      of("MrgSort", {kDst, kSrc0, kSrc1, kSrc2, kSrc3}, {"elementLengths2"}),
      {"validBit", "elementLengths0", "ifExhaustedSuspension", "repeatTimes"},
      {15, 0, 0, 1});
}

}  // namespace
}  // namespace lanediff::kernel
