#include "isa/repeat_reduce_sum.h"

#include <limits>

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
constexpr std::int64_t kInt32Min = std::numeric_limits<std::int32_t>::min();
constexpr std::int64_t kInt32Max = std::numeric_limits<std::int32_t>::max();
constexpr std::string_view kOp = RepeatReduceSum::kOp;

std::vector<Rule> Rules() {
  return {
      ChangedSince2024(
          {rrs::kProduct,
           kOp,
           kReject,
           "The product is atlas-training, atlas-inference-aicore, atlas-a2, "
           "atlas-a3 or atlas-200i-500-a2.",
           {{kDocumented,
             "RepeatReduceSum · 支持的型号",
             "atlas-training, atlas-inference-aicore and atlas-a2",
             {},
             "Atlas 训练系列产品"},
            {kSupplement, "ReduceRepeat · 产品支持情况; 接口变更说明",
             "the others, edition 2026, which calls it ReduceRepeat"}},
           {},
           {},
           Topic::kProduct},
          "The product is atlas-training, atlas-inference-aicore or atlas-a2."),
      {rrs::kDtype,
       kOp,
       kReject,
       "T is half or float.",
       {{kDocumented, "RepeatReduceSum · 参数说明 · T", "", kVendorTables,
         "支持的数据类型为:half/float"}}},
      {rrs::kDtypeMatch,
       kOp,
       kReject,
       "dst and src have type T.",
       {{kDocumented, "RepeatReduceSum · 参数说明 · srcLocal", "",
         kVendorTables, "源操作数的数据类型需要与目的操作数保持一致"}}},
      {rrs::kPosition,
       kOp,
       kReject,
       "dst and src are at VECIN, VECCALC or VECOUT.",
       {{kDocumented, "RepeatReduceSum · 参数说明 · dstLocal, srcLocal", "",
         kVendorTables, "支持的TPosition为VECIN/VECCALC/VECOUT"}}},
      {rrs::kDstAlign,
       kOp,
       kReject,
       "dst.at is a multiple of the size of T.",
       {{kDocumented, "RepeatReduceSum · 参数说明 · dstLocal", "",
         kVendorTables,
         "2字节对齐(针对half数据类型),4字节对齐(针对float数据类型)"}}},
      {rrs::kSrcAlign,
       kOp,
       kReject,
       "src.at is a multiple of 32 bytes.",
       {{kDocumented, "RepeatReduceSum · 参数说明 · srcLocal", "",
         kVendorTables, "LocalTensor的起始地址需要32字节对齐"}}},
      {rrs::kRepeat,
       kOp,
       kReject,
       "repeat is in its range.",
       {{kDocumented, "RepeatReduceSum · 参数说明 · repeat", "", kVendorTables,
         "重复迭代次数。取值范围为[0, 255]"}},
       {{"repeat", 0, 255}}},
      {rrs::kElems,
       kOp,
       kReject,
       "With isSetMask, elemsInOneRepeat is in the range of the type's width.",
       {{kDocumented, "RepeatReduceSum · 参数说明 · elemsInOneRepeat", "",
         kVendorTables, "当操作数为16位时,elemsInOneRepeat∈[1, 128]"}},
       {{"elemsInOneRepeat", 1, 128, 16}, {"elemsInOneRepeat", 1, 64, 32}}},
      {rrs::kPlaceholder,
       kOp,
       kReject,
       "Without isSetMask, elemsInOneRepeat is MASK_PLACEHOLDER (0); the mask "
       "register determines which lanes take part.",
       {{kDocumented, "Min · isSetMask", "by analogy: its own page is silent"},
        {kSupplement, "asc-devkit kernel_reg.h · MASK_PLACEHOLDER",
         "the value 0"}},
       {{"elemsInOneRepeat", 0, 0}}},
      {rrs::kStrideRange,
       kOp,
       kReject,
       "srcBlkStride, dstRepStride and srcRepStride are in their ranges; "
       "dstBlkStride is any 32-bit integer.",
       {{kSupplement, "ReduceRepeat · 参数说明", "the three ranges"},
        {kDocumented, "RepeatReduceSum · 函数原型", "dstBlkStride"}},
       {{"srcBlkStride", 0, 65535},
        {"dstRepStride", 0, 65535},
        {"srcRepStride", 0, 65535},
        {"dstBlkStride", kInt32Min, kInt32Max}}},
      {rrs::kDstRepStrideZero,
       kOp,
       kReject,
       "dstRepStride is not 0 on atlas-training.",
       {{kDocumented, "RepeatReduceSum · 参数说明 · dstRepStride", "",
         kVendorTables, "此参数值Atlas 训练系列产品不支持配置0"}}},
      {rrs::kBounds,
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
      {rrs::kOverlapIteration,
       kOp,
       kReject,
       "In each iteration the written element and the lanes read share no "
       "byte, "
       "or the element starts where the lowest participating lane starts.",
       {{kDocumented,
         "RepeatReduceSum · 约束说明",
         "one repeat",
         {},
         "要求100%完全重叠,不支持部分重叠"},
        {kSupplement, "通用说明和约束 · 通用地址重叠约束", "any repeat"},
        {kAssumed, "", "what complete overlap means for one element"}},
       {},
       Stage::kOverlap},
      {rrs::kOverlapDependency,
       kOp,
       kReject,
       "No iteration's written element is read by a later iteration.",
       {{kDocumented,
         "RepeatReduceSum · 约束说明",
         "iterations N and N+1",
         {},
         "第N次迭代的目的操作数是第N+1次的源操作数,不支持地址重叠"},
        {kSupplement, "通用说明和约束 · 通用地址重叠约束",
         "any later iteration"}},
       {},
       Stage::kOverlap},
      {rrs::kDstBlkStride,
       kOp,
       kSemantics,
       "dstBlkStride has no effect.",
       {{kDocumented,
         "RepeatReduceSum · 参数说明 · dstBlkStride",
         "",
         {},
         "此参数无效,可以配置任意值"}}},
      {rrs::kAddress,
       kOp,
       kSemantics,
       "Lane k of iteration r is read at src.at + 32·(r·srcRepStride + "
       "(k div L)·srcBlkStride) + (k mod L)·sizeof(T) with L = 32/sizeof(T); "
       "the "
       "sum is written at dst.at + r·dstRepStride·sizeof(T) and nothing else "
       "is "
       "written.",
       {{kDocumented, "RepeatReduceSum · 参数说明", "units and strides",
         kVendorTables, "以一个repeat归约后的长度为单位"},
        {kDocumented, "RepeatReduceSum · 调用示例",
         "16 iterations of 128 halves side by side", kDeviceResults},
        {kSupplement, "高维切分 · 地址间隔配置", "stride 0 and strides 1 to 7"},
        {kAssumed, "", "reads before writes, the last write wins"}},
       {},
       {},
       Topic::kAddress},
      {rrs::kTree,
       kOp,
       kSemantics,
       "Lanes are added as a binary tree of neighbours over 128 (half) or 64 "
       "(float) leaves. A node with one participating side is that side; a "
       "node "
       "with none takes no part.",
       {{kDocumented,
         "RepeatReduceSum · 约束说明",
         "the tree",
         {},
         "内部的相加方式采用二叉树方式,两两相加"},
        {kSupplement, "Memory矢量计算接口边界值汇总 · 表38", "the tree",
         kPublishedResult},
        {kAssumed, "", "missing lanes"}},
       {},
       {},
       Topic::kValue},
      {rrs::kInOrder,
       kOp,
       kSemantics,
       "Iterations run in order; with dstRepStride 0 the last one wins.",
       {{kSupplement, "ReduceRepeat · 功能说明", "in order"},
        {kAssumed, "", "the last one wins"}}},
      {rrs::kSaturate,
       kOp,
       kSemantics,
       "In saturation mode a half sum beyond ±65504 is kept as ±65504 at each "
       "node of the tree.",
       {{kDocumented,
         "RepeatReduceSum · 约束说明",
         "+65504",
         {},
         "计算结果大于65504时结果保存为65504"},
        {kSupplement, "Memory矢量计算接口边界值汇总 · 表38", "-65504",
         kPublishedResult}},
       {},
       {},
       Topic::kSaturate},
      {rrs::kRepeatZero,
       kOp,
       kNote,
       "repeat is 0: nothing is computed.",
       {{kSupplement, "ReduceRepeat · 约束说明"}}},
      {rrs::kMaskEmpty,
       kOp,
       kNote,
       "isSetMask is false and no lane of the mask register is set: nothing is "
       "written.",
       {{kSupplement, "ReduceRepeat · 约束说明", "on atlas-a2"},
        {kAssumed, "", "on the other products"}}},
      {rrs::kPreferWholeReduceSum,
       kOp,
       kNote,
       "The document advises the more complete WholeReduceSum; reported for "
       "every executed call.",
       {{kDocumented,
         "RepeatReduceSum · 函数功能",
         "",
         {},
         "每个repeat内所有数据求和"}}},
  };
}

}  // namespace

template <>
Instruction Describe<RepeatReduceSum>() {
  return {.op = kOp,
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
