// Disagreements about RepeatReduceSum.

#include "isa/repeat_reduce_sum.h"

#include "audit/ambiguities/tables.h"
#include "isa/state.h"

namespace lanediff::audit {
namespace {
namespace rule = isa::rrs;
namespace arith = isa::arith;
namespace state = isa::state;
}  // namespace

std::vector<Disagreement> RepeatReduceSumDisagreements() {
  return {
      {
          .id = "DOC-RRS-35604",
          .kind = Question::kItself,
          .title = "The worked example prints 35604, which no half can hold",
          .rules = {arith::kRound, rule::kSaturate, rule::kTree},
          .chosen = {"Each addition gives a half: -30000 + 100 is -29904 and "
                     "65504 - 29904 = 35600 is rounded to 35584.",
                     "RepeatReduceSum · 约束说明"},
          .others =
              {{"as-printed",
                {"The additions are those of whole numbers as printed, 65504 - "
                 "29900 = 35604; the result is rounded once, to 35616.",
                 "RepeatReduceSum · 约束说明 (the example)"}}},
          .why = "The same section speaks of float16 and keeps 65504 on the "
                 "way, so each node is a half. Published boundary values of "
                 "the sum fit one rounding at each node and nothing else.",
          .name = "rrs-35604",
      },
      {
          .id = "DOC-RRS-NEGATIVE-BOUND",
          .kind = Question::kSilent,
          .title = "Whether sums below -65504 are kept, too",
          .rules = {rule::kSaturate, state::kSaturation},
          .chosen = {"Sums are kept on both sides, below -65504 as -65504.",
                     "Memory矢量计算接口边界值汇总 · 表38"},
          .others = {{"upward-only",
                      {"Sums above 65504 are kept as 65504; of sums below "
                       "-65504 nothing is stated, so they run to -inf.",
                       "RepeatReduceSum · 约束说明"}}},
          .why = "The page gives one bound and one example, not a rule for the "
                 "other side; pages on the mode itself name both.",
          .name = "rrs-negative-bound",
      },
      {
          .id = "DOC-RRS-PLACEHOLDER",
          .kind = Question::kAnother,
          .title = "What elemsInOneRepeat means where isSetMask is false",
          .rules = {rule::kPlaceholder},
          .chosen =
              {"It is MASK_PLACEHOLDER, and the mask register determines which "
               "lanes take part.",
               "Min · 参数说明 · isSetMask"},
          .others =
              {{"argument",
                {"The cell of isSetMask is empty and bitwise masks are "
                 "stated not to be supported: elemsInOneRepeat counts "
                 "lanes, as always.",
                 "RepeatReduceSum · 函数功能, 参数说明"}},
               {"register",
                {"The mask register determines which lanes take part, and the "
                 "argument may be anything.",
                 "RepeatReduceSum · 参数说明 · isSetMask"}}},
          .why = "The cell is empty on our page; Min's page and newer prints "
                 "of this one fill it with the same words, which require the "
                 "placeholder.",
          .name = "rrs-placeholder",
      },
      {
          .id = "DOC-RRS-CONTIGUOUS-256",
          .kind = Question::kItself,
          .title = "Whether the 256 bytes of an iteration are contiguous",
          .rules = {rule::kAddress},
          .chosen = {"An iteration reads eight DataBlocks that lie "
                     "srcBlkStride apart.",
                     "RepeatReduceSum · 参数说明 · srcBlkStride"},
          .others = {{"contiguous",
                      {"The unit reads 256 contiguous bytes in each iteration.",
                       "RepeatReduceSum · 参数说明 · repeat"}}},
          .why = "The sentence on repeat explains what an iteration is and is "
                 "the same on Min's page; read literally it leaves "
                 "srcBlkStride without a meaning.",
          .name = "rrs-contiguous-256",
      },
      {
          .id = "DOC-RRS-SKIPPED-BLOCKS",
          .kind = Question::kItself,
          .title = "Whether srcRepStride counts from head to head or the "
                   "blocks between",
          .rules = {rule::kAddress},
          .chosen = {"srcRepStride is the distance of the heads of two "
                     "iterations in DataBlocks.",
                     "RepeatReduceSum · 调用示例"},
          .others = {{"skipped",
                      {"srcRepStride is how many DataBlocks are skipped "
                       "between two iterations.",
                       "RepeatReduceSum · 参数说明 · srcRepStride"}}},
          .why = "The example reads contiguous data with a stride of 8, and an "
                 "iteration has 8 DataBlocks: counted between iterations the "
                 "stride would have to be 0.",
          .name = "rrs-skipped-blocks",
      },
      {
          .id = "DOC-RRS-COMPLETE-OVERLAP",
          .kind = Question::kSilent,
          .title = "When one element overlaps a whole iteration completely",
          .rules = {rule::kOverlapIteration},
          .chosen =
              {"The element starts where the lowest participating lane starts.",
               ""},
          .others = {{"literally",
                      {"Destination and source have the same bytes, which no "
                       "sum of more than one lane has.",
                       "RepeatReduceSum · 约束说明"}}},
          .why = "The section allows overlap in order to save space, so it "
                 "must allow some; read literally it allows none but a sum of "
                 "one lane.",
          .name = "rrs-complete-overlap",
      },
      {
          .id = "DOC-RRS-DST-ALIGN",
          .kind = Question::kAnother,
          .title = "How the destination is aligned",
          .rules = {rule::kDstAlign},
          .chosen = {"To the size of its type.",
                     "RepeatReduceSum · 参数说明 · dstLocal"},
          .others = {{"32-bytes",
                      {"To what the general constraints state that the section "
                       "refers "
                       "to: 32 bytes for operands in the Unified Buffer.",
                       "RepeatReduceSum · 约束说明"}}},
          .why = "The parameter table is the more exact of the two, and "
                 "results lie side by side only with it.",
          .name = "rrs-dst-align",
      },
      {
          .id = "DOC-RRS-TRAINING-FLOAT",
          .kind = Question::kAnother,
          .title = "Which types Atlas training sums",
          .rules = {rule::kDtype},
          .chosen = {"half and float.", "RepeatReduceSum · 参数说明 · T"},
          .others = {{"half-only", {"half.", "ReduceRepeat · 数据类型"}}},
          .why = "The document that we have wins over newer ones, and it names "
                 "the types of each product one by one.",
          .name = "rrs-training-float",
      },
      {
          .id = "DOC-RRS-EMPTY-MASK",
          .kind = Question::kSilent,
          .title = "What a sum over no lane is",
          .rules = {rule::kMaskEmpty},
          .chosen = {"Nothing is written, which is worth a note.",
                     "ReduceRepeat · 约束说明"},
          .others = {{"error",
                      {"An error on Atlas training and inference.",
                       "asc-devkit kernel_npu_debug.h · CheckMaskValue"}}},
          .why = "The page is silent. Pages on A2 let an empty mask pass; that "
                 "newer tools object elsewhere may be their own check.",
          .name = "rrs-empty-mask",
      },
  };
}

}  // namespace lanediff::audit
