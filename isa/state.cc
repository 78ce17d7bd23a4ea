#include "isa/state.h"

#include "isa/catalogue.h"
#include "isa/step.h"

namespace lanediff::isa {
namespace {
using enum Effect;
using enum Provenance;
using EvidenceLevel::kPublishedResult;
constexpr std::string_view kCommon = "common";

std::vector<std::string_view> OpsWithOperands() {
  std::vector<std::string_view> ops = {GetValue::kOp, SetValue::kOp};
  ForEachIntrinsic([&]<class Call>() { ops.push_back(Call::kOp); });
  return ops;
}

}  // namespace

std::vector<Rule> CommonRules() {
  return {
      {state::kMaskRegister,
       kCommon,
       kSemantics,
       "The vector mask register has 128 bits, all ones at the start; types of "
       "32 bits see its low 64 bits only. SetVectorMask sets it; an executed "
       "call with isSetMask leaves it at that call's own mask, also with no "
       "iteration; calls without isSetMask read it and leave it.",
       {{kDocumented, "Min · isSetMask", "set by SetVectorMask and read"},
        {kSupplement,
         "掩码 · 接口内设置Mask; asc-devkit kernel_utils_base.h · SetMask",
         "what calls leave behind"}}},
      {state::kSaturation,
       kCommon,
       kSemantics,
       "In saturation mode, on at the start, the result of each half operation "
       "and each half value written is kept within ±65504 and a NaN becomes "
       "+0.0; with the mode off half follows IEEE 754. float always does. An "
       "int16 or int32 sum, difference or product outside its type becomes the "
       "type's smallest or largest value in saturation mode and keeps its low "
       "bits with the mode off.",
       {{kDocumented, "RepeatReduceSum, WholeReduceSum · 约束说明",
         "65504 in the sum"},
        {kSupplement,
         "Memory矢量计算接口边界值汇总 · 概述, 表9, 表10, 表11, 表13, 表14, "
         "表38",
         "everything else on atlas-a2 and atlas-a3", kPublishedResult},
        {kAssumed, "",
         "the other products, and on at the start for all but the sums"}}},
      {arith::kRound,
       kCommon,
       kSemantics,
       "Every operation is computed exactly and rounded once to its type, to "
       "nearest, ties to even.",
       // Published boundary values fit this rounding and no other.
       {{kSupplement, "Memory矢量计算接口边界值汇总 · 表38",
         "the nodes of a sum", kPublishedResult},
        {kAssumed, "", "everything else"}}},
      {arith::kSubnormal,
       kCommon,
       kSemantics,
       "Subnormal numbers are kept, as inputs and as results.",
       {{kAssumed, ""}}},
      {arith::kZeroSign,
       kCommon,
       kSemantics,
       "-0.0 and +0.0 are different results. Signs of zero are those of IEEE "
       "754; of +0.0 and -0.0 the minimum is -0.0 and the maximum +0.0, in "
       "either order.",
       {{kSupplement,
         "Memory矢量计算接口边界值汇总 · 表9, 表10, 表11, 表13, 表14, 表38", "",
         kPublishedResult},
        {kAssumed, "", "either order of minimum and maximum"}}},
      {arith::kNan,
       kCommon,
       kSemantics,
       "A NaN among the inputs gives a NaN, for minimum and maximum, too. One "
       "that an operation makes is the canonical quiet NaN (half 0x7e00, float "
       "0x7fc00000); one that met no operation keeps its bits where saturation "
       "does not replace it. Comparisons treat all NaNs of a type as one.",
       {{kSupplement,
         "Memory矢量计算接口边界值汇总 · 表1, 表9, 表10, 表11, 表13, 表14, "
         "表38",
         "that it is one", kPublishedResult},
        {kAssumed, "", "which one"}}},
      {state::kSaturationProduct,
       SetSaturation::kOp,
       kReject,
       "Saturation can be switched off on atlas-a2 and atlas-a3 only; "
       "switching "
       "it on is legal everywhere.",
       {{kSupplement, "SetSaturationFlag(ISASI) · 产品支持情况"}},
       {},
       {},
       Topic::kProduct},
      OnlyIn(Edition::k2026,
             {state::kUbReserved,
              kCommon,
              kNote,
              "An operand of an executed call lies partly in the last 8 KiB of "
              "UB on atlas-a2 or atlas-a3: its last 256 bytes are never the "
              "kernel's, the rest only with "
              "--cce-disable-asc-reserved-ubuf.",
              {{kSupplement, "NPU架构版本2201 · 存储单元"}},
              {},
              Stage::kParameters,
              Topic::kOther,
              kEveryForm,
              OpsWithOperands()}),
  };
}

}  // namespace lanediff::isa
