#include "isa/whole_reduce_sum.h"

#include "isa/catalogue.h"

namespace lanediff::isa {
namespace {
using enum DType;
using enum Effect;
using enum Product;
using enum Provenance;
using EvidenceLevel::kDeviceResults;
using EvidenceLevel::kPublishedResult;
using EvidenceLevel::kVendorTables;
constexpr std::string_view kOp = WholeReduceSum::kOp;

std::vector<Rule> ParameterRules() {
  return {
      {wrs::kProduct,
       kOp,
       kReject,
       "The product is atlas-training, atlas-inference-aicore, atlas-a2, "
       "atlas-a3 or atlas-200i-500-a2.",
       {{kDocumented, "WholeReduceSum · 产品支持情况", "", kVendorTables}},
       {},
       {},
       Topic::kProduct},
      {wrs::kDtype,
       kOp,
       kReject,
       "T is half or float, on every product.",
       {{kDocumented, "WholeReduceSum · 参数说明 · dst, src", "",
         kVendorTables}}},
      {wrs::kDtypeMatch,
       kOp,
       kReject,
       "dst and src have type T.",
       {{kDocumented, "WholeReduceSum · 参数说明 · src", "", kVendorTables}}},
      {wrs::kPosition,
       kOp,
       kReject,
       "dst and src are at VECIN, VECCALC or VECOUT.",
       {{kDocumented, "WholeReduceSum · 参数说明 · dst, src", "",
         kVendorTables}}},
      {wrs::kDstAlign,
       kOp,
       kReject,
       "dst.at is a multiple of the size of T.",
       {{kDocumented, "WholeReduceSum · 参数说明 · dst", "", kVendorTables}}},
      {wrs::kSrcAlign,
       kOp,
       kReject,
       "src.at is a multiple of 32 bytes.",
       {{kDocumented, "WholeReduceSum · 参数说明 · src", "", kVendorTables}}},
      {wrs::kRepeat,
       kOp,
       kReject,
       "repeatTimes is in its range.",
       {{kDocumented, "WholeReduceSum · 参数说明 · repeatTime", "",
         kVendorTables}},
       {{"repeatTimes", 0, 255}}},
      {wrs::kStrideRange,
       kOp,
       kReject,
       "The three strides are in their ranges.",
       {{kSupplement, "ReduceRepeat · 参数说明"}},
       {{"dstRepStride", 0, 65535},
        {"srcBlkStride", 0, 65535},
        {"srcRepStride", 0, 65535}}},
      {wrs::kDstRepStrideZero,
       kOp,
       kReject,
       "dstRepStride is not 0 on atlas-training.",
       {{kDocumented, "WholeReduceSum · 参数说明 · dstRepStride", "",
         kVendorTables}}},
      {wrs::kMaskContiguous,
       kOp,
       kReject,
       "With isSetMask, a contiguous mask is in the range of the type's width.",
       {{kDocumented, "WholeReduceSum · 参数说明 · mask", "", kVendorTables}},
       {{"mask", 1, 128, 16}, {"mask", 1, 64, 32}, {"mask", 1, 32, 64}}},
      {wrs::kMaskBits,
       kOp,
       kReject,
       "With isSetMask, a bitwise mask fits the type's width: 16 bits: not "
       "both words 0; 32 bits: mask[1] is 0 and mask[0] is not; 64 bits: "
       "mask[1] is 0 and mask[0] is 1 to 2^32-1.",
       {{kDocumented, "WholeReduceSum · 参数说明 · mask", "the ranges",
         kVendorTables},
        {kSupplement, "掩码 · 通用说明",
         "mask[1] is 0, where the page has one word"}}},
      {wrs::kPlaceholder,
       kOp,
       kReject,
       "Without isSetMask, the mask is MASK_PLACEHOLDER (0, or two words 0) "
       "and the mask register determines which lanes take part.",
       {{kDocumented, "WholeReduceSum · 参数说明 · isSetMask",
         "that it is MASK_PLACEHOLDER", kVendorTables},
        {kSupplement, "asc-devkit kernel_reg.h · MASK_PLACEHOLDER",
         "the value 0"}}},
  };
}

std::vector<Rule> PlaceRules() {
  return {
      {wrs::kBounds,
       kOp,
       kReject,
       "Each operand's window lies inside its memory, and every element "
       "written and every participating lane read inside its operand's window.",
       {{kAssumed, "", "what lies inside"},
        {kSupplement,
         "NPU架构版本2201 · 存储单元; asc-devkit kernel_utils_constants.h · "
         "TOTAL_UB_SIZE",
         "how large each memory is"}},
       {},
       Stage::kBounds},
      {wrs::kOverlapIteration,
       kOp,
       kReject,
       "In each iteration the written element and the lanes read share no "
       "byte, or the element starts where the lowest participating lane "
       "starts.",
       {{kDocumented, "通用说明和约束 · 通用地址重叠约束"},
        {kAssumed, "", "what complete overlap means for one element"}},
       {},
       Stage::kOverlap},
      {wrs::kOverlapDependency,
       kOp,
       kReject,
       "No iteration's written element shares a byte with a lane that a later "
       "iteration reads.",
       {{kDocumented, "通用说明和约束 · 通用地址重叠约束"}},
       {},
       Stage::kOverlap},
      {wrs::kAddress,
       kOp,
       kSemantics,
       "Lane k of iteration r is read at src.at + 32·(r·srcRepStride + "
       "(k div L)·srcBlkStride) + (k mod L)·sizeof(T) with L = 32/sizeof(T); "
       "the sum is written at dst.at + r·dstRepStride·sizeof(T) and nothing "
       "else is written; lanes that take no part are not read.",
       {{kDocumented, "WholeReduceSum · 参数说明", "units and strides",
         kVendorTables},
        {kDocumented, "WholeReduceSum · 调用示例",
         "4 iterations of 128 halves side by side", kDeviceResults},
        {kDocumented, "高维切分 · 地址间隔配置", "stride 0 and strides 1 to 7"},
        {kAssumed, "", "reads before writes"}},
       {},
       {},
       Topic::kAddress},
      {wrs::kMaskLanes,
       kOp,
       kSemantics,
       "A contiguous mask means the first lanes; bit i of mask[0] is lane i "
       "and bit i of mask[1] lane 64+i, so that [8,0] is the fourth element "
       "alone and [8,2] the fourth and the 66th.",
       {{kDocumented, "WholeReduceSum · 参数说明 · mask"},
        {kSupplement, "ReduceRepeat · 参数说明", "[8,2]"}},
       {},
       {},
       Topic::kAddress},
  };
}

std::vector<Rule> SumRules() {
  return {
      {wrs::kTree,
       kOp,
       kSemantics,
       "Lanes are added as a binary tree of neighbours over 128 (half) or 64 "
       "(float) leaves, never compacted: (0,1)(2,3)…, then neighbours of the "
       "results. A node with one participating side is that side, unchanged, a "
       "node with none takes no part; each add is rounded once.",
       {{kDocumented, "WholeReduceSum · 约束说明", "the tree"},
        {kSupplement, "Memory矢量计算接口边界值汇总 · 表38",
         "one rounding for each node", kPublishedResult},
        {kAssumed, "", "lanes that take no part"}},
       {},
       {},
       Topic::kValue},
      {wrs::kSaturate,
       kOp,
       kSemantics,
       "half in saturation mode: an add beyond ±65504 or infinite gives "
       "±65504 and one that is NaN +0.0, at each node and once more where the "
       "value is written. With the mode off, and for float: IEEE 754.",
       {{kDocumented, "WholeReduceSum · 约束说明", "65504"},
        {kSupplement, "Memory矢量计算接口边界值汇总 · 表38",
         "the negative side, NaN and the mode on atlas-a2 and atlas-a3",
         kPublishedResult},
        {kAssumed, "",
         "the negative side, NaN and the mode on the other products"}},
       {},
       {},
       Topic::kSaturate},
      {wrs::kInOrder,
       kOp,
       kSemantics,
       "Iterations run in order; with dstRepStride 0 the last one wins.",
       {{kSupplement,
         "asc-devkit kernel_operator_vec_reduce_impl.h · "
         "WholeReduceSumImpl",
         "on atlas-200i-500-a2, where only the last one is computed"},
        {kAssumed, "", "on the other products"}}},
      {wrs::kRepeatZero,
       kOp,
       kNote,
       "repeatTimes 0 does nothing.",
       {{kSupplement, "ReduceRepeat · 约束说明", "on atlas-a2 and atlas-a3"},
        {kAssumed, "", "on the other products"}}},
      {wrs::kMaskEmpty,
       kOp,
       kNote,
       "isSetMask is false and no lane of T's width is set in the mask "
       "register: nothing is written.",
       {{kSupplement, "ReduceRepeat · 约束说明", "on atlas-a2 and atlas-a3"},
        {kAssumed, "", "on the other products"}}},
  };
}

}  // namespace

template <>
Instruction Describe<WholeReduceSum>() {
  Instruction instruction = {.op = kOp,
                             .slug = WholeReduceSum::kSlug,
                             .products = {kAtlasTraining, kAtlasInferenceAicore,
                                          kAtlasA2, kAtlasA3, kAtlas200i500A2},
                             .dtypes = {kHalf, kFloat},
                             .masked = true,
                             .arithmetic = true,
                             .rules = ParameterRules()};
  for (const auto& more : {PlaceRules(), SumRules()}) {
    instruction.rules.insert(instruction.rules.end(), more.begin(), more.end());
  }
  return instruction;
}

}  // namespace lanediff::isa
