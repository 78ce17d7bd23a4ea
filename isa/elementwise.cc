// The rules that Max, Add, Sub and Mul have in common, and their own. Min's
// stand in min.cc: its page is another one, of other products.

#include "isa/elementwise.h"

#include <string>
#include <string_view>
#include <vector>

#include "isa/add.h"
#include "isa/catalogue.h"
#include "isa/max.h"
#include "isa/mul.h"
#include "isa/sub.h"

namespace lanediff::isa {
namespace {
using enum DType;
using enum Effect;
using enum EvidenceLevel;
using enum Product;

constexpr std::uint8_t kCountForm = 1 << Max::kCount;
constexpr std::uint8_t kMaskForms = 1 << Max::kContiguous | 1 << Max::kBitwise;

const std::string kOverlap = "通用说明和约束 · 通用地址重叠约束";
const std::string kMaskPage = "掩码 · 通用说明";

/// What the page of one of them states beyond the common part.
struct Page {
  std::string value;               ///< statement of its VALUE rule
  std::string values_table;        ///< of the boundary values of A2 and A3
  bool overflows = false;          ///< integers can leave their type
  std::string running;             ///< what the exception for src1 gives
  std::string_view function;       ///< quoted from the page
  std::string_view overflow = {};  ///< a row of `values_table`
};

template <class Tag>
std::vector<Rule> RulesOf(const Page& page) {
  using rule = ElementwiseRules<Tag>;
  const std::string title(Tag::kOp);
  const std::string boundaries =
      "Memory矢量计算接口边界值汇总 · " + page.values_table;
  const std::string parameters = title + " · 参数说明";
  // Where a page's newest print refers to another page, its older ones state it
  // themselves.
  const std::string older = "older " + parameters;
  std::vector<Rule> rules = {
      RuleOf(kReject, rule::kProduct,
             "The product is atlas-training, atlas-inference-aicore, atlas-a2, "
             "atlas-a3 or atlas-200i-500-a2.",
             {{kVendorTables, title + " · 产品支持情况", "",
               "Atlas 200I/500 A2 推理产品：支持"}},
             {.topic = Topic::kProduct}),
      RuleOf(kReject, rule::kDtype,
             "T is half, float or int32, or int16 except on atlas-training. "
             "Not looked at on a product without " +
                 title + ".",
             {{kDocumentText, title + " · 数据类型", "",
               "T支持的数据类型为：half、int32_t、float"}}),
      RuleOf(kReject, rule::kDtypeMatch, "dst, src0 and src1 have type T.",
             {{kDocumentText, title + " · 函数原型", "",
               "const LocalTensor<T>& dst"},
              {kVendorTables, older + " · src0、src1", "",
               "两个源操作数的数据类型需要与目的操作数保持一致"}}),
      RuleOf(kReject, rule::kPosition,
             "dst, src0 and src1 are at VECIN, VECCALC or VECOUT.",
             {{kVendorTables, parameters, "",
               "支持的TPosition为VECIN/VECCALC/VECOUT"}}),
      RuleOf(kReject, rule::kAlign,
             "Each operand's at is a multiple of 32 bytes.",
             {{kVendorTables, older, "", "LocalTensor的起始地址需要32字节对齐"},
              {kDocumentText, "通用说明和约束 · 通用地址对齐约束", "",
               "Unified Buffer | 32Byte对齐"}}),
      RuleOf(kReject, rule::kCount, "count is in its range.",
             {{kDocumentText, title + " · 函数原型", "int32_t",
               "const int32_t& count"},
              {kDocumentText, title + " · 约束说明", "0",
               "当参数count或repeatTime取值为0时"},
              {kSupplement, "asc-devkit kernel_npu_debug.h · CheckCalcount",
               "not negative", "no quotation: source code"}},
             {.ranges = {{"count", 0, 2147483647}}}),
      RuleOf(
          kReject, rule::kRepeat, "repeatTimes is in its range.",
          {{kDocumentText, title + " · 函数原型", "",
            "const uint8_t repeatTime"},
           {kDocumentText, "高维切分 · 迭代控制", "", "repeatTime不能超过255"}},
          {.ranges = {{"repeatTimes", 0, 255}}}),
      RuleOf(kReject, rule::kStrideRange,
             "The six strides are in their ranges.",
             {{kDocumentText, "BinaryRepeatParams · 结构体具体定义", "",
               "uint8_t dstBlkStride"}},
             {.ranges = {{"dstBlkStride", 0, 255},
                         {"src0BlkStride", 0, 255},
                         {"src1BlkStride", 0, 255},
                         {"dstRepStride", 0, 255},
                         {"src0RepStride", 0, 255},
                         {"src1RepStride", 0, 255}}}),
      RuleOf(kReject, rule::kDstBlkStrideZero,
             "dstBlkStride is not 0; what happens then is undefined.",
             {{kDocumentText, "高维切分 · 地址间隔配置", "",
               "dstBlkStride不支持设置为0，若设置成0可能产生未定义行为"}}),
      RuleOf(kReject, rule::kMaskContiguous,
             "With isSetMask, a contiguous mask is in the range of the type's "
             "width.",
             {{kVendorTables, older + " · mask", "",
               "当操作数为16位时，mask∈[1, 128]"}},
             {.ranges = {{"mask", 1, 128, 16},
                         {"mask", 1, 64, 32},
                         {"mask", 1, 32, 64}}}),
      RuleOf(kReject, rule::kMaskBits,
             "With isSetMask, a bitwise mask fits the type's width: 16 bits: "
             "not both words 0; 32 bits: mask[1] is 0 and mask[0] is not; 64 "
             "bits: mask[1] is 0 and mask[0] is 1 to 2^32-1.",
             {{kVendorTables, older + " · mask", "the ranges", "并且不同时为0"},
              {kDocumentText, kMaskPage, "mask[1] is 0", "maskHigh = 0"}}),
      RuleOf(
          kReject, rule::kPlaceholder,
          "Without isSetMask, the mask is MASK_PLACEHOLDER (0, or two words 0) "
          "and the mask register is used. The count form has no isSetMask.",
          {{kVendorTables, parameters + " · isSetMask",
            "that it is MASK_PLACEHOLDER", "用于占位，无实际含义"},
           MaskPlaceholderSource()}),
      RuleOf(kReject, rule::kBounds,
             "Each operand's window lies inside its memory, and every byte of "
             "a participating lane, or of the first count elements, inside its "
             "operand's window.",
             BoundsSources(), {.stage = Stage::kBounds}),
      RuleOf(kReject, rule::kOverlapIteration,
             "In each iteration dst and each source share no byte of "
             "participating lanes, or every participating lane has one and the "
             "same address in both.",
             {{kDocumentText, kOverlap, "completely or not at all",
               "必须100%完全重叠，不支持部分重叠"},
              {kAssumption, "",
               "each source by itself, over participating lanes"}},
             {.stage = Stage::kOverlap}),
      RuleOf(kReject, rule::kOverlapDependency,
             "No byte written by an iteration is read by a later one, except "
             "from src1 for half, int32 and float where src1RepStride or "
             "dstRepStride is 0.",
             {{kDocumentText, kOverlap, "",
               "src1RepStride或者dstRepStride必须为0"}},
             {.stage = Stage::kOverlap}),
      RuleOf(kReject, rule::kOverlapSources,
             "Where that exception is used, src0 and src1 share no byte over "
             "the whole call.",
             {{kSupplement, "Min · 注意事项; TIK 双目指令 · 通用定义", "",
               "src0与src1之间不能有任何的地址重叠"},
              {kAssumption, "",
               "only where a later iteration really reads what an earlier one "
               "wrote"}},
             {.stage = Stage::kOverlap}),
      RuleOf(kReject, rule::kOverlapCount,
             "In the count form dst and each source share no byte of the first "
             "count elements or start at the same byte.",
             {{kAssumption, ""}}, {.stage = Stage::kOverlap}),
      RuleOf(kSemantics, rule::kAddress,
             "Lane k of iteration r of an operand is at at + 32·(r·repStride + "
             "(k div L)·blkStride) + (k mod L)·sizeof(T) with L = "
             "32/sizeof(T); the count form is contiguous.",
             {{kDocumentText, parameters + " · repeatParams", "",
               "操作数相邻迭代间相同DataBlock的地址步长"},
              {kDeviceResults, title + " · 调用示例",
               "4 iterations of 128 elements side by side",
               "128 elements one repeat"},
              {kDocumentText, "高维切分 · 地址间隔配置; 连续计算 · 连续计算API",
               "strides from 0 on, and the count form",
               "若srcBlkStride=0，则源操作数将始终复用第一个DataBlock"},
              {kAssumption, "", "reads of an iteration before its writes"}},
             {.topic = Topic::kAddress}),
      RuleOf(kSemantics, rule::kMaskLanes,
             "A contiguous mask means the first lanes; bit i of mask[0] is "
             "lane i and bit i of mask[1] lane 64+i, so that [8,0] is the "
             "fourth element alone.",
             {{kDocumentText, older + " · mask", "",
               "8=0b1000，表示仅第4个元素参与计算"}},
             {.topic = Topic::kAddress, .forms = kMaskForms}),
      RuleOf(kSemantics, rule::kValue, page.value,
             {{kDocumentText, title + " · 功能说明", "", page.function},
              {kDeviceResults, title + " · 调用示例", "whole numbers",
               "[1 2 3 ... 512]"},
              {kPublishedResult, boundaries,
               "special values on atlas-a2 and atlas-a3",
               "65504.0（MAX） | nan | nan | 0.0"},
              {kAssumption, "", "special values on the other products"},
              {kAssumption, "", page.overflows ? "rounding" : "either order"}},
             {.topic = Topic::kValue}),
      RuleOf(kSemantics, rule::kIntegerOverflow,
             "An int16 or int32 result outside T becomes T's smallest or "
             "largest value in saturation mode, and keeps its low 16 or 32 "
             "bits with the mode off.",
             {{kPublishedResult, boundaries, "on atlas-a2 and atlas-a3",
               page.overflow},
              {kAssumption, "", "on the other products"}},
             {.topic = Topic::kOverflow}),
      RuleOf(kSemantics, rule::kUnmasked,
             "Bytes of dst in lanes outside the mask, and beyond count, do not "
             "change.",
             {{kDocumentText, older + " · mask", "which lanes take no part",
               "用于控制每次迭代内参与计算的元素"},
              {kDocumentText, kMaskPage, "dst keeps its value",
               "mask为0时，目的操作数保持原值"}},
             {.topic = Topic::kOutside}),
      RuleOf(
          kSemantics, rule::kInOrder,
          "Iterations run in order and a later write of a byte wins; under the "
          "exception for src1 an iteration sees what earlier ones wrote" +
              page.running,
          {{kDocumentText, kOverlap, "",
            "支持前序迭代的目的操作数与后序迭代的源操作数重叠"},
           {kAssumption, "", "the last write wins"}},
          {.forms = kMaskForms}),
      RuleOf(kNote, rule::kClobbersMask,
             "The count form, with a count above 0, leaves the mask register "
             "all ones.",
             {{kDocumentText, "掩码 · 接口内设置Mask",
               "on atlas-inference-aicore, atlas-a2 and atlas-a3",
               "计算完成后调用ResetMask、SetMaskNorm"},
              {kAssumption, "", "on the other products"}},
             {.forms = kCountForm}),
      RuleOf(
          kNote, rule::kNop,
          "count or repeatTimes is 0, or isSetMask is false and no lane of T's "
          "width is set in the mask register: nothing is written.",
          {{kDocumentText, title + " · 约束说明", "count and repeatTimes",
            "不会对目的操作数进行写入"},
           {kDocumentText, kMaskPage,
            "the mask register on atlas-a2 and atlas-a3",
            "mask = 0表示指令不会执行计算操作"},
           {kAssumption, "", "the mask register on the other products"}}),
  };
  if (!page.overflows) {
    std::erase_if(rules,
                  [](const Rule& r) { return r.topic == Topic::kOverflow; });
  }
  return rules;
}

template <class Tag>
Instruction DescribeAs(const Page& page) {
  return {.op = Tag::kOp,
          .slug = Tag::kSlug,
          .products = {kAtlasTraining, kAtlasInferenceAicore, kAtlasA2,
                       kAtlasA3, kAtlas200i500A2},
          .dtypes = {kHalf, kFloat, kInt32, kInt16},
          .lacks = {{kAtlasTraining, kInt16}},
          .masked = true,
          .arithmetic = true,
          .rules = RulesOf<Tag>(page)};
}

const std::string kRounded =
    "exact, rounded once; signs of zero, infinities and NaN as in IEEE 754. In "
    "saturation mode a half result that is infinite or too large becomes "
    "±65504 and a NaN +0.0.";

}  // namespace

template <>
Instruction Describe<Max>() {
  return DescribeAs<MaxTag>(
      {.value = "The larger value; NaN in gives NaN out and the maximum of "
                "zeros of both signs is +0, in either order. In saturation "
                "mode an infinite half result becomes ±65504 and a NaN +0.0. "
                "Integers are signed.",
       .values_table = "表13",
       .running = ", which gives a running maximum.",
       .function = "按元素求最大值"});
}

template <>
Instruction Describe<Add>() {
  return DescribeAs<AddTag>(
      {.value = "src0 + src1, " + kRounded,
       .values_table = "表9",
       .overflows = true,
       .running = ", which gives a running sum.",
       .function = "按元素求和",
       .overflow = "32767（MAX） | 32767（MAX） | -2 | 32767"});
}

template <>
Instruction Describe<Sub>() {
  return DescribeAs<SubTag>(
      {.value = "src0 - src1, which is src0 + (-src1), " + kRounded +
                " So -0.0 - (+0.0) is -0.0 and -0.0 - (-0.0) is +0.0.",
       .values_table = "表10",
       .overflows = true,
       .running = ": result r is src0 less result r-1.",
       .function = "按元素求差",
       .overflow = "32767（MAX） | -32768（MIN） | -1 | 32767"});
}

template <>
Instruction Describe<Mul>() {
  return DescribeAs<MulTag>(
      {.value = "src0 · src1, " + kRounded +
                " The sign is that of both signs together, for zeros and what "
                "underflows, too; 0 times infinity is NaN.",
       .values_table = "表11",
       .overflows = true,
       .running = ", which gives a running product.",
       .function = "按元素求积",
       .overflow = "32767（MAX） | 32767（MAX） | 1 | 32767"});
}

}  // namespace lanediff::isa
