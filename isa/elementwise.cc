// The rules that Max, Add, Sub and Mul have in common, and their own. Min's
// stand in min.cc: its page is another one, of other products.

#include "isa/elementwise.h"

#include <string>
#include <string_view>
#include <utility>
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
using enum Product;
using enum Provenance;
using EvidenceLevel::kDeviceResults;
using EvidenceLevel::kPublishedResult;
using EvidenceLevel::kVendorTables;

constexpr std::uint8_t kCountForm = 1 << Max::kCount;
constexpr std::uint8_t kMaskForms = 1 << Max::kContiguous | 1 << Max::kBitwise;

const std::string kOverlap = "通用说明和约束 · 通用地址重叠约束";
const std::string kMaskPage = "掩码 · 通用说明";
const std::string kBoundaries = "Memory矢量计算接口边界值汇总";

/// Where a page's newest print refers to another page, its older ones state it
/// themselves.
std::string OlderParameters(const std::string& title) {
  return "older " + title + " · 参数说明";
}

/// What the page of one of them states beyond the common part.
struct Page {
  std::string title;
  std::string_view value;    ///< statement of its VALUE rule
  std::string values_table;  ///< of the boundary values of A2 and A3
  bool overflows = false;    ///< integers can leave their type
  std::string_view in_order;
};

template <class Tag>
std::vector<Rule> ParameterRules(const Page& page) {
  using rule = ElementwiseRules<Tag>;
  const auto op = Tag::kOp;
  const std::string parameters = page.title + " · 参数说明";
  const std::string older = OlderParameters(page.title);
  return {
      {rule::kProduct,
       op,
       kReject,
       "The product is atlas-training, atlas-inference-aicore, atlas-a2, "
       "atlas-a3 or atlas-200i-500-a2.",
       {{kDocumented, page.title + " · 产品支持情况", "", kVendorTables}},
       {},
       {},
       Topic::kProduct},
      {rule::kDtype,
       op,
       kReject,
       "T is half, float or int32, or int16 except on atlas-training. Not "
       "looked at on a product without " +
           page.title + ".",
       {{kDocumented, page.title + " · 数据类型"}}},
      {rule::kDtypeMatch,
       op,
       kReject,
       "dst, src0 and src1 have type T.",
       {{kDocumented, page.title + " · 函数原型"},
        {kDocumented, older + " · src0、src1", "", kVendorTables}}},
      {rule::kPosition,
       op,
       kReject,
       "dst, src0 and src1 are at VECIN, VECCALC or VECOUT.",
       {{kDocumented, parameters, "", kVendorTables}}},
      {rule::kAlign,
       op,
       kReject,
       "Each operand's at is a multiple of 32 bytes.",
       {{kDocumented, older, "", kVendorTables},
        {kDocumented, "通用说明和约束 · 通用地址对齐约束"}}},
      {rule::kCount,
       op,
       kReject,
       "count is in its range.",
       {{kDocumented, page.title + " · 函数原型", "int32_t"},
        {kDocumented, page.title + " · 约束说明", "0"},
        {kSupplement, "asc-devkit kernel_npu_debug.h · CheckCalcount",
         "not negative"}},
       {{"count", 0, 2147483647}}},
      {rule::kRepeat,
       op,
       kReject,
       "repeatTimes is in its range.",
       {{kDocumented, page.title + " · 函数原型"},
        {kDocumented, "高维切分 · 迭代控制"}},
       {{"repeatTimes", 0, 255}}},
      {rule::kStrideRange,
       op,
       kReject,
       "The six strides are in their ranges.",
       {{kDocumented, "BinaryRepeatParams · 结构体具体定义"}},
       {{"dstBlkStride", 0, 255},
        {"src0BlkStride", 0, 255},
        {"src1BlkStride", 0, 255},
        {"dstRepStride", 0, 255},
        {"src0RepStride", 0, 255},
        {"src1RepStride", 0, 255}}},
      {rule::kDstBlkStrideZero,
       op,
       kReject,
       "dstBlkStride is not 0; what happens then is undefined.",
       {{kDocumented, "高维切分 · 地址间隔配置"}}},
      {rule::kMaskContiguous,
       op,
       kReject,
       "With isSetMask, a contiguous mask is in the range of the type's width.",
       {{kDocumented, older + " · mask", "", kVendorTables}},
       {{"mask", 1, 128, 16}, {"mask", 1, 64, 32}, {"mask", 1, 32, 64}}},
      {rule::kMaskBits,
       op,
       kReject,
       "With isSetMask, a bitwise mask fits the type's width: 16 bits: not "
       "both words 0; 32 bits: mask[1] is 0 and mask[0] is not; 64 bits: "
       "mask[1] is 0 and mask[0] is 1 to 2^32-1.",
       {{kDocumented, older + " · mask", "the ranges", kVendorTables},
        {kDocumented, kMaskPage, "mask[1] is 0"}}},
      {rule::kPlaceholder,
       op,
       kReject,
       "Without isSetMask, the mask is MASK_PLACEHOLDER (0, or two words 0) "
       "and the mask register is used. The count form has no isSetMask.",
       {{kDocumented, parameters + " · isSetMask",
         "that it is MASK_PLACEHOLDER", kVendorTables},
        {kSupplement, "asc-devkit kernel_reg.h · MASK_PLACEHOLDER",
         "the value 0"}}},
  };
}

template <class Tag>
std::vector<Rule> PlaceRules() {
  using rule = ElementwiseRules<Tag>;
  const auto op = Tag::kOp;
  return {
      {rule::kBounds,
       op,
       kReject,
       "Each operand's window lies inside its memory, and every byte of a "
       "participating lane, or of the first count elements, inside its "
       "operand's window.",
       {{kAssumed, "", "what lies inside"},
        {kSupplement,
         "NPU架构版本2201 · 存储单元; asc-devkit kernel_utils_constants.h · "
         "TOTAL_UB_SIZE",
         "how large each memory is"}},
       {},
       Stage::kBounds},
      {rule::kOverlapIteration,
       op,
       kReject,
       "In each iteration dst and each source share no byte of participating "
       "lanes, or every participating lane has one and the same address in "
       "both.",
       {{kDocumented, kOverlap, "completely or not at all"},
        {kAssumed, "", "each source by itself, over participating lanes"}},
       {},
       Stage::kOverlap},
      {rule::kOverlapDependency,
       op,
       kReject,
       "No byte written by an iteration is read by a later one, except from "
       "src1 for half, int32 and float where src1RepStride or dstRepStride is "
       "0.",
       {{kDocumented, kOverlap}},
       {},
       Stage::kOverlap},
      {rule::kOverlapSources,
       op,
       kReject,
       "Where that exception is used, src0 and src1 share no byte over the "
       "whole call.",
       {{kSupplement, "Min · 注意事项; TIK 双目指令 · 通用定义"},
        {kAssumed, "",
         "only where a later iteration really reads what an earlier one "
         "wrote"}},
       {},
       Stage::kOverlap},
      {rule::kOverlapCount,
       op,
       kReject,
       "In the count form dst and each source share no byte of the first count "
       "elements or start at the same byte.",
       {{kAssumed, ""}},
       {},
       Stage::kOverlap},
  };
}

/// Where the published values stop: other products.
std::vector<Source> SpecialValues(const Page& page) {
  return {{kSupplement, kBoundaries + " · " + page.values_table,
           "special values on atlas-a2 and atlas-a3", kPublishedResult},
          {kAssumed, "", "special values on the other products"}};
}

template <class Tag>
Rule ValueRule(const Page& page) {
  std::vector<Source> sources = SpecialValues(page);
  sources.insert(sources.begin(), {{kDocumented, page.title + " · 功能说明"},
                                   {kDocumented, page.title + " · 调用示例",
                                    "whole numbers", kDeviceResults}});
  sources.push_back(page.overflows ? Source{kAssumed, "", "rounding"}
                                   : Source{kAssumed, "", "either order"});
  return {ElementwiseRules<Tag>::kValue,
          Tag::kOp,
          kSemantics,
          std::string(page.value),
          std::move(sources),
          {},
          {},
          Topic::kValue};
}

template <class Tag>
Rule OverflowRule(const Page& page) {
  return {ElementwiseRules<Tag>::kIntegerOverflow,
          Tag::kOp,
          kSemantics,
          "An int16 or int32 result outside T becomes T's smallest or largest "
          "value in saturation mode, and keeps its low 16 or 32 bits with the "
          "mode off.",
          {{kSupplement, kBoundaries + " · " + page.values_table,
            "on atlas-a2 and atlas-a3", kPublishedResult},
           {kAssumed, "", "on the other products"}},
          {},
          {},
          Topic::kOverflow};
}

template <class Tag>
std::vector<Rule> LaneRules(const Page& page) {
  using rule = ElementwiseRules<Tag>;
  const auto op = Tag::kOp;
  const std::string parameters = page.title + " · 参数说明";
  std::vector<Rule> rules = {
      {rule::kAddress,
       op,
       kSemantics,
       "Lane k of iteration r of an operand is at at + 32·(r·repStride + (k "
       "div L)·blkStride) + (k mod L)·sizeof(T) with L = 32/sizeof(T); the "
       "count form is contiguous.",
       {{kDocumented, parameters + " · repeatParams"},
        {kDocumented, page.title + " · 调用示例",
         "4 iterations of 128 elements side by side", kDeviceResults},
        {kDocumented, "高维切分 · 地址间隔配置; 连续计算",
         "strides from 0 on, and the count form"},
        {kAssumed, "", "reads of an iteration before its writes"}},
       {},
       {},
       Topic::kAddress},
      {rule::kMaskLanes,
       op,
       kSemantics,
       "A contiguous mask means the first lanes; bit i of mask[0] is lane i "
       "and bit i of mask[1] lane 64+i, so that [8,0] is the fourth element "
       "alone.",
       {{kDocumented, OlderParameters(page.title) + " · mask"}},
       {},
       {},
       Topic::kAddress,
       kMaskForms},
      ValueRule<Tag>(page)};
  if (page.overflows) rules.push_back(OverflowRule<Tag>(page));
  return rules;
}

template <class Tag>
std::vector<Rule> EffectRules(const Page& page) {
  using rule = ElementwiseRules<Tag>;
  const auto op = Tag::kOp;
  return {
      {rule::kUnmasked,
       op,
       kSemantics,
       "Bytes of dst in lanes outside the mask, and beyond count, do not "
       "change.",
       {{kDocumented, OlderParameters(page.title) + " · mask",
         "which lanes take no part"},
        {kDocumented, kMaskPage, "dst keeps its value"}},
       {},
       {},
       Topic::kOutside},
      {rule::kInOrder,
       op,
       kSemantics,
       std::string(page.in_order),
       {{kDocumented, kOverlap}, {kAssumed, "", "the last write wins"}},
       {},
       {},
       Topic::kOther,
       kMaskForms},
      {rule::kClobbersMask,
       op,
       kNote,
       "The count form, with a count above 0, leaves the mask register all "
       "ones.",
       {{kDocumented, "掩码 · 接口内设置Mask",
         "on atlas-inference-aicore, atlas-a2 and atlas-a3"},
        {kAssumed, "", "on the other products"}},
       {},
       {},
       Topic::kOther,
       kCountForm},
      {rule::kNop,
       op,
       kNote,
       "count or repeatTimes is 0, or isSetMask is false and no lane of T's "
       "width is set in the mask register: nothing is written.",
       {{kDocumented, page.title + " · 约束说明", "count and repeatTimes"},
        {kDocumented, kMaskPage, "the mask register on atlas-a2 and atlas-a3"},
        {kAssumed, "", "the mask register on the other products"}}},
  };
}

template <class Tag>
Instruction DescribeAs(const Page& page) {
  Instruction instruction = {.op = Tag::kOp,
                             .slug = Tag::kSlug,
                             .products = {kAtlasTraining, kAtlasInferenceAicore,
                                          kAtlasA2, kAtlasA3, kAtlas200i500A2},
                             .dtypes = {kHalf, kFloat, kInt32, kInt16},
                             .lacks = {{kAtlasTraining, kInt16}},
                             .masked = true,
                             .arithmetic = true,
                             .rules = ParameterRules<Tag>(page)};
  for (const std::vector<Rule>& more :
       {PlaceRules<Tag>(), LaneRules<Tag>(page), EffectRules<Tag>(page)}) {
    instruction.rules.insert(instruction.rules.end(), more.begin(), more.end());
  }
  return instruction;
}

constexpr std::string_view kRounded =
    "exact, rounded once; signs of zero, infinities and NaN as in IEEE 754. In "
    "saturation mode a half result that is infinite or too large becomes "
    "±65504 and a NaN +0.0.";

}  // namespace

template <>
Instruction Describe<Max>() {
  return DescribeAs<MaxTag>(
      {.title = "Max",
       .value = "The larger value; NaN in gives NaN out and the maximum of "
                "zeros of both signs is +0, in either order. In saturation "
                "mode an infinite half result becomes ±65504 and a NaN +0.0. "
                "Integers are signed.",
       .values_table = "表13",
       .in_order = "Iterations run in order and a later write of a byte wins; "
                   "under the exception for src1 an iteration sees what "
                   "earlier ones wrote, which gives a running maximum."});
}

template <>
Instruction Describe<Add>() {
  static const std::string value = "src0 + src1, " + std::string(kRounded);
  return DescribeAs<AddTag>(
      {.title = "Add",
       .value = value,
       .values_table = "表9",
       .overflows = true,
       .in_order = "Iterations run in order and a later write of a byte wins; "
                   "under the exception for src1 an iteration sees what "
                   "earlier ones wrote, which gives a running sum."});
}

template <>
Instruction Describe<Sub>() {
  static const std::string value =
      "src0 - src1, which is src0 + (-src1), " + std::string(kRounded) +
      " So -0.0 - (+0.0) is -0.0 and -0.0 - (-0.0) is +0.0.";
  return DescribeAs<SubTag>(
      {.title = "Sub",
       .value = value,
       .values_table = "表10",
       .overflows = true,
       .in_order = "Iterations run in order and a later write of a byte wins; "
                   "under the exception for src1 an iteration sees what "
                   "earlier ones wrote: result r is src0 less result r-1."});
}

template <>
Instruction Describe<Mul>() {
  static const std::string value =
      "src0 · src1, " + std::string(kRounded) +
      " The sign is that of both signs together, for zeros and what "
      "underflows, too; 0 times infinity is NaN.";
  return DescribeAs<MulTag>(
      {.title = "Mul",
       .value = value,
       .values_table = "表11",
       .overflows = true,
       .in_order = "Iterations run in order and a later write of a byte wins; "
                   "under the exception for src1 an iteration sees what "
                   "earlier ones wrote, which gives a running product."});
}

}  // namespace lanediff::isa
