// What the pages allow of each parameter, both ends, and what a parameter is
// that a call lacks.

#include <initializer_list>
#include <string>
#include <utility>

#include "kernel/carried/call_testing.h"

namespace lanediff::kernel {
namespace {

using isa::Product;

/// "NAME low..high, …" of the parameters that have a range.
std::string Ranges(Call& call) {
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

/// A call of operands 4 KiB apart, and its parameters, all 1.
Call With(const char* name, std::uint8_t dtype,
          std::initializer_list<isa::OperandName> operands,
          std::initializer_list<const char*> ones = {}) {
  Call call(name);
  std::int64_t at = 0;
  for (const isa::OperandName operand : operands) {
    call.Operand(operand, dtype, at);
    at += 4096;
  }
  for (const char* one : ones) call.Number(one, 1);
  return call;
}
const auto kOneSource = {"dstBlkStride", "srcBlkStride", "dstRepStride",
                         "srcRepStride"};
const auto kTwoSources = {"dstBlkStride", "src0BlkStride", "src1BlkStride",
                          "dstRepStride", "src0RepStride", "src1RepStride"};
const std::string kOneSourceRanges =
    "dstBlkStride 1..255, srcBlkStride 0..255, dstRepStride 0..255, "
    "srcRepStride 0..255, repeatTime 0..255";
const std::string kTwoSourceRanges =
    "src0BlkStride 0..255, src1BlkStride 0..255, dstRepStride 0..255, "
    "src0RepStride 0..255, src1RepStride 0..255, repeatTime 0..255";

TEST(ParameterRanges, OfCallsByLane) {
  Call adds = With("Adds", LANEDIFF_HALF, {kDst, kSrc}, kOneSource);
  adds.Scalar(LANEDIFF_HALF, 0).Mask(1, 1);
  EXPECT_EQ(Ranges(adds), kOneSourceRanges + ", mask 1..128");
  Call cast = With("Cast", LANEDIFF_FLOAT, {kDst, kSrc}, kOneSource);
  cast.Word("roundMode", "CAST_RINT").Mask(1, 1);
  EXPECT_EQ(Ranges(cast), kOneSourceRanges + ", mask 1..64");
  Call both = With("And", LANEDIFF_INT16, {kDst, kSrc0, kSrc1}, kTwoSources);
  both.Mask(1, 1);
  EXPECT_EQ(Ranges(both),
            "dstBlkStride 1..255, " + kTwoSourceRanges + ", mask 1..128");
  Call fill = With("Duplicate", LANEDIFF_FLOAT, {kDst},
                   {"dstBlockStride", "dstRepeatStride"});
  fill.Scalar(LANEDIFF_FLOAT, 0).Mask(1, 1);
  EXPECT_EQ(Ranges(fill),
            "dstBlockStride 0..65535, dstRepeatStride 0..255, repeatTime "
            "0..255, mask 1..64");
  Call copy =
      With("Copy", LANEDIFF_FLOAT, {kDst, kSrc},
           {"dstStride", "srcStride", "dstRepeatSize", "srcRepeatSize"});
  copy.Mask(1, 1);
  EXPECT_EQ(Ranges(copy),
            "dstStride 0..65535, srcStride 0..65535, dstRepeatSize 0..4095, "
            "srcRepeatSize 0..4095, repeatTime 0..255, mask 1..64");
  Call index = With("CreateVecIndex", LANEDIFF_INT32, {kDst},
                    {"dstBlkStride", "dstRepStride"});
  index.Scalar(LANEDIFF_INT32, 0).Mask(1, 1);
  EXPECT_EQ(Ranges(index),
            "dstBlkStride 0..65535, dstRepStride 0..255, repeatTime 0..255, "
            "mask 1..64");
  Call count = With("Adds", LANEDIFF_HALF, {kDst, kSrc});
  count.Scalar(LANEDIFF_HALF, 0).Count(1);
  EXPECT_EQ(Ranges(count), "count 0..2147483647");
  Call words = With("Adds", LANEDIFF_FLOAT, {kDst, kSrc});
  words.Scalar(LANEDIFF_FLOAT, 0).MaskBits(1, 0, 1);
  EXPECT_EQ(Ranges(words), "repeatTime 0..255, maskHigh 0..0");
  Call shift = With("ShiftLeft", LANEDIFF_INT16, {kDst, kSrc}, {"roundEn"});
  shift.Scalar(LANEDIFF_INT16, 1).Count(1);
  EXPECT_EQ(Ranges(shift), "count 0..2147483647, scalarValue 0..16");
  Call right = With("ShiftRight", LANEDIFF_INT32, {kDst, kSrc}, {"roundEn"});
  right.Scalar(LANEDIFF_INT32, 1).Count(1);
  EXPECT_EQ(Ranges(right),
            "roundEn 0..1, count 0..2147483647, scalarValue 0..32");
}

TEST(ParameterRanges, OfComparisonsAndSelections) {
  Call compare("Compare");
  compare.Operand(kDst, LANEDIFF_UINT8, 8192)
      .Operand(kSrc0, LANEDIFF_FLOAT, 0)
      .Operand(kSrc1, LANEDIFF_FLOAT, 4096);
  for (const char* one : kTwoSources) compare.Number(one, 1);
  compare.Word("cmpMode", "LT").Mask(1, 1);
  EXPECT_EQ(Ranges(compare), "dstBlkStride 0..255, " + kTwoSourceRanges);
  Call select("Select");
  select.Operand(kDst, LANEDIFF_HALF, 8192)
      .Operand(kMask, LANEDIFF_UINT8, 16384)
      .Operand(kSrc0, LANEDIFF_HALF, 0)
      .Operand(kSrc1, LANEDIFF_HALF, 4096);
  for (const char* one : kTwoSources) select.Number(one, 1);
  select.Word("selMode", "VSEL_CMPMASK_SPR").Mask(1, 1);
  EXPECT_EQ(Ranges(select),
            "dstBlkStride 1..255, " + kTwoSourceRanges + ", mask 1..128");
  Call gather = With("GatherMask", LANEDIFF_HALF, {kDst, kSrc0},
                     {"src1Pattern", "reduceMode", "mask", "src0BlockStride",
                      "repeatTimes", "src0RepeatStride", "src1RepeatStride"});
  EXPECT_EQ(Ranges(gather),
            "src1Pattern 1..7, reduceMode 0..1, mask 1..4294967295, "
            "src0BlockStride 0..255, repeatTimes 0..255, src0RepeatStride "
            "0..65535, src1RepeatStride 0..255");
  gather.On(Product::kAtlasInferenceAicore);
  EXPECT_EQ(Ranges(gather).substr(0, 16), "src1Pattern 1..6");
}

TEST(ParameterRanges, OfReductions) {
  for (const char* name :
       {"WholeReduceMax", "BlockReduceSum", "PairReduceSum"}) {
    Call call = With(name, LANEDIFF_HALF, {kDst, kSrc},
                     {"dstRepStride", "srcBlkStride", "srcRepStride"});
    call.Mask(1, 1);
    const std::string rest =
        "..65535, srcBlkStride 0..65535, srcRepStride 0..65535, repeatTime "
        "0..255, mask 1..128";
    EXPECT_EQ(Ranges(call), "dstRepStride 0" + rest) << name;
    call.On(Product::kAtlasTraining);
    EXPECT_EQ(Ranges(call), "dstRepStride 1" + rest) << name;
  }
  Call all = With("ReduceMax", LANEDIFF_HALF, {kDst, kSrc, kTmp},
                  {"srcRepStride", "calIndex"});
  all.Mask(1, 1);
  EXPECT_EQ(Ranges(all),
            "srcRepStride 0..65535, calIndex 0..1, repeatTime 0..2147483647, "
            "mask 1..128");
}

TEST(ParameterRanges, OfCallsThatMove) {
  const auto moving = [](const char* name, isa::OperandName src,
                         std::initializer_list<const char*> names) {
    Call call(name);
    call.Operand(kDst, LANEDIFF_HALF, 8192).Operand(src, LANEDIFF_HALF, 0);
    call.Operand(kOffset, LANEDIFF_UINT32, 4096);
    for (const char* one : names) call.Number(one, 2);
    return call;
  };
  Call gather = moving("Gather", kSrc, {"srcBaseAddr", "dstRepStride"});
  gather.Mask(1, 1);
  EXPECT_EQ(Ranges(gather),
            "srcBaseAddr 0..4294967295, dstRepStride 0..65535, repeatTime "
            "0..255, mask 1..128");
  Call scatter = moving("Scatter", kSrc, {"dstBaseAddr", "srcRepStride"});
  scatter.Mask(1, 1);
  EXPECT_EQ(Ranges(scatter),
            "dstBaseAddr 0..4294967295, srcRepStride 0..255, repeatTime "
            "0..255, mask 1..128");
  const auto strides = {"dstBlkStride", "dstRepStride", "repeatTime"};
  Call blocks = moving("Gatherb", kSrc0, strides);
  EXPECT_EQ(Ranges(blocks),
            "dstBlkStride 0..255, dstRepStride 0..255, repeatTime 0..255");
  Call spread = moving("Brcb", kSrc0, strides);
  EXPECT_EQ(Ranges(spread),
            "dstBlkStride 0..65535, dstRepStride 0..65535, repeatTime 0..255");
  Call rows = With("TransDataTo5HD", LANEDIFF_HALF, {kDst, kSrc},
                   {"dstHighHalf", "srcHighHalf", "repeatTimes", "dstRepStride",
                    "srcRepStride"});
  EXPECT_EQ(Ranges(rows),
            "dstHighHalf 0..1, srcHighHalf 0..1, repeatTimes 0..255, "
            "dstRepStride 0..65535, srcRepStride 0..65535");
}

TEST(ParameterRanges, OfCallsThatSort) {
  Call sort = With("RpSort16", LANEDIFF_HALF, {kDst, kSrc}, {"repeatTime"});
  EXPECT_EQ(Ranges(sort), "repeatTime 0..255");
  Call all("Sort");
  all.Operand(kDst, LANEDIFF_FLOAT, 8192).Operand(kSrc0, LANEDIFF_FLOAT, 0);
  all.Operand(kSrc1, LANEDIFF_UINT32, 4096)
      .Operand(kTmp, LANEDIFF_FLOAT, 16384);
  all.Number("isFullSort", 0).Number("repeatTime", 1);
  EXPECT_EQ(Ranges(all), "isFullSort 0..1, repeatTime 0..255");
  const auto merging = [](const char* name) {
    Call call = With(name, LANEDIFF_HALF, {kDst, kSrc0, kSrc1, kSrc2, kSrc3},
                     {"elementLengths0", "elementLengths3",
                      "ifExhaustedSuspension", "repeatTimes"});
    call.Number("validBit", 15);
    return Ranges(call);
  };
  const std::string lengths =
      "elementLengths0 0..4095, elementLengths3 0..4095, "
      "ifExhaustedSuspension 0..1, repeatTimes ";
  EXPECT_EQ(merging("MrgSort"), lengths + "0..255");
  EXPECT_EQ(merging("MrgSort4"), lengths + "1..255");
  Call fields = With("ProposalConcat", LANEDIFF_HALF, {kDst, kSrc},
                     {"modeNumber", "repeatTime"});
  EXPECT_EQ(Ranges(fields), "modeNumber 0..5, repeatTime 0..255");
}

/// What is touched of a call without its parameters is what it is with `values`
/// for them.
void ExpectDefaults(Call call, std::initializer_list<const char*> names,
                    std::initializer_list<std::int64_t> values) {
  const std::string touched = call.Touched();
  EXPECT_FALSE(touched.empty());
  EXPECT_EQ(touched, call.Numbers(names, values).Touched());
}

TEST(ParameterDefaults, AreThoseOfTheTable) {
  const auto masked = [](Call call) {
    call.MaskBits(0x10001, 0, 2);
    return call;
  };
  const auto with_scalar = [](Call call) {
    call.Scalar(LANEDIFF_HALF, 0);
    return call;
  };
  ExpectDefaults(with_scalar(masked(With("Adds", LANEDIFF_HALF, {kDst, kSrc}))),
                 kOneSource, {1, 1, 8, 8});
  ExpectDefaults(masked(With("And", LANEDIFF_INT16, {kDst, kSrc0, kSrc1})),
                 kTwoSources, {1, 1, 1, 8, 8, 8});
  ExpectDefaults(masked(With("Copy", LANEDIFF_HALF, {kDst, kSrc})),
                 {"dstStride", "srcStride", "dstRepeatSize", "srcRepeatSize"},
                 {1, 1, 8, 8});
  ExpectDefaults(with_scalar(masked(With("Duplicate", LANEDIFF_HALF, {kDst}))),
                 {"dstBlockStride", "dstRepeatStride"}, {1, 8});
  ExpectDefaults(With("GatherMask", LANEDIFF_HALF, {kDst, kSrc0}),
                 {"src1Pattern", "reduceMode", "src0BlockStride", "repeatTimes",
                  "src0RepeatStride", "src1RepeatStride"},
                 {7, 0, 1, 1, 8, 0});
  ExpectDefaults(
      With("GatherMask", LANEDIFF_HALF, {kDst, kSrc0}, {"reduceMode"}),
      {"mask"}, {1});
  ExpectDefaults(masked(With("WholeReduceMax", LANEDIFF_HALF, {kDst, kSrc})),
                 {"dstRepStride", "srcBlkStride", "srcRepStride"}, {1, 1, 8});
  ExpectDefaults(masked(With("ReduceMax", LANEDIFF_HALF, {kDst, kSrc})),
                 {"srcRepStride", "calIndex"}, {8, 0});
  ExpectDefaults(With("Brcb", LANEDIFF_HALF, {kDst, kSrc0}),
                 {"dstBlkStride", "dstRepStride", "repeatTime"}, {1, 8, 1});
  ExpectDefaults(With("RpSort16", LANEDIFF_HALF, {kDst, kSrc}), {"repeatTime"},
                 {1});
  Call gather("Gather");
  gather.Operand(kDst, LANEDIFF_HALF, 8192)
      .Operand(kSrc, LANEDIFF_HALF, 0)
      .Operand(kOffset, LANEDIFF_UINT32, 4096);
  ExpectDefaults(masked(std::move(gather)), {"srcBaseAddr", "dstRepStride"},
                 {0, 8});
  ExpectDefaults(
      With("MrgSort", LANEDIFF_HALF, {kDst, kSrc0, kSrc1, kSrc2, kSrc3},
           {"elementLengths2"}),
      {"validBit", "elementLengths0", "ifExhaustedSuspension", "repeatTimes"},
      {15, 0, 0, 1});
}

}  // namespace
}  // namespace lanediff::kernel
