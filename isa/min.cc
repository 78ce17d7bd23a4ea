#include "isa/min.h"

#include "isa/catalogue.h"

namespace lanediff::isa {
namespace {
using enum DType;
using enum Effect;
using enum EvidenceLevel;
using enum Product;
constexpr std::uint8_t kMaskForms = 1 << Min::kContiguous | 1 << Min::kBitwise;

std::vector<Rule> Rules() {
  return {
      RuleOf(
          kReject, min::kProduct,
          "The product is atlas-training, atlas-inference-aicore, atlas-a2, "
          "atlas-a3 or atlas-200i-500-a2.",
          {{kDocumentText, "Min · 支持的型号", "all but atlas-a3",
            "Atlas 训练系列产品"},
           {kSupplement, "newer Min · 产品支持情况", "atlas-a3, edition 2026",
            "Atlas A3 训练系列产品/Atlas A3 推理系列产品：支持"}},
          {.topic = Topic::kProduct,
           .statement_2024 =
               "The product is atlas-training, atlas-inference-aicore, "
               "atlas-a2 or atlas-200i-500-a2."}),
      RuleOf(kReject, min::kDtype,
             "T is half, float or int32, or int16 except on atlas-training. "
             "Not looked at on a product without Min.",
             {{kVendorTables, "Min · 参数说明 · dstLocal", "",
               "支持的数据类型为:half/float/int32_t"}}),
      RuleOf(kReject, min::kDtypeMatch, "dst, src0 and src1 have type T.",
             {{kVendorTables, "Min · 参数说明 · src0Local/src1Local", "",
               "两个源操作数的数据类型需要与目的操作数保持一致"}}),
      RuleOf(kReject, min::kPosition,
             "dst, src0 and src1 are at VECIN, VECCALC or VECOUT.",
             {{kVendorTables, "Min · 参数说明", "",
               "支持的TPosition为VECIN/VECCALC/VECOUT"}}),
      RuleOf(kReject, min::kAlign,
             "Each operand's at is a multiple of 32 bytes.",
             {{kVendorTables, "Min · 参数说明", "",
               "LocalTensor的起始地址需要32字节对齐"}}),
      RuleOf(kReject, min::kCount, "count is in its range.",
             {{kDocumentText, "Min · 函数原型", "int32_t",
               "const int32_t& calCount"},
              {kSupplement, "asc-devkit kernel_npu_debug.h · CheckCalcount",
               "not negative", "no quotation: source code"}},
             {.ranges = {{"count", 0, 2147483647}}}),
      RuleOf(
          kReject, min::kRepeat, "repeatTimes is in its range.",
          {{kDocumentText, "Min · 函数原型", "", "const uint8_t repeatTimes"}},
          {.ranges = {{"repeatTimes", 0, 255}}}),
      RuleOf(kReject, min::kStrideRange, "The six strides are in their ranges.",
             {{kSupplement, "BinaryRepeatParams · 结构体具体定义", "",
               "uint8_t dstBlkStride"}},
             {.ranges = {{"dstBlkStride", 0, 255},
                         {"src0BlkStride", 0, 255},
                         {"src1BlkStride", 0, 255},
                         {"dstRepStride", 0, 255},
                         {"src0RepStride", 0, 255},
                         {"src1RepStride", 0, 255}}}),
      RuleOf(kReject, min::kDstBlkStrideZero,
             "dstBlkStride is not 0; what happens then is undefined.",
             {{kSupplement, "高维切分 · 地址间隔配置", "",
               "dstBlkStride不支持设置为0，若设置成0可能产生未定义行为"}}),
      RuleOf(kReject, min::kMaskContiguous,
             "With isSetMask, a contiguous mask is in the range of the type's "
             "width.",
             {{kVendorTables, "Min · 参数说明 · mask", "",
               "当操作数为16位时,mask∈[1, 128]"}},
             {.ranges = {{"mask", 1, 128, 16},
                         {"mask", 1, 64, 32},
                         {"mask", 1, 32, 64}}}),
      RuleOf(kReject, min::kMaskBits,
             "With isSetMask, a bitwise mask fits the type's width: 16 bits: "
             "not both words 0; 32 bits: mask[1] is 0 and mask[0] is not; 64 "
             "bits: mask[1] is 0 and mask[0] is 1 to 2^32-1.",
             {{kVendorTables, "Min · 参数说明 · mask", "", "并且不同时为0"}}),
      RuleOf(
          kReject, min::kPlaceholder,
          "Without isSetMask, the mask is MASK_PLACEHOLDER (0, or two words 0) "
          "and the mask register is used.",
          {{kVendorTables, "Min · 参数说明 · isSetMask",
            "that it is MASK_PLACEHOLDER", "mask值必须设置为MASK_PLACEHOLDER"},
           MaskPlaceholderSource()}),
      RuleOf(
          kReject, min::kBounds,
          "Each operand's window lies inside its memory, and every byte read "
          "or written by a participating lane inside its operand's window.",
          BoundsSources(), {.stage = Stage::kBounds}),
      RuleOf(kReject, min::kOverlapIteration,
             "In each iteration dst and each source share no byte or coincide "
             "lane by lane.",
             {{kDocumentText, "Min · 注意事项", "one repeat",
               "要求100%完全重叠,不支持部分重叠"},
              {kSupplement, "通用说明和约束 · 通用地址重叠约束", "any repeat",
               "必须100%完全重叠，不支持部分重叠"}},
             {.stage = Stage::kOverlap}),
      RuleOf(kReject, min::kOverlapDependency,
             "No byte written by an iteration is read by a later one, except "
             "from src1 for half, int32 and float where src1RepStride or "
             "dstRepStride is 0.",
             {{kDocumentText, "Min · 注意事项",
               "iterations N and N+1, both strides named with a slash",
               "src1RepStride/dstRepStride为0"},
              {kSupplement, "通用说明和约束 · 通用地址重叠约束",
               "any later iteration, and one of the strides is enough",
               "src1RepStride或者dstRepStride必须为0"}},
             {.stage = Stage::kOverlap}),
      RuleOf(kReject, min::kOverlapSources,
             "Where that exception is used, src0 and src1 share no byte over "
             "the whole call.",
             {{kDocumentText, "Min · 注意事项", "",
               "src0与src1之间不能有任何的地址重叠"},
              {kAssumption, "",
               "only where a later iteration really reads what an earlier one "
               "wrote"}},
             {.stage = Stage::kOverlap}),
      RuleOf(kReject, min::kOverlapCount,
             "In the count form dst and each source are disjoint or start at "
             "the same byte.",
             {{kAssumption, ""}}, {.stage = Stage::kOverlap}),
      RuleOf(kSemantics, min::kAddress,
             "Lane k of iteration r of an operand is at at + 32·(r·repStride + "
             "(k div L)·blkStride) + (k mod L)·sizeof(T) with L = "
             "32/sizeof(T); the count form is contiguous.",
             {{kDocumentText, "Min · 参数说明 · repeatParams", "",
               "操作数相邻迭代间相同datablock的地址步长"},
              {kDeviceResults, "Min · 调用示例",
               "4 iterations of 128 elements side by side",
               "一次迭代计算128个数, 共计算512个数"},
              {kSupplement, "高维切分 · 地址间隔配置",
               "stride 0 and strides 1 to 7",
               "部分数据会被矢量计算单元重复读取和计算"}},
             {.topic = Topic::kAddress}),
      RuleOf(kSemantics, min::kMaskLanes,
             "A contiguous mask means the first lanes; bit i of mask[0] is "
             "lane i and bit i of mask[1] lane 64+i, so that [8,0] is the "
             "fourth element alone.",
             {{kDocumentText, "Min · 参数说明 · mask", "",
               "bit位的值为1表示参与计算,0表示不参与"}},
             {.topic = Topic::kAddress, .forms = kMaskForms}),
      RuleOf(kSemantics, min::kValue,
             "The smaller value; NaN in gives NaN out and the minimum of zeros "
             "of both signs is -0. In saturation mode a half result of "
             "infinite size becomes ±65504 and a NaN 0.",
             {{kDocumentText, "Min · 功能说明", "", "按element求最小值"},
              {kDeviceResults, "Min · 调用示例", "whole numbers from 1 to 513",
               "输出数据(dstLocal): [1 2 3 ... 2]"},
              {kPublishedResult, "Memory矢量计算接口边界值汇总 · 表14",
               "special values", "0.0 | -0.0 | -0.0 | -0.0"}},
             {.topic = Topic::kValue}),
      RuleOf(kSemantics, min::kUnmasked,
             "Bytes of dst in lanes outside the mask do not change.",
             {{kDocumentText, "Min · 参数说明 · mask", "",
               "用于控制每次迭代内参与计算的元素"}},
             {.topic = Topic::kOutside, .forms = kMaskForms}),
      RuleOf(kSemantics, min::kInOrder,
             "Under the exception for src1 an iteration sees what earlier ones "
             "wrote, which gives a running minimum.",
             {{kDocumentText, "Min · 注意事项", "",
               "支持目的操作数与第二个源操作数重叠"}}),
      RuleOf(kNote, min::kClobbersMask,
             "The count form, with a count above 0, leaves the mask register "
             "all ones.",
             {{kSupplement, "掩码 · 接口内设置Mask",
               "on atlas-inference-aicore and atlas-a2",
               "计算完成后调用ResetMask、SetMaskNorm"},
              {kAssumption, "", "on the other products"}}),
      RuleOf(kNote, min::kNop,
             "count or repeatTimes is 0, or no lane of the mask register is "
             "set: nothing is written.",
             {{kSupplement, "SetVectorMask, newer Min · 约束说明",
               "on atlas-a2", "该接口将被视为NOP（空操作）"},
              {kAssumption, "", "on the other products"}}),
  };
}

}  // namespace

template <>
Instruction Describe<Min>() {
  return {.op = Min::kOp,
          .slug = Min::kSlug,
          .products = {kAtlasTraining, kAtlasInferenceAicore, kAtlasA2,
                       kAtlasA3, kAtlas200i500A2},
          .dtypes = {kHalf, kFloat, kInt32, kInt16},
          .lacks = {{kAtlasTraining, kInt16}},
          .newer_products = {kAtlasA3},
          .masked = true,
          .arithmetic = true,
          .rules = Rules()};
}

}  // namespace lanediff::isa
