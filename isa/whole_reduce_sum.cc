#include "isa/whole_reduce_sum.h"

#include "isa/catalogue.h"

namespace lanediff::isa {
namespace {
using enum DType;
using enum Effect;
using enum EvidenceLevel;
using enum Product;

std::vector<Rule> Rules() {
  return {
      RuleOf(kReject, wrs::kProduct,
             "The product is atlas-training, atlas-inference-aicore, atlas-a2, "
             "atlas-a3 or atlas-200i-500-a2.",
             {{kVendorTables, "WholeReduceSum · 产品支持情况", "",
               "Atlas 200I/500 A2 推理产品"}},
             {.topic = Topic::kProduct}),
      RuleOf(kReject, wrs::kDtype, "T is half or float, on every product.",
             {{kVendorTables, "WholeReduceSum · 参数说明 · dst, src", "",
               "Atlas 训练系列产品，支持的数据类型为：half/float"}}),
      RuleOf(kReject, wrs::kDtypeMatch, "dst and src have type T.",
             {{kVendorTables, "WholeReduceSum · 参数说明 · src", "",
               "源操作数的数据类型需要与目的操作数保持一致"}}),
      RuleOf(kReject, wrs::kPosition,
             "dst and src are at VECIN, VECCALC or VECOUT.",
             {{kVendorTables, "WholeReduceSum · 参数说明 · dst, src", "",
               "支持的TPosition为VECIN/VECCALC/VECOUT"}}),
      RuleOf(kReject, wrs::kDstAlign, "dst.at is a multiple of the size of T.",
             {{kVendorTables, "WholeReduceSum · 参数说明 · dst", "",
               "2字节对齐（针对half数据类型）"}}),
      RuleOf(kReject, wrs::kSrcAlign, "src.at is a multiple of 32 bytes.",
             {{kVendorTables, "WholeReduceSum · 参数说明 · src", "",
               "LocalTensor的起始地址需要32字节对齐"}}),
      RuleOf(kReject, wrs::kRepeat, "repeatTimes is in its range.",
             {{kVendorTables, "WholeReduceSum · 参数说明 · repeatTime", "",
               "迭代次数。取值范围为[0, 255]"}},
             {.ranges = {{"repeatTimes", 0, 255}}}),
      RuleOf(kReject, wrs::kStrideRange,
             "The three strides are in their ranges.",
             {{kSupplement, "ReduceRepeat · 参数说明", "",
               "取值范围为[0, $2^{16}-1$]"}},
             {.ranges = {{"dstRepStride", 0, 65535},
                         {"srcBlkStride", 0, 65535},
                         {"srcRepStride", 0, 65535}}}),
      RuleOf(kReject, wrs::kDstRepStrideZero,
             "dstRepStride is not 0 on atlas-training.",
             {{kVendorTables, "WholeReduceSum · 参数说明 · dstRepStride", "",
               "此参数值Atlas 训练系列产品不支持配置0"}}),
      RuleOf(kReject, wrs::kMaskContiguous,
             "With isSetMask, a contiguous mask is in the range of the type's "
             "width.",
             {{kVendorTables, "WholeReduceSum · 参数说明 · mask", "",
               "当操作数为16位时，mask∈[1, 128]"}},
             {.ranges = {{"mask", 1, 128, 16},
                         {"mask", 1, 64, 32},
                         {"mask", 1, 32, 64}}}),
      RuleOf(kReject, wrs::kMaskBits,
             "With isSetMask, a bitwise mask fits the type's width: 16 bits: "
             "not both words 0; 32 bits: mask[1] is 0 and mask[0] is not; 64 "
             "bits: mask[1] is 0 and mask[0] is 1 to 2^32-1.",
             {{kVendorTables, "WholeReduceSum · 参数说明 · mask", "the ranges",
               "并且不同时为0"},
              {kSupplement, "掩码 · 通用说明",
               "mask[1] is 0, where the page has one word", "maskHigh = 0"}}),
      RuleOf(kReject, wrs::kPlaceholder,
             "Without isSetMask, the mask is MASK_PLACEHOLDER (0, or two words "
             "0) and the mask register determines which lanes take part.",
             {{kVendorTables, "WholeReduceSum · 参数说明 · isSetMask",
               "that it is MASK_PLACEHOLDER",
               "接口入参中的mask值设置为占位符MASK_PLACEHOLDER"},
              MaskPlaceholderSource()}),
      RuleOf(kReject, wrs::kBounds,
             "Each operand's window lies inside its memory, and every element "
             "written and every participating lane read inside its operand's "
             "window.",
             BoundsSources(), {.stage = Stage::kBounds}),
      RuleOf(kReject, wrs::kOverlapIteration,
             "In each iteration the written element and the lanes read share "
             "no byte, or the element starts where the lowest participating "
             "lane starts.",
             {{kDocumentText, "通用说明和约束 · 通用地址重叠约束", "",
               "必须100%完全重叠，不支持部分重叠"},
              {kAssumption, "", "what complete overlap means for one element"}},
             {.stage = Stage::kOverlap}),
      RuleOf(kReject, wrs::kOverlapDependency,
             "No iteration's written element shares a byte with a lane that a "
             "later iteration reads.",
             {{kDocumentText, "通用说明和约束 · 通用地址重叠约束", "",
               "不支持前序迭代的目的操作数与后序迭代的源操作数重叠"}},
             {.stage = Stage::kOverlap}),
      RuleOf(
          kSemantics, wrs::kAddress,
          "Lane k of iteration r is read at src.at + 32·(r·srcRepStride + (k "
          "div L)·srcBlkStride) + (k mod L)·sizeof(T) with L = 32/sizeof(T); "
          "the sum is written at dst.at + r·dstRepStride·sizeof(T) and nothing "
          "else is written; lanes that take no part are not read.",
          {{kVendorTables, "WholeReduceSum · 参数说明", "units and strides",
            "以一个repeat归约后的长度为单位"},
           {kDeviceResults, "WholeReduceSum · 调用示例",
            "4 iterations of 128 halves side by side",
            "推断出repeatTime为4，dstRepStride为1"},
           {kDocumentText, "高维切分 · 地址间隔配置",
            "stride 0 and strides 1 to 7",
            "部分数据会被矢量计算单元重复读取和计算"},
           {kAssumption, "", "reads before writes"}},
          {.topic = Topic::kAddress}),
      RuleOf(kSemantics, wrs::kMaskLanes,
             "A contiguous mask means the first lanes; bit i of mask[0] is "
             "lane i and bit i of mask[1] lane 64+i, so that [8,0] is the "
             "fourth element alone and [8,2] the fourth and the 66th.",
             {{kDocumentText, "WholeReduceSum · 参数说明 · mask", "",
               "8=0b1000，表示仅第4个元素参与计算"},
              {kSupplement, "掩码 · 通用说明", "[8,2]",
               "2=0b0010表示第66（64+2）个元素参与计算"}},
             {.topic = Topic::kAddress}),
      RuleOf(kSemantics, wrs::kTree,
             "Lanes are added as a binary tree of neighbours over 128 (half) "
             "or 64 (float) leaves, never compacted: (0,1)(2,3)…, then "
             "neighbours of the results. A node with one participating side is "
             "that side, unchanged, a node with none takes no part; each add "
             "is rounded once.",
             {{kDocumentText, "WholeReduceSum · 约束说明", "the tree",
               "内部的相加方式采用二叉树方式，两两相加"},
              {kPublishedResult, "Memory矢量计算接口边界值汇总 · 表38",
               "one rounding for each node",
               "127个1.0加1个-inf | -inf | -65376.0"},
              {kAssumption, "", "lanes that take no part"}},
             {.topic = Topic::kValue}),
      RuleOf(
          kSemantics, wrs::kSaturate,
          "half in saturation mode: an add beyond ±65504 or infinite gives "
          "±65504 and one that is NaN +0.0, at each node and once more where "
          "the value is written. With the mode off, and for float: IEEE 754.",
          {{kDocumentText, "WholeReduceSum · 约束说明", "65504",
            "计算结果大于65504时结果保存为65504"},
           {kPublishedResult, "Memory矢量计算接口边界值汇总 · 表38",
            "the negative side, NaN and the mode on atlas-a2 and atlas-a3",
            "全为-65504.0（MIN） | -inf | -65504.0"},
           {kAssumption, "",
            "the negative side, NaN and the mode on the other products"}},
          {.topic = Topic::kSaturate}),
      RuleOf(
          kSemantics, wrs::kInOrder,
          "Iterations run in order; with dstRepStride 0 the last one wins.",
          {{kSupplement,
            "asc-devkit kernel_operator_vec_reduce_impl.h · WholeReduceSumImpl",
            "on atlas-200i-500-a2, where only the last one is computed",
            "no quotation: source code"},
           {kAssumption, "", "on the other products"}}),
      RuleOf(kNote, wrs::kRepeatZero, "repeatTimes 0 does nothing.",
             {{kSupplement, "ReduceRepeat · 约束说明",
               "on atlas-a2 and atlas-a3", "不会对目的操作数进行写入"},
              {kAssumption, "", "on the other products"}}),
      RuleOf(kNote, wrs::kMaskEmpty,
             "isSetMask is false and no lane of T's width is set in the mask "
             "register: nothing is written.",
             {{kSupplement, "ReduceRepeat · 约束说明",
               "on atlas-a2 and atlas-a3", "当参数mask或repeatTime取值为0时"},
              {kAssumption, "", "on the other products"}}),
  };
}

}  // namespace

template <>
Instruction Describe<WholeReduceSum>() {
  return {.op = WholeReduceSum::kOp,
          .slug = WholeReduceSum::kSlug,
          .products = {kAtlasTraining, kAtlasInferenceAicore, kAtlasA2,
                       kAtlasA3, kAtlas200i500A2},
          .dtypes = {kHalf, kFloat},
          .masked = true,
          .arithmetic = true,
          .rules = Rules()};
}

}  // namespace lanediff::isa
