// Disagreements about the machine and its products.

#include "audit/ambiguities/tables.h"
#include "isa/add.h"
#include "isa/data_copy.h"
#include "isa/max.h"
#include "isa/min.h"
#include "isa/mul.h"
#include "isa/repeat_reduce_sum.h"
#include "isa/state.h"
#include "isa/sub.h"
#include "isa/trowprod.h"
#include "isa/vec_trans.h"
#include "isa/whole_reduce_sum.h"

namespace lanediff::audit {
namespace {
namespace arith = isa::arith;
}  // namespace

std::vector<Disagreement> CommonDisagreements() {
  return {
      {
          .id = "DOC-SUBNORMALS",
          .kind = Question::kSilent,
          .title = "Subnormal numbers are kept, or taken for zero",
          .rules = {arith::kSubnormal},
          .chosen = {"Subnormal inputs and results are numbers like any other.",
                     ""},
          .others =
              {{"flushed",
                {"Subnormal inputs and results are taken for zero.",
                 "fdividef · 约束说明"}},
               {"flushed-results",
                {"Subnormal inputs count, but a subnormal result becomes zero.",
                 "Exp · 关键特性"}}},
          .why = "The pages of the instructions are silent, and newer ones "
                 "contradict each other. IEEE 754 keeps them, and a sum of two "
                 "halves that is subnormal is exact, so that keeping them "
                 "loses nothing.",
          .name = "subnormals",
      },
      {
          .id = "DOC-A200I-A2-BOX",
          .kind = Question::kAnother,
          .title = "Which products stand in one row with Atlas A2",
          .rules = {isa::rrs::kProduct, isa::min::kProduct, isa::dc::kProduct,
                    isa::vt::kProduct},
          .chosen = {"Atlas A2, Atlas 800I A2 and the A200I A2 Box are one "
                     "product, as in the tables of one document.",
                     "DataCopy · 产品支持情况"},
          .others = {{"not-the-box",
                      {"Instructions whose pages name Atlas A2 and Atlas 800I "
                       "A2 only are not there on the A200I A2 Box.",
                       "RepeatReduceSum, Min, vec_trans · 支持的型号"}}},
          .why = "The Box is younger than those pages, and newer ones, "
                 "DataCopy's among them, name the three together.",
          .name = "",
          .undecidable = "A case names atlas-a2, which is the whole row: no "
                         "case can run on the Box alone.",
      },
      {
          .id = "DOC-200-500",
          .kind = Question::kAnother,
          .title = "Which product \"Atlas 200/500 A2\" is",
          .rules = {isa::min::kProduct, isa::vt::kProduct},
          .chosen =
              {"Atlas 200I/500 A2, which DataCopy's page spells with the I.",
               "DataCopy · 产品支持情况"},
          .others = {{"another",
                      {"A product of its own, so that Atlas 200I/500 A2 has "
                       "neither instruction.",
                       "Min, vec_trans · 支持的型号"}}},
          .why = "An older print of DataCopy's page has the product without "
                 "the I, the newer one with it, in the same rows.",
          .name = "min-200-500",
          .also = {"vt-200-500"},
      },
      {
          .id = "DOC-A3",
          .kind = Question::kAnother,
          .title = "Whether Atlas A3 has RepeatReduceSum and Min",
          .rules = {isa::rrs::kProduct, isa::min::kProduct},
          .chosen = {"Yes: the newest pages list it.",
                     "Min, ReduceRepeat · 产品支持情况"},
          .others = {{"older",
                      {"No: the lists of 2024 do not name it.",
                       "RepeatReduceSum, Min · 支持的型号"}}},
          .why = "The lists of 2024 are older than the product; edition 2024 "
                 "has their reading.",
          .name = "rrs-a3",
          .also = {"min-a3"},
      },
      {
          .id = "DOC-SATURATION-DEFAULT",
          .kind = Question::kAnother,
          .title = "Which mode the machine starts in",
          .rules = {isa::rrs::kSaturate, isa::min::kValue, isa::trp::kSaturate,
                    isa::wrs::kSaturate, isa::max::kValue, isa::add::kValue,
                    isa::add::kIntegerOverflow, isa::sub::kValue,
                    isa::sub::kIntegerOverflow, isa::mul::kValue,
                    isa::mul::kIntegerOverflow, isa::state::kSaturation},
          .chosen = {"In saturation mode, for every instruction: a sum beyond "
                     "65504 is kept as 65504 without anything being set.",
                     "RepeatReduceSum, WholeReduceSum · 约束说明"},
          .others = {{"ieee",
                      {"In the mode of IEEE 754: a half beyond 65504 is an "
                       "infinity, and integers keep their low bits, until "
                       "saturation is switched on. PTO's own pages know no "
                       "other.",
                       "Memory矢量计算接口边界值汇总 · 概述"}}},
          .why =
              "The pages of the sums state 65504 without a condition, and one "
              "machine has one mode; a page that speaks of machine state in "
              "general is weaker, and SetCtrlSpr's has the register start "
              "in saturation mode. For all but the sums it is our decision.",
          .name = "rrs-saturation-default",
          .also = {"min-saturation-default", "trp-saturation-default",
                   "wrs-saturation-default", "max-saturation-default",
                   "add-saturation-default", "sub-saturation-default",
                   "mul-saturation-default"},
      },
      {
          .id = "DOC-NEXT-ITERATION",
          .kind = Question::kAnother,
          .title = "Which later iterations must not read what one has written",
          .rules = {isa::rrs::kOverlapDependency, isa::min::kOverlapDependency,
                    isa::wrs::kOverlapDependency, isa::max::kOverlapDependency,
                    isa::add::kOverlapDependency, isa::sub::kOverlapDependency,
                    isa::mul::kOverlapDependency},
          .chosen = {"No later iteration.",
                     "通用说明和约束 · 通用地址重叠约束"},
          .others = {{"next-only",
                      {"The next one: iteration N writes, iteration N+1 reads.",
                       "RepeatReduceSum · 约束说明; Min · 注意事项"}}},
          .why = "N and N+1 explain what a dependency is; one that is two "
                 "iterations long is no less of a dependency.",
          .name = "rrs-next-iteration",
          .also = {"min-next-iteration", "wrs-next-iteration",
                   "max-next-iteration", "add-next-iteration",
                   "sub-next-iteration", "mul-next-iteration"},
      },
      {
          .id = "DOC-NUMBER-REGISTER",
          .kind = Question::kAnother,
          .title = "What a mask that is a number leaves in the mask register "
                   "of Atlas 200I/500 A2",
          .rules = {isa::state::kMaskRegister},
          .chosen = {"The call's own mask, as on the other products.",
                     "掩码 · 接口内设置Mask"},
          .others = {{"not-written",
                      {"What was there: the form with a number does not write "
                       "the register.",
                       "asc-devkit kernel_operator_vec_reduce_impl.h, "
                       "kernel_operator_vec_binary_impl.h"}}},
          .why = "The page speaks of every product that has the register; "
                 "that one product's code gets along without it is no promise.",
          .name = "wrs-number-register",
          .also = {"max-number-register", "add-number-register",
                   "sub-number-register", "mul-number-register"},
      },
      {
          .id = "DOC-NO-LANE-SET",
          .kind = Question::kItself,
          .title = "Whether SetVectorMask may set no lane",
          .rules = {isa::state::kMaskRegister, isa::add::kNop},
          .chosen = {"It may, and the call that reads the register writes "
                     "nothing.",
                     "SetVectorMask · 约束说明"},
          .others = {{"refused",
                      {"It may not: for types of 16 bits the two words must "
                       "not both be 0.",
                       "SetVectorMask · 功能说明"}}},
          .why = "The same page states that 0 is no operation on A2 and A3, "
                 "which it could not be if it were refused.",
          .name = "add-no-lane-set",
      },
  };
}

}  // namespace lanediff::audit
