// Disagreements about WholeReduceSum.

#include "isa/whole_reduce_sum.h"

#include <algorithm>
#include <iterator>

#include "audit/ambiguities/tables.h"
#include "isa/state.h"

namespace lanediff::audit {
namespace {
namespace rule = isa::wrs;
namespace arith = isa::arith;
namespace state = isa::state;

std::vector<Disagreement> OnSums() {
  return {
      {
          .id = "DOC-WRS-35604",
          .kind = Question::kItself,
          .title = "The worked example prints 35604, which no half can hold",
          .rules = {arith::kRound, rule::kSaturate, rule::kTree},
          .chosen = {"Each addition gives a half: -30000 + 100 is -29904 and "
                     "65504 - 29904 = 35600 is rounded to 35584.",
                     "WholeReduceSum · 约束说明"},
          .others =
              {{"as-printed",
                {"The additions are those of whole numbers as printed, 65504 - "
                 "29900 = 35604; the result is rounded once, to 35616.",
                 "WholeReduceSum · 约束说明 (the example)"}}},
          .why = "The same section keeps 65504 on the way, so each node is a "
                 "half. Published boundary values of the sum fit one rounding "
                 "at each node and nothing else.",
          .name = "wrs-35604",
      },
      {
          .id = "DOC-WRS-NEGATIVE-BOUND",
          .kind = Question::kSilent,
          .title = "Whether sums below -65504 are kept, too",
          .rules = {rule::kSaturate, state::kSaturation},
          .chosen = {"Sums are kept on both sides, below -65504 as -65504.",
                     "Memory矢量计算接口边界值汇总 · 表38"},
          .others = {{"upward-only",
                      {"Sums above 65504 are kept as 65504; of sums below "
                       "-65504 nothing is stated, so they run to -inf.",
                       "WholeReduceSum · 约束说明"}}},
          .why = "The page gives one bound and one example, not a rule for the "
                 "other side; pages on the mode itself name both.",
          .name = "wrs-negative-bound",
      },
      {
          .id = "DOC-WRS-MODE",
          .kind = Question::kAnother,
          .title = "Whether 65504 is kept with saturation mode off",
          .rules = {rule::kSaturate},
          .chosen = {"No: beyond 65504 is infinity.",
                     "Memory矢量计算接口边界值汇总 · 表38"},
          .others = {{"always",
                      {"Yes: the page has no condition.",
                       "WholeReduceSum · 约束说明"}}},
          .why = "The table prints the sum in both modes; the page does not "
                 "speak of the mode at all.",
          .name = "wrs-mode",
      },
      {
          .id = "DOC-WRS-MISSING-LANES",
          .kind = Question::kSilent,
          .title = "What lanes that take no part add",
          .rules = {rule::kTree},
          .chosen = {"Nothing: a node with one side is that side.", ""},
          .others = {{"zero",
                      {"They count as +0.0.",
                       "Reduce (the next generation's registers)"}}},
          .why =
              "The page states that they take no part in the computation. The "
              "two differ for a lone -0.0, and for infinities and NaN in "
              "saturation mode.",
          .name = "wrs-missing-lanes",
      },
      {
          .id = "DOC-WRS-EMPTY-MASK",
          .kind = Question::kSilent,
          .title = "What a sum over no lane is",
          .rules = {rule::kMaskEmpty},
          .chosen = {"Nothing is written, which is worth a note.",
                     "ReduceRepeat · 约束说明"},
          .others = {{"error",
                      {"An error on Atlas training and inference.",
                       "asc-devkit kernel_npu_debug.h · CheckMaskValue"}},
                     {"zero",
                      {"0 is written.",
                       "ReduceDataBlock · 约束说明 (Atlas 200I/500 A2); Reduce "
                       "(the next generation's registers)"}}},
          .why = "The successor's page lets an empty mask pass on A2 and A3; "
                 "the others speak of one product or of another interface.",
          .name = "wrs-empty-mask",
      },
  };
}

std::vector<Disagreement> OnPlaces() {
  return {
      {
          .id = "DOC-WRS-COMPLETE-OVERLAP",
          .kind = Question::kSilent,
          .title = "When one element overlaps a whole iteration completely",
          .rules = {rule::kOverlapIteration},
          .chosen =
              {"The element starts where the lowest participating lane starts.",
               ""},
          .others = {{"literally",
                      {"Destination and source have the same bytes, which no "
                       "sum of more than one lane has.",
                       "通用说明和约束 · 通用地址重叠约束"}}},
          .why = "Read literally the section allows nothing but a sum of one "
                 "lane, and the vendor's own kernels sum in place.",
          .name = "wrs-complete-overlap",
      },
      {
          .id = "DOC-WRS-DST-ALIGN",
          .kind = Question::kAnother,
          .title = "How the destination is aligned",
          .rules = {rule::kDstAlign},
          .chosen = {"To the size of its type.",
                     "WholeReduceSum · 参数说明 · dst"},
          .others = {{"32-bytes",
                      {"To 32 bytes, as operands in the Unified Buffer are.",
                       "通用说明和约束 · 通用地址对齐约束"}}},
          .why = "The general page itself states that the page of an interface "
                 "goes before it, and results lie side by side only so.",
          .name = "wrs-dst-align",
      },
      {
          .id = "DOC-WRS-SKIPPED-BLOCKS",
          .kind = Question::kItself,
          .title = "Whether srcRepStride counts from head to head or the "
                   "blocks between",
          .rules = {rule::kAddress},
          .chosen = {"srcRepStride is the distance of the heads of two "
                     "iterations in DataBlocks.",
                     "WholeReduceSum · 调用示例"},
          .others = {{"skipped",
                      {"srcRepStride is how many DataBlocks are skipped "
                       "between two iterations.",
                       "WholeReduceSum · 参数说明 · srcRepStride"}}},
          .why = "The example reads contiguous data with a stride of 8, and an "
                 "iteration has 8 DataBlocks: counted between iterations the "
                 "stride would have to be 0.",
          .name = "wrs-skipped-blocks",
      },
      {
          .id = "DOC-WRS-PADDED-ROWS",
          .kind = Question::kItself,
          .title = "How long the rows of the sample are, 57 floats each",
          .rules = {rule::kAddress},
          .chosen = {"256 bytes, 8 DataBlocks.", "the sample's code"},
          .others = {{"232-bytes", {"232 bytes.", "the sample's text"}}},
          .why = "The code passes a stride of 8, and the sums come out.",
          .name = "",
          .undecidable = "232 is no multiple of a DataBlock's 32 bytes, in "
                         "which strides count: no call has such rows.",
      },
  };
}

std::vector<Disagreement> OnMasks() {
  return {
      {
          .id = "DOC-WRS-MASK-RANGE",
          .kind = Question::kAnother,
          .title = "What a number of lanes out of its range means",
          .rules = {rule::kMaskContiguous},
          .chosen = {"The range is [1, maximum], and the call is refused.",
                     "WholeReduceSum · 参数说明 · mask"},
          .others = {{"clamped",
                      {"The range is [0, maximum]; more counts as the maximum "
                       "and 0 is no operation.",
                       "掩码 · 通用说明"}}},
          .why = "The interface's own page is the more exact one.",
          .name = "wrs-mask-range",
      },
      {
          .id = "DOC-WRS-SECOND-WORD",
          .kind = Question::kAnother,
          .title = "Whether a bitwise mask of float has a second word",
          .rules = {rule::kMaskBits},
          .chosen = {"It has two words, and the second one is 0.",
                     "掩码 · 通用说明"},
          .others = {{"one-word",
                      {"It is an array of one word: no other word is read.",
                       "WholeReduceSum · 参数说明 · mask"}}},
          .why = "The general page speaks of every interface with a mask, and "
                 "Min's page of the same array states that mask[1] is 0.",
          .name = "wrs-second-word",
      },
      {
          .id = "DOC-WRS-64-BIT",
          .kind = Question::kItself,
          .title = "Whether there are operands of 64 bits",
          .rules = {rule::kDtype, rule::kMaskContiguous},
          .chosen = {"half and float are the only types.",
                     "WholeReduceSum · 参数说明 · dst, src"},
          .others = {{"allowed",
                      {"The mask has a range for operands of 64 bits, so there "
                       "are some.",
                       "WholeReduceSum · 参数说明 · mask"}}},
          .why = "The types are listed one by one; the ranges of the mask are "
                 "the same on the pages of many interfaces.",
          .name = "wrs-64-bit",
      },
      {
          .id = "DOC-WRS-PLACEHOLDER",
          .kind = Question::kAnother,
          .title = "Which mask a call without isSetMask has",
          .rules = {rule::kPlaceholder},
          .chosen = {"It must be MASK_PLACEHOLDER.",
                     "older WholeReduceSum · 参数说明 · isSetMask"},
          .others =
              {{"anything",
                {"It is set to MASK_PLACEHOLDER and has no meaning: anything "
                 "else does as well.",
                 "WholeReduceSum · 参数说明 · isSetMask"}}},
          .why = "Both prints require the placeholder; that the hardware "
                 "doesn't look is a reason for it and no permission.",
          .name = "wrs-placeholder",
      },
  };
}

}  // namespace

std::vector<Disagreement> WholeReduceSumDisagreements() {
  std::vector<Disagreement> all = {
      {
          .id = "DOC-WRS-PRODUCTS",
          .kind = Question::kAnother,
          .title = "Whether Atlas A3 and Atlas 200I/500 A2 have the sum",
          .rules = {rule::kProduct},
          .chosen = {"Both: the newest print lists them.",
                     "WholeReduceSum · 产品支持情况"},
          .others = {{"repeat-reduce-sum",
                      {"Neither: the page of the same sum that recommends this "
                       "call does not name them.",
                       "RepeatReduceSum · 支持的型号"}}},
          .why = "Each page speaks of its own interface. Prints of CANN 8.0 "
                 "list 200I/500 A2, those of 8.5 A3, too.",
          .name = "wrs-a3",
          .also = {"wrs-200i-500-a2"},
      },
      {
          .id = "DOC-WRS-TRAINING-FLOAT",
          .kind = Question::kAnother,
          .title = "Which types Atlas training sums",
          .rules = {rule::kDtype},
          .chosen = {"half and float.", "WholeReduceSum · 参数说明 · dst, src"},
          .others = {{"half-only", {"half.", "ReduceRepeat · 数据类型"}}},
          .why = "The interface's own page goes before its successor's.",
          .name = "wrs-training-float",
      },
      {
          .id = "DOC-WRS-DST-TYPE",
          .kind = Question::kAnother,
          .title = "Whether dst may have another type than src",
          .rules = {rule::kDtypeMatch},
          .chosen = {"No: both have type T.",
                     "WholeReduceSum · 参数说明 · src"},
          .others = {{"widened",
                      {"The prototype has a type U for dst, so that a sum of "
                       "halves may be written as float.",
                       "newer WholeReduceSum · 函数原型"}}},
          .why = "The type U belongs to a later product; on these ones the "
                 "page requires one type.",
          .name = "wrs-dst-type",
      },
  };
  std::ranges::move(OnSums(), std::back_inserter(all));
  std::ranges::move(OnPlaces(), std::back_inserter(all));
  std::ranges::move(OnMasks(), std::back_inserter(all));
  return all;
}

}  // namespace lanediff::audit
