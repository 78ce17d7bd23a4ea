// Disagreements about Max, Add, Sub and Mul. Min's page is another one.

#include "isa/elementwise.h"

#include <algorithm>
#include <iterator>

#include "audit/ambiguities/tables.h"
#include "isa/add.h"
#include "isa/max.h"
#include "isa/mul.h"
#include "isa/state.h"
#include "isa/sub.h"

namespace lanediff::audit {
namespace {

/// The rules of each of the four whose names end in `kEnds`.
template <isa::RuleEnd... kEnds>
std::vector<isa::RuleId> OfAll() {
  return {isa::max::kNamed<kEnds>..., isa::add::kNamed<kEnds>...,
          isa::sub::kNamed<kEnds>..., isa::mul::kNamed<kEnds>...};
}

std::vector<Disagreement> OnMasks() {
  return {
      {
          .id = "DOC-ELEMENTWISE-MASK-RANGE",
          .kind = Question::kAnother,
          .title = "What a number of lanes out of its range means",
          .rules = OfAll<"-MASK-CONTIGUOUS">(),
          .chosen = {"The range is [1, maximum], and the call is refused.",
                     "older Max, Add, Sub, Mul · 参数说明 · mask"},
          .others = {{"clamped",
                      {"The range is [0, maximum]; more counts as the maximum "
                       "and 0 is no operation.",
                       "掩码 · 通用说明"}}},
          .why = "The prints that give a range agree on it, and what a call "
                 "outside of it does is no promise to rely on.",
          .name = "max-mask-range",
          .also = {"add-mask-range", "sub-mask-range", "mul-mask-range"},
      },
      {
          .id = "DOC-ELEMENTWISE-SECOND-WORD",
          .kind = Question::kAnother,
          .title = "Whether a bitwise mask of 32-bit types has a second word",
          .rules = OfAll<"-MASK-BITS">(),
          .chosen = {"It has two words, and the second one is 0.",
                     "掩码 · 通用说明"},
          .others = {{"one-word",
                      {"It is an array of one word: no other word is read.",
                       "older Max, Add, Sub, Mul · 参数说明 · mask"}}},
          .why = "The general page speaks of every interface with a mask, and "
                 "Min's page of the same array states that mask[1] is 0.",
          .name = "max-second-word",
          .also = {"add-second-word", "sub-second-word", "mul-second-word"},
      },
      {
          .id = "DOC-ELEMENTWISE-64-BIT",
          .kind = Question::kItself,
          .title = "Whether there are operands of 64 bits in the mask forms",
          .rules = OfAll<"-DTYPE", "-MASK-CONTIGUOUS">(),
          .chosen = {"No product lists a type of 64 bits.",
                     "Max, Add, Sub, Mul · 数据类型"},
          .others = {{"allowed",
                      {"The mask has a range for operands of 64 bits, so there "
                       "are some.",
                       "older Max, Add, Sub, Mul · 参数说明 · mask"}}},
          .why = "The lists of types are given product by product; the ranges "
                 "of the mask are the same on the pages of all the family.",
          .name = "max-64-bit",
          .also = {"add-64-bit", "sub-64-bit", "mul-64-bit"},
      },
      {
          .id = "DOC-ELEMENTWISE-PLACEHOLDER",
          .kind = Question::kAnother,
          .title = "Which mask a call without isSetMask has",
          .rules = OfAll<"-PLACEHOLDER">(),
          .chosen = {"It must be MASK_PLACEHOLDER.",
                     "older Max, Add, Sub, Mul · 参数说明 · isSetMask"},
          .others =
              {{"anything",
                {"It is set to MASK_PLACEHOLDER and has no meaning: anything "
                 "else does as well.",
                 "Max, Add, Sub, Mul · 参数说明 · isSetMask"}}},
          .why = "Both prints require the placeholder; that the hardware "
                 "doesn't look is a reason for it and no permission.",
          .name = "max-placeholder",
          .also = {"add-placeholder", "sub-placeholder", "mul-placeholder"},
      },
      {
          .id = "DOC-ELEMENTWISE-UNMASKED",
          .kind = Question::kAnother,
          .title = "What dst holds in lanes outside the mask",
          .rules = OfAll<"-UNMASKED">(),
          .chosen = {"What it held before.", "掩码 · 通用说明"},
          .others = {{"undefined",
                      {"\"undefined\", as the figures print it.",
                       "掩码 · 连续模式, 逐bit模式"}}},
          .why = "A sentence is more exact than a word in a figure, which may "
                 "mean no more than that nothing was written before.",
          .name = "",
          .undecidable = "What is undefined may be what was there: no outcome "
                         "speaks against that reading.",
      },
      {
          .id = "DOC-ELEMENTWISE-COUNT-REGISTER",
          .kind = Question::kAnother,
          .title = "What the count form leaves in the mask register of Atlas "
                   "training and Atlas 200I/500 A2",
          .rules = OfAll<"-CLOBBERS-MASK">(),
          .chosen = {"All ones, as on the other products.",
                     "掩码 · 接口内设置Mask"},
          .others =
              {{"code",
                {"On training the mask of its last iteration; on 200I/500 "
                 "A2 what was there.",
                 "asc-devkit kernel_operator_vec_binary_impl.h"}}},
          .why = "The page describes the interface; what one version of the "
                 "code leaves is no promise.",
          .name = "max-count-register",
          .also = {"add-count-register", "sub-count-register",
                   "mul-count-register"},
      },
      {
          .id = "DOC-ELEMENTWISE-EMPTY-MASK",
          .kind = Question::kSilent,
          .title = "What an empty mask register does off A2 and A3",
          .rules = OfAll<"-NOP">(),
          .chosen = {"Nothing is written, which is worth a note.", ""},
          .others = {{"error",
                      {"An error on Atlas training and inference.",
                       "asc-devkit kernel_npu_debug.h · CheckMaskValue"}}},
          .why =
              "The general page states for A2 and A3 that nothing is written; "
              "that tools for debugging object elsewhere may be their own "
              "check.",
          .name = "max-empty-mask",
          .also = {"add-empty-mask", "sub-empty-mask", "mul-empty-mask"},
      },
  };
}

std::vector<Disagreement> OnOverlap() {
  return {
      {
          .id = "DOC-ELEMENTWISE-STRIDE-ZERO",
          .kind = Question::kAnother,
          .title = "Which stride is 0 where src1 may be what was written",
          .rules = OfAll<"-OVERLAP-DEPENDENCY">(),
          .chosen = {"src1RepStride or dstRepStride.",
                     "通用说明和约束 · 通用地址重叠约束"},
          .others = {{"both",
                      {"Both: they are equal, and 0.",
                       "TIK 双目指令 · 通用定义"}}},
          .why = "The general page is the one that these pages refer to, and "
                 "it has \"or\"; Min's page has a slash.",
          .name = "max-stride-zero",
          .also = {"add-stride-zero", "sub-stride-zero", "mul-stride-zero"},
      },
      {
          .id = "DOC-ELEMENTWISE-SOURCES",
          .kind = Question::kAnother,
          .title = "Whether src0 and src1 lie apart where src1 is what was "
                   "written",
          .rules = OfAll<"-OVERLAP-SOURCES">(),
          .chosen = {"They must.", "Min · 注意事项; TIK 双目指令 · 通用定义"},
          .others = {{"free",
                      {"Nothing is required of them.",
                       "通用说明和约束 · 通用地址重叠约束"}}},
          .why = "The units are the same, and two documents of them require "
                 "it; the general page leaves it out without allowing it.",
          .name = "max-sources",
          .also = {"add-sources", "sub-sources", "mul-sources"},
      },
      {
          .id = "DOC-ELEMENTWISE-COUNT-OVERLAP",
          .kind = Question::kSilent,
          .title = "Whether operands of the count form may overlap in part",
          .rules = OfAll<"-OVERLAP-COUNT">(),
          .chosen = {"No: they are disjoint or start at the same byte.", ""},
          .others = {{"free",
                      {"The conditions are those of the mask forms; of the "
                       "count form nothing is required.",
                       "通用说明和约束 · 通用地址重叠约束"}}},
          .why = "What the count form reads before it writes stands nowhere, "
                 "so that a partial overlap has no result to rely on.",
          .name = "max-count-overlap",
          .also = {"add-count-overlap", "sub-count-overlap",
                   "mul-count-overlap"},
      },
      {
          .id = "DOC-ELEMENTWISE-ONE-SOURCE",
          .kind = Question::kSilent,
          .title = "What overlaps completely where there are two sources",
          .rules = OfAll<"-OVERLAP-ITERATION">(),
          .chosen = {"Each source by itself: one may be dst while the other "
                     "lies apart.",
                     ""},
          .others = {{"both-sources",
                      {"Source and destination overlap completely or not at "
                       "all, which means both sources alike.",
                       "通用说明和约束 · 通用地址重叠约束"}}},
          .why = "The same page allows src1 to be dst over several iterations "
                 "without a word about src0 in dst, too.",
          .name = "max-one-source",
          .also = {"add-one-source", "sub-one-source", "mul-one-source"},
      },
      {
          .id = "DOC-ELEMENTWISE-CONTIGUOUS-256",
          .kind = Question::kItself,
          .title = "Whether the 256 bytes of an iteration are contiguous",
          .rules = OfAll<"-ADDRESS">(),
          .chosen = {"An iteration has eight DataBlocks of each operand, which "
                     "lie its block stride apart.",
                     "Max, Add, Sub, Mul · 参数说明 · repeatParams"},
          .others = {{"contiguous",
                      {"The unit reads 256 contiguous bytes in each iteration.",
                       "Max, Add, Sub, Mul · 参数说明 · repeatTime"}}},
          .why = "The sentence explains what an iteration is; read literally "
                 "it leaves the block strides without a meaning.",
          .name = "max-contiguous-256",
          .also = {"add-contiguous-256", "sub-contiguous-256",
                   "mul-contiguous-256"},
      },
  };
}

}  // namespace

std::vector<Disagreement> ElementwiseDisagreements() {
  std::vector<Disagreement> all = {
      {
          .id = "DOC-ELEMENTWISE-A3",
          .kind = Question::kAnother,
          .title = "Whether Atlas A3 has Max, Add, Sub and Mul",
          .rules = OfAll<"-PRODUCT">(),
          .chosen = {"Yes: the newest print lists it.",
                     "Max, Add, Sub, Mul · 产品支持情况"},
          .others = {{"older",
                      {"No: the prints of CANN 8.0 do not name it.",
                       "older Max, Add, Sub, Mul · 支持的型号"}}},
          .why = "The older prints are older than the product.",
          .name = "max-a3",
          .also = {"add-a3", "sub-a3", "mul-a3"},
      },
      {
          .id = "DOC-INTEGER-OVERFLOW",
          .kind = Question::kAnother,
          .title = "What becomes of integers that leave their type",
          .rules = {isa::add::kIntegerOverflow, isa::sub::kIntegerOverflow,
                    isa::mul::kIntegerOverflow},
          .chosen = {"As with half the mode decides: the nearest value of the "
                     "type, or its low bits.",
                     "Memory矢量计算接口边界值汇总 · 表9, 表10, 表11"},
          .others = {{"low-bits",
                      {"The mode is that of half and bfloat16, and integers "
                       "have a bit of their own on later products: here they "
                       "keep their low bits.",
                       "SetSaturationFlag, SetCtrlSpr"}}},
          .why = "The tables print what comes out in both modes, value by "
                 "value, and name the call that sets them.",
          .name = "add-integer-overflow",
          .also = {"sub-integer-overflow", "mul-integer-overflow"},
      },
      {
          .id = "DOC-MAX-ZEROS",
          .kind = Question::kSilent,
          .title = "Which of two zeros of different signs is the larger one",
          .rules = {isa::max::kValue},
          .chosen = {"+0.0 in either order of the operands.",
                     "Memory矢量计算接口边界值汇总 · 表13"},
          .others = {{"first",
                      {"They are equal, so that the first one is taken; the "
                       "table prints +0.0 first.",
                       ""}}},
          .why = "The table has one order only, but the page of the next "
                 "generation gives +0.0 for the other one as well.",
          .name = "max-zeros",
      },
      {
          .id = "DOC-ELEMENTWISE-SUBNORMALS",
          .kind = Question::kSilent,
          .title = "Whether products may be and may have subnormal numbers",
          .rules = {isa::arith::kSubnormal},
          .chosen = {"Subnormal factors and products are numbers like any "
                     "other.",
                     ""},
          .others = {{"flushed",
                      {"Subnormal factors and products are taken for zero.",
                       "fdividef · 约束说明; Exp · 关键特性"}}},
          .why = "The pages of the four do not cover these products; those "
                 "of the next generation state that subnormal numbers are "
                 "supported.",
          .name = "mul-subnormals",
      },
  };
  std::ranges::move(OnOverlap(), std::back_inserter(all));
  std::ranges::move(OnMasks(), std::back_inserter(all));
  return all;
}

}  // namespace lanediff::audit
