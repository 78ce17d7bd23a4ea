// Disagreements about TROWPROD.

#include "isa/trowprod.h"

#include "diff/audit/disagreements/tables.h"
#include "isa/state.h"

namespace lanediff::diff::audit {
namespace {
namespace rule = isa::trp;
namespace state = isa::state;
}  // namespace

std::vector<Disagreement> TrowprodDisagreements() {
  return {
      {
          .id = "DOC-TRP-ORDER",
          .title = "In which order a row is multiplied",
          .rules = {rule::kOrder},
          .chosen = {"Adjacent repeats in pairs into tmp, tmp in pairs again, "
                     "the last repeat folded in halves.",
                     "TROWPROD · 实现说明"},
          .others = {{"block-lanes",
                      {"Columns in turn to the lanes of a DataBlock, then lane "
                       "by lane: what the shipped code of A2 and A3 does.",
                       "supplement"}},
                     {"register-lanes",
                      {"Columns in turn to the lanes of a register, folded in "
                       "halves: the next generation's code.",
                       "supplement"}},
                     {"left-fold",
                      {"From left to right: the vendor's CPU model, and its "
                       "formal specification.",
                       "supplement"}}},
          .why =
              "The document says how, and it wins. A case may ask for another "
              "order by name; the error bound holds for all of them.",
          .name = "trp-order",
      },
      {
          .id = "DOC-TRP-PAIRS",
          .title = "Whether each column counts where repeats don't pair up",
          .rules = {rule::kOrder},
          .chosen = {"Each of the first validCol columns is a factor.",
                     "TROWPROD · 数学定义"},
          .others = {{"halving",
                      {"tmp is halved until one repeat is left; the steps have "
                       "no word for an odd one, which is then forgotten.",
                       "TROWPROD · 实现说明"}}},
          .why = "The definition says what the instruction is, the steps how "
                 "it is made. Code that follows the steps to the letter loses "
                 "columns.",
          .name = "trp-pairs",
      },
      {
          .id = "DOC-TRP-SATURATION-DEFAULT",
          .title = "Which mode products of halves start in",
          .rules = {rule::kSaturate, state::kSaturation},
          .chosen =
              {"In saturation mode, as the sum of halves on the same products.",
               ""},
          .others = {{"ieee",
                      {"The machine starts in the mode of IEEE 754: PTO's own "
                       "pages know no other.",
                       "supplement"}}},
          .why = "One machine has one mode, and RepeatReduceSum's page shows "
                 "saturation without setting it.",
          .name = "trp-saturation-default",
      },
      {
          .id = "DOC-TRP-TMP-TYPE",
          .title = "Which type tmp has",
          .rules = {rule::kDtypeMatch},
          .chosen = {"The type of src and dst.", "supplement"},
          .others =
              {{"free",
                {"The constraint names dst and src only, so tmp may have any.",
                 "TROWPROD · 约束条件"}}},
          .why = "Its shape must be that of src, in rows and columns of "
                 "elements, which makes sense for elements of one size only.",
          .name = "trp-tmp-type",
      },
  };
}

}  // namespace lanediff::diff::audit
