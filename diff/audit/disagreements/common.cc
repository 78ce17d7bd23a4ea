// Disagreements about the machine and its products.

#include "diff/audit/disagreements/tables.h"
#include "isa/data_copy.h"
#include "isa/min.h"
#include "isa/repeat_reduce_sum.h"
#include "isa/state.h"
#include "isa/vec_trans.h"

namespace lanediff::diff::audit {
namespace {
namespace arith = isa::arith;
}  // namespace

std::vector<Disagreement> CommonDisagreements() {
  return {
      {
          .id = "DOC-SUBNORMALS",
          .title = "Subnormal numbers are kept, or taken for zero",
          .rules = {arith::kSubnormal},
          .chosen = {"Subnormal inputs and results are numbers like any other.",
                     ""},
          .others =
              {{"flushed",
                {"Subnormal inputs and results are taken for zero.",
                 "supplement"}},
               {"flushed-results",
                {"Subnormal inputs count, but a subnormal result becomes zero.",
                 "supplement"}}},
          .why = "None of the five documents says a word, and newer ones "
                 "contradict each other. IEEE 754 keeps them, and a sum of two "
                 "halves that is subnormal is exact, so that keeping them "
                 "loses nothing.",
          .name = "subnormals",
      },
      {
          .id = "DOC-A200I-A2-BOX",
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
  };
}

}  // namespace lanediff::diff::audit
