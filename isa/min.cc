#include "isa/min.h"

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
constexpr std::string_view kOp = Min::kOp;
constexpr std::uint8_t kMaskForms = 1 << Min::kContiguous | 1 << Min::kBitwise;

std::vector<Rule> Rules() {
  return {
      {min::kProduct,
       kOp,
       kReject,
       "The product is atlas-training, atlas-inference-aicore, atlas-a2 or "
       "atlas-200i-500-a2.",
       {{kDocumented, "Min · 支持的型号"}},
       {},
       {},
       Topic::kProduct},
      {min::kDtype,
       kOp,
       kReject,
       "T is half, float or int32, or int16 except on atlas-training. Not "
       "looked at on a product without Min.",
       {{kDocumented, "Min · 参数说明 · dstLocal", "", kVendorTables}}},
      {min::kDtypeMatch,
       kOp,
       kReject,
       "dst, src0 and src1 have type T.",
       {{kDocumented, "Min · 参数说明 · src0Local/src1Local", "",
         kVendorTables}}},
      {min::kPosition,
       kOp,
       kReject,
       "dst, src0 and src1 are at VECIN, VECCALC or VECOUT.",
       {{kDocumented, "Min · 参数说明", "", kVendorTables}}},
      {min::kAlign,
       kOp,
       kReject,
       "Each operand's at is a multiple of 32 bytes.",
       {{kDocumented, "Min · 参数说明", "", kVendorTables}}},
      {min::kCount,
       kOp,
       kReject,
       "count is in its range.",
       {{kDocumented, "Min · 函数原型", "int32_t"},
        {kSupplement, "asc-devkit kernel_npu_debug.h · CheckCalcount",
         "not negative"}},
       {{"count", 0, 2147483647}}},
      {min::kRepeat,
       kOp,
       kReject,
       "repeatTimes is in its range.",
       {{kDocumented, "Min · 函数原型"}},
       {{"repeatTimes", 0, 255}}},
      {min::kStrideRange,
       kOp,
       kReject,
       "The six strides are in their ranges.",
       {{kSupplement, "BinaryRepeatParams · 结构体具体定义"}},
       {{"dstBlkStride", 0, 255},
        {"src0BlkStride", 0, 255},
        {"src1BlkStride", 0, 255},
        {"dstRepStride", 0, 255},
        {"src0RepStride", 0, 255},
        {"src1RepStride", 0, 255}}},
      {min::kDstBlkStrideZero,
       kOp,
       kReject,
       "dstBlkStride is not 0; what happens then is undefined.",
       {{kSupplement, "高维切分 · 地址间隔配置"}}},
      {min::kMaskContiguous,
       kOp,
       kReject,
       "With isSetMask, a contiguous mask is in the range of the type's width.",
       {{kDocumented, "Min · 参数说明 · mask", "", kVendorTables}},
       {{"mask", 1, 128, 16}, {"mask", 1, 64, 32}, {"mask", 1, 32, 64}}},
      {min::kMaskBits,
       kOp,
       kReject,
       "With isSetMask, a bitwise mask fits the type's width: 16 bits: not "
       "both words 0; 32 bits: mask[1] is 0 and mask[0] is not; 64 bits: "
       "mask[1] is 0 and mask[0] is 1 to 2^32-1.",
       {{kDocumented, "Min · 参数说明 · mask", "", kVendorTables}}},
      {min::kPlaceholder,
       kOp,
       kReject,
       "Without isSetMask, the mask is MASK_PLACEHOLDER (0, or two words 0) "
       "and the mask register is used.",
       {{kDocumented, "Min · 参数说明 · isSetMask",
         "that it is MASK_PLACEHOLDER", kVendorTables},
        {kSupplement, "asc-devkit kernel_reg.h · MASK_PLACEHOLDER",
         "the value 0"}}},
      {min::kBounds,
       kOp,
       kReject,
       "Each operand's window lies inside its memory, and every byte read or "
       "written by a participating lane inside its operand's window.",
       {{kAssumed, "", "what lies inside"},
        {kSupplement,
         "NPU架构版本2201 · 存储单元; asc-devkit kernel_utils_constants.h · "
         "TOTAL_UB_SIZE",
         "how large each memory is"}},
       {},
       Stage::kBounds},
      {min::kOverlapIteration,
       kOp,
       kReject,
       "In each iteration dst and each source share no byte or coincide lane "
       "by lane.",
       {{kDocumented, "Min · 注意事项", "one repeat"},
        {kSupplement, "通用说明和约束 · 通用地址重叠约束", "any repeat"}},
       {},
       Stage::kOverlap},
      {min::kOverlapDependency,
       kOp,
       kReject,
       "No byte written by an iteration is read by a later one, except from "
       "src1 for half, int32 and float where src1RepStride or dstRepStride is "
       "0.",
       {{kDocumented, "Min · 注意事项",
         "iterations N and N+1, both strides named with a slash"},
        {kSupplement, "通用说明和约束 · 通用地址重叠约束",
         "any later iteration, and one of the strides is enough"}},
       {},
       Stage::kOverlap},
      {min::kOverlapSources,
       kOp,
       kReject,
       "Where that exception is used, src0 and src1 share no byte over the "
       "whole call.",
       {{kDocumented, "Min · 注意事项"},
        {kAssumed, "",
         "only where a later iteration really reads what an earlier one "
         "wrote"}},
       {},
       Stage::kOverlap},
      {min::kOverlapCount,
       kOp,
       kReject,
       "In the count form dst and each source are disjoint or start at the "
       "same byte.",
       {{kAssumed, ""}},
       {},
       Stage::kOverlap},
      {min::kAddress,
       kOp,
       kSemantics,
       "Lane k of iteration r of an operand is at at + 32·(r·repStride + (k "
       "div L)·blkStride) + (k mod L)·sizeof(T) with L = 32/sizeof(T); the "
       "count form is contiguous.",
       {{kDocumented, "Min · 参数说明 · repeatParams"},
        {kDocumented, "Min · 调用示例",
         "4 iterations of 128 elements side by side", kDeviceResults},
        {kSupplement, "高维切分 · 地址间隔配置",
         "stride 0 and strides 1 to 7"}},
       {},
       {},
       Topic::kAddress},
      {min::kMaskLanes,
       kOp,
       kSemantics,
       "A contiguous mask means the first lanes; bit i of mask[0] is lane i "
       "and bit i of mask[1] lane 64+i, so that [8,0] is the fourth element "
       "alone.",
       {{kDocumented, "Min · 参数说明 · mask"}},
       {},
       {},
       Topic::kAddress,
       kMaskForms},
      {min::kValue,
       kOp,
       kSemantics,
       "The smaller value; NaN in gives NaN out and the minimum of zeros of "
       "both signs is -0. In saturation mode a half result of infinite size "
       "becomes ±65504 and a NaN 0.",
       {{kDocumented, "Min · 功能说明"},
        {kDocumented, "Min · 调用示例", "whole numbers from 1 to 513",
         kDeviceResults},
        {kSupplement, "Memory矢量计算接口边界值汇总 · 表14", "special values",
         kPublishedResult}},
       {},
       {},
       Topic::kValue},
      {min::kUnmasked,
       kOp,
       kSemantics,
       "Bytes of dst in lanes outside the mask do not change.",
       {{kDocumented, "Min · 参数说明 · mask"}},
       {},
       {},
       Topic::kOutside,
       kMaskForms},
      {min::kInOrder,
       kOp,
       kSemantics,
       "Under the exception for src1 an iteration sees what earlier ones "
       "wrote, which gives a running minimum.",
       {{kDocumented, "Min · 注意事项"}}},
      {min::kClobbersMask,
       kOp,
       kNote,
       "The count form, with a count above 0, leaves the mask register all "
       "ones.",
       {{kSupplement, "掩码 · 接口内设置Mask",
         "on atlas-inference-aicore and atlas-a2"},
        {kAssumed, "", "on the other products"}}},
      {min::kNop,
       kOp,
       kNote,
       "count or repeatTimes is 0, or no lane of the mask register is set: "
       "nothing is written.",
       {{kSupplement, "Min, SetVectorMask · 约束说明", "on atlas-a2"},
        {kAssumed, "", "on the other products"}}},
  };
}

}  // namespace

template <>
Instruction Describe<Min>() {
  return {.op = kOp,
          .room = Min::kRoom,
          .products = {kAtlasTraining, kAtlasInferenceAicore, kAtlasA2,
                       kAtlas200i500A2},
          .dtypes = {kHalf, kFloat, kInt32, kInt16},
          .lacks = {{kAtlasTraining, kInt16}},
          .masked = true,
          .arithmetic = true,
          .rules = Rules()};
}

}  // namespace lanediff::isa
