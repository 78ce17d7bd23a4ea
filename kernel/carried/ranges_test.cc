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
  Call cast = Masked("Cast", LANEDIFF_HALF, {kDst, kSrc}, kOneSource);
  cast.call.operands[1].dtype = LANEDIFF_INT32;  // by SetDeqScale's scale
  EXPECT_EQ(Ranges(std::move(cast)), kOneSourceRanges + ", mask 1..64");
  EXPECT_EQ(
      Ranges(Masked("Prelu", LANEDIFF_HALF, {kDst, kSrc0, kSrc1}, kTwoSources)),
      "dstBlkStride 1..255, " + kTwoSourceRanges + ", mask 1..128");
  Call count = With("Subs", LANEDIFF_HALF, {kDst, kSrc});
  EXPECT_EQ(Ranges(std::move(count.Count(1))), "count 0..2147483647");
  Call words = With("Subs", LANEDIFF_FLOAT, {kDst, kSrc});
  EXPECT_EQ(Ranges(std::move(words.MaskBits(1, 0, 1))),
            "repeatTime 0..255, maskHigh 0..0");
}

TEST(ParameterRanges, OfComparisonsAndSelections) {
  EXPECT_EQ(
      Ranges(Masked("Compare", LANEDIFF_FLOAT, {kSrc0, kSrc1}, kTwoSources)),
      "src0BlkStride 0..255, src1BlkStride 0..255, src0RepStride 0..255, "
      "src1RepStride 0..255, repeatTime 0..255, mask 1..64");
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
  ExpectDefaults(masked("Prelu", {kDst, kSrc0, kSrc1}), kTwoSources,
                 {1, 1, 1, 8, 8, 8});
  ExpectDefaults(of("GatherMask", {kDst, kSrc0}),
                 {"src1Pattern", "reduceMode", "src0BlockStride", "repeatTimes",
                  "src0RepeatStride", "src1RepeatStride"},
                 {7, 0, 1, 1, 8, 0});
  ExpectDefaults(of("GatherMask", {kDst, kSrc0}, {"reduceMode"}), {"mask"},
                 {1});
  ExpectDefaults(masked("ReduceMax", {kDst, kSrc}),
                 {"srcRepStride", "calIndex"}, {8, 0});
  ExpectDefaults(of("RpSort16", {kDst, kSrc}), {"repeatTime"}, {1});
  ExpectDefaults(masked("Gather", {kDst, kSrc, kOffset}),
                 {"srcBaseAddr", "dstRepStride"}, {0, 8});
  ExpectDefaults(
      of("MrgSort", {kDst, kSrc0, kSrc1, kSrc2, kSrc3}, {"elementLengths2"}),
      {"validBit", "elementLengths0", "ifExhaustedSuspension", "repeatTimes"},
      {15, 0, 0, 1});
}

/// "KIND: TEXT" of what the call's page does not list, or "".
std::string Unlisted(Call& call) {
  call.Raw();
  const auto one = UnlistedBy(call.call);
  return one ? one->name + ": " + std::get<std::string>(one->value) : "";
}

TEST(Pages, ListEveryCallButThoseOfPto) {
  for (const std::string_view name : CarriedNames()) {
    Call call = Of(name.data(), LANEDIFF_HALF, {kDst, kSrc});
    call.On(Product::kAtlas200_300_500);
    EXPECT_EQ(Unlisted(call).empty(), name == "TLOAD" || name == "TSTORE")
        << name << ": " << Unlisted(call);
  }
  EXPECT_EQ(CarriedNames().size(), 43U);
}

TEST(Pages, NameWhatTheyList) {
  struct Row {
    const char* call;
    Product product;
    std::uint8_t dst;
    std::uint8_t src;
    std::string unlisted;
    const char* word = nullptr;
    const char* value = "";
  };
  constexpr auto kA2 = Product::kAtlasA2;
  constexpr auto k310p = Product::kAtlasInferenceAicore;
  constexpr auto k310b = Product::kAtlas200i500A2;
  constexpr auto k910 = Product::kAtlasTraining;
  constexpr std::uint8_t kHalf = LANEDIFF_HALF;
  constexpr std::uint8_t kFloat = LANEDIFF_FLOAT;
  const std::string product = "unlisted product: the product is ";
  const std::string dtype = "unlisted dtype: dst<src is ";
  const Row rows[] = {
      {"Neg", kA2, kHalf, kHalf,
       product + "atlas-a2; page Neg(ISASI) lists none that is known here"},
      {"Scatter", kA2, kHalf, kHalf,
       product + "atlas-a2; page Scatter(ISASI) lists atlas-200i-500-a2 or "
                 "atlas-inference-aicore"},
      {"Scatter", k310p, kHalf, kHalf, ""},
      {"Scatter", k310p, LANEDIFF_INT16, LANEDIFF_INT16,
       dtype + "int16_t; page Scatter(ISASI) lists uint16_t, half, uint32_t or "
               "float on atlas-inference-aicore"},
      {"Copy", k310p, kHalf, kHalf,
       product +
           "atlas-inference-aicore; page Copy lists atlas-a2, atlas-a3 or "
           "atlas-200i-500-a2"},
      {"Gatherb", kA2, kHalf, kHalf,
       dtype +
           "half; page Gatherb(ISASI) lists uint16_t or uint32_t on atlas-a2"},
      {"Gatherb", k310b, kHalf, kHalf, ""},
      {"ReduceMax", k910, kFloat, kFloat,
       dtype + "float; page ReduceMax lists half on atlas-training"},
      {"Axpy", kA2, kFloat, kHalf, ""},
      {"Axpy", kA2, kHalf, kFloat,
       dtype + "half<float; page Axpy lists half, float<half or float on "
               "atlas-a2"},
      {"Transpose", kA2, LANEDIFF_BFLOAT16, LANEDIFF_BFLOAT16,
       dtype + "bfloat16_t; page Transpose lists int16_t, uint16_t or half on "
               "atlas-a2"},
      {"Transpose", kA2, kFloat, kFloat, "", "transposeType",
       "TRANSPOSE_NCHW2NHWC"},
      {"MrgSort", k310p, kHalf, kHalf,
       product +
           "atlas-inference-aicore; page MrgSort lists atlas-a2, atlas-a3 or "
           "atlas-200i-500-a2"},
      {"MrgSort", k310p, kHalf, kHalf, "", "sortedNum", "counts"},
      {"TLOAD", k310p, kHalf, kHalf, ""},
      {"no such call", kA2, kHalf, kHalf, ""},
  };
  for (const Row& row : rows) {
    Call call(row.call);
    call.Operand(kDst, row.dst, 0).Operand(kSrc, row.src, 4096);
    call.On(row.product);
    if (row.word != nullptr) call.Word(row.word, row.value);
    EXPECT_EQ(Unlisted(call), row.unlisted) << row.call;
  }
  Call into_register("Compare");
  into_register.Operand(kSrc0, kFloat, 0).On(k310b);
  EXPECT_EQ(Unlisted(into_register),
            product +
                "atlas-200i-500-a2; page Compare（结果存入寄存器） lists "
                "atlas-a2, atlas-a3 or atlas-inference-aicore");
  into_register.On(kA2);
  EXPECT_EQ(Unlisted(into_register), "");
  for (const char* name : {"GetReduceRepeatSumSpr", "GetAccVal"}) {
    Call of_half(name);
    of_half.Scalar(kHalf, 0);
    EXPECT_EQ(Unlisted(of_half), "") << name;
    Call of_int(name);
    of_int.Scalar(LANEDIFF_INT32, 0);
    EXPECT_EQ(Unlisted(of_int),
              "unlisted dtype: the scalar is int32_t; page "
              "GetReduceRepeatSumSpr(ISASI) lists half or float on atlas-a2")
        << name;
  }
  Call merged("GetMrgSortResult");
  EXPECT_EQ(Unlisted(merged), "");
}

}  // namespace
}  // namespace lanediff::kernel
