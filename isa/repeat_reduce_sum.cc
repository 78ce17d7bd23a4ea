#include "isa/repeat_reduce_sum.h"

#include <limits>

#include "isa/catalogue.h"

namespace lanediff::isa {
namespace {
using enum DType;
using enum Effect;
using enum EvidenceLevel;
using enum Product;
using Int32 = std::numeric_limits<std::int32_t>;

std::vector<Rule> Rules() {
  return {
      RuleOf(kReject, rrs::kProduct,
             "The product is atlas-training, atlas-inference-aicore, atlas-a2, "
             "atlas-a3 or atlas-200i-500-a2.",
             {{kDocumentText, "RepeatReduceSum · 支持的型号",
               "atlas-training, atlas-inference-aicore and atlas-a2",
               "Atlas 训练系列产品"},
              {kSupplement, "ReduceRepeat · 产品支持情况; 接口变更说明 · 9.1.0",
               "the others, edition 2026, which calls it ReduceRepeat",
               "Atlas 200I/500 A2 推理产品：支持"}},
             {.topic = Topic::kProduct,
              .statement_2024 = "The product is atlas-training, "
                                "atlas-inference-aicore or atlas-a2."}),
      RuleOf(kReject, rrs::kDtype, "T is half or float.",
             {{kVendorTables, "RepeatReduceSum · 参数说明 · T", "",
               "支持的数据类型为:half/float"}}),
      RuleOf(kReject, rrs::kDtypeMatch, "dst and src have type T.",
             {{kVendorTables, "RepeatReduceSum · 参数说明 · srcLocal", "",
               "源操作数的数据类型需要与目的操作数保持一致"}}),
      RuleOf(kReject, rrs::kPosition,
             "dst and src are at VECIN, VECCALC or VECOUT.",
             {{kVendorTables, "RepeatReduceSum · 参数说明 · dstLocal, srcLocal",
               "", "支持的TPosition为VECIN/VECCALC/VECOUT"}}),
      RuleOf(kReject, rrs::kDstAlign, "dst.at is a multiple of the size of T.",
             {{kVendorTables, "RepeatReduceSum · 参数说明 · dstLocal", "",
               "2字节对齐(针对half数据类型),4字节对齐(针对float数据类型)"}}),
      RuleOf(kReject, rrs::kSrcAlign, "src.at is a multiple of 32 bytes.",
             {{kVendorTables, "RepeatReduceSum · 参数说明 · srcLocal", "",
               "LocalTensor的起始地址需要32字节对齐"}}),
      RuleOf(kReject, rrs::kRepeat, "repeat is in its range.",
             {{kVendorTables, "RepeatReduceSum · 参数说明 · repeat", "",
               "重复迭代次数。取值范围为[0, 255]"}},
             {.ranges = {{"repeat", 0, 255}}}),
      RuleOf(kReject, rrs::kElems,
             "With isSetMask, elemsInOneRepeat is in the range of the type's "
             "width.",
             {{kVendorTables, "RepeatReduceSum · 参数说明 · elemsInOneRepeat",
               "", "当操作数为16位时,elemsInOneRepeat∈[1, 128]"}},
             {.ranges = {{"elemsInOneRepeat", 1, 128, 16},
                         {"elemsInOneRepeat", 1, 64, 32}}}),
      RuleOf(kReject, rrs::kPlaceholder,
             "Without isSetMask, elemsInOneRepeat is MASK_PLACEHOLDER (0); the "
             "mask register determines which lanes take part.",
             {{kDocumentText, "Min · 参数说明 · isSetMask",
               "by analogy: its own page is silent",
               "mask值必须设置为MASK_PLACEHOLDER"},
              MaskPlaceholderSource()},
             {.ranges = {{"elemsInOneRepeat", 0, 0}}}),
      RuleOf(kReject, rrs::kStrideRange,
             "srcBlkStride, dstRepStride and srcRepStride are in their ranges; "
             "dstBlkStride is any 32-bit integer.",
             {{kSupplement, "ReduceRepeat · 参数说明", "the three ranges",
               "取值范围为[0, $2^{16}-1$]"},
              {kDocumentText, "RepeatReduceSum · 函数原型", "dstBlkStride",
               "const int32_t dstBlkStride"}},
             {.ranges = {{"srcBlkStride", 0, 65535},
                         {"dstRepStride", 0, 65535},
                         {"srcRepStride", 0, 65535},
                         {"dstBlkStride", Int32::min(), Int32::max()}}}),
      RuleOf(kReject, rrs::kDstRepStrideZero,
             "dstRepStride is not 0 on atlas-training.",
             {{kVendorTables, "RepeatReduceSum · 参数说明 · dstRepStride", "",
               "此参数值Atlas 训练系列产品不支持配置0"}}),
      RuleOf(
          kReject, rrs::kBounds,
          "Each operand's window lies inside its memory, and every byte read "
          "or written by a participating lane inside its operand's window.",
          BoundsSources(), {.stage = Stage::kBounds}),
      RuleOf(kReject, rrs::kOverlapIteration,
             "In each iteration the written element and the lanes read share "
             "no byte, or the element starts where the lowest participating "
             "lane starts.",
             {{kDocumentText, "RepeatReduceSum · 约束说明", "one repeat",
               "要求100%完全重叠,不支持部分重叠"},
              {kSupplement, "通用说明和约束 · 通用地址重叠约束", "any repeat",
               "必须100%完全重叠，不支持部分重叠"},
              {kAssumption, "", "what complete overlap means for one element"}},
             {.stage = Stage::kOverlap}),
      RuleOf(
          kReject, rrs::kOverlapDependency,
          "No iteration's written element is read by a later iteration.",
          {{kDocumentText, "RepeatReduceSum · 约束说明", "iterations N and N+1",
            "第N次迭代的目的操作数是第N+1次的源操作数,不支持地址重叠"},
           {kSupplement, "通用说明和约束 · 通用地址重叠约束",
            "any later iteration",
            "不支持前序迭代的目的操作数与后序迭代的源操作数重叠"}},
          {.stage = Stage::kOverlap}),
      RuleOf(kSemantics, rrs::kDstBlkStride, "dstBlkStride has no effect.",
             {{kDocumentText, "RepeatReduceSum · 参数说明 · dstBlkStride", "",
               "此参数无效,可以配置任意值"}}),
      RuleOf(kSemantics, rrs::kAddress,
             "Lane k of iteration r is read at src.at + 32·(r·srcRepStride + "
             "(k div L)·srcBlkStride) + (k mod L)·sizeof(T) with L = "
             "32/sizeof(T); the sum is written at dst.at + "
             "r·dstRepStride·sizeof(T) and nothing else is written.",
             {{kVendorTables, "RepeatReduceSum · 参数说明", "units and strides",
               "以一个repeat归约后的长度为单位"},
              {kDeviceResults, "RepeatReduceSum · 调用示例",
               "16 iterations of 128 halves side by side",
               "输出数据(dst_gm): [128. 128. 128."},
              {kSupplement, "高维切分 · 地址间隔配置",
               "stride 0 and strides 1 to 7",
               "部分数据会被矢量计算单元重复读取和计算"},
              {kAssumption, "", "reads before writes, the last write wins"}},
             {.topic = Topic::kAddress}),
      RuleOf(kSemantics, rrs::kTree,
             "Lanes are added as a binary tree of neighbours over 128 (half) "
             "or 64 (float) leaves. A node with one participating side is that "
             "side; a node with none takes no part.",
             {{kDocumentText, "RepeatReduceSum · 约束说明", "the tree",
               "内部的相加方式采用二叉树方式,两两相加"},
              {kPublishedResult, "Memory矢量计算接口边界值汇总 · 表38",
               "the tree", "全为65504.0（MAX） | inf | 65504.0"},
              {kAssumption, "", "missing lanes"}},
             {.topic = Topic::kValue}),
      RuleOf(kSemantics, rrs::kInOrder,
             "Iterations run in order; with dstRepStride 0 the last one wins.",
             {{kSupplement, "ReduceRepeat · 功能说明", "in order",
               "结果按顺序写入目标地址"},
              {kAssumption, "", "the last one wins"}}),
      RuleOf(kSemantics, rrs::kSaturate,
             "In saturation mode a half sum beyond ±65504 is kept as ±65504 at "
             "each node of the tree.",
             {{kDocumentText, "RepeatReduceSum · 约束说明", "+65504",
               "计算结果大于65504时结果保存为65504"},
              {kPublishedResult, "Memory矢量计算接口边界值汇总 · 表38",
               "-65504", "全为-65504.0（MIN） | -inf | -65504.0"}},
             {.topic = Topic::kSaturate}),
      RuleOf(kNote, rrs::kRepeatZero, "repeat is 0: nothing is computed.",
             {{kSupplement, "ReduceRepeat · 约束说明", "",
               "不会对目的操作数进行写入"}}),
      RuleOf(kNote, rrs::kMaskEmpty,
             "isSetMask is false and no lane of the mask register is set: "
             "nothing is written.",
             {{kSupplement, "ReduceRepeat · 约束说明", "on atlas-a2",
               "当参数mask或repeatTime取值为0时"},
              {kAssumption, "", "on the other products"}}),
      RuleOf(kNote, rrs::kPreferWholeReduceSum,
             "The document advises the more complete WholeReduceSum; reported "
             "for every executed call.",
             {{kDocumentText, "RepeatReduceSum · 函数功能", "",
               "每个repeat内所有数据求和"}}),
  };
}

}  // namespace

template <>
Instruction Describe<RepeatReduceSum>() {
  return {.op = RepeatReduceSum::kOp,
          .slug = RepeatReduceSum::kSlug,
          .products = {kAtlasTraining, kAtlasInferenceAicore, kAtlasA2,
                       kAtlasA3, kAtlas200i500A2},
          .dtypes = {kHalf, kFloat},
          .newer_products = {kAtlasA3, kAtlas200i500A2},
          .masked = true,
          .arithmetic = true,
          .rules = Rules()};
}

}  // namespace lanediff::isa
