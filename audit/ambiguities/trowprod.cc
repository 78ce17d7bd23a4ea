// Disagreements about TROWPROD.

#include "isa/trowprod.h"

#include "audit/ambiguities/tables.h"
#include "isa/state.h"

namespace lanediff::audit {
namespace {
namespace rule = isa::trp;
namespace state = isa::state;
}  // namespace

std::vector<Disagreement> TrowprodDisagreements() {
  return {
      {
          .id = "DOC-TRP-ORDER",
          .kind = Question::kAnother,
          .title = "In which order a row is multiplied",
          .rules = {rule::kOrder},
          .chosen = {"Adjacent repeats in pairs into tmp, tmp in pairs again, "
                     "the last repeat folded in halves.",
                     "TROWPROD · 实现说明"},
          .others = {{"block-lanes",
                      {"Columns in turn to the lanes of a DataBlock, then lane "
                       "by lane: what the shipped code of A2 and A3 does.",
                       "pto-isa npu/a2a3/TRowProd.hpp · TRowProd"}},
                     {"register-lanes",
                      {"Columns in turn to the lanes of a register, folded in "
                       "halves: the next generation's code.",
                       "pto-isa npu/a5/TRowProd.hpp · TRowProd"}},
                     {"left-fold",
                      {"From left to right: the vendor's CPU model, and its "
                       "formal specification.",
                       "pto-isa cpu/TRowProd.hpp · TRowProd; pto-spec "
                       "reduction.asl · ExecuteTileReduction"}}},
          .why = "The document states how, and it wins. A case may request "
                 "another "
                 "order by name; the error bound holds for all of them.",
          .name = "trp-order",
      },
      {
          .id = "DOC-TRP-PAIRS",
          .kind = Question::kItself,
          .title = "Whether each column counts where repeats don't pair up",
          .rules = {rule::kOrder},
          .chosen = {"Each of the first validCol columns is a factor.",
                     "TROWPROD · 数学定义"},
          .others = {{"halving",
                      {"tmp is halved until one repeat is left; the steps have "
                       "no word for an odd one, which is then forgotten.",
                       "TROWPROD · 实现说明"}}},
          .why = "The definition states what the instruction is, the steps how "
                 "it is made. Code that follows the steps to the letter loses "
                 "columns.",
          .name = "trp-pairs",
      },
      {
          .id = "DOC-TRP-TMP-TYPE",
          .kind = Question::kAnother,
          .title = "Which type tmp has",
          .rules = {rule::kDtypeMatch},
          .chosen = {"The type of src and dst.", "newer TROWPROD · 临时空间"},
          .others =
              {{"free",
                {"The constraint names dst and src only, so tmp may have any.",
                 "TROWPROD · 约束条件"}}},
          .why = "Its shape must be that of src, in rows and columns of "
                 "elements, which makes sense for elements of one size only.",
          .name = "trp-tmp-type",
      },
      {
          .id = "DOC-TRP-FOLD",
          .kind = Question::kSilent,
          .title = "How the last repeat becomes one element",
          .rules = {rule::kOrder},
          .chosen =
              {"It is folded in halves: lane e by lane e + w, w from half "
               "of the lanes down to 1.",
               ""},
          .others = {{"neighbours",
                      {"Adjacent lanes are multiplied in pairs, as adjacent "
                       "repeats are.",
                       "TROWPROD · 实现说明"}}},
          .why =
              "The steps go on until one element a row is left and do not "
              "state how; a vector unit multiplies lanes that are a register's "
              "half apart.",
          .name = "trp-fold",
      },
      {
          .id = "DOC-TRP-HALVES",
          .kind = Question::kSilent,
          .title = "Which repeats of tmp are multiplied with each other",
          .rules = {rule::kOrder},
          .chosen = {"Neighbours, as in the first step.", ""},
          .others = {{"halves",
                      {"The first half of tmp by the second, as a division in "
                       "two can be read.",
                       "TROWPROD · 实现说明"}}},
          .why =
              "The first step names adjacent ones; the second names none, and "
              "no text states that it does otherwise.",
          .name = "trp-halves",
      },
      {
          .id = "DOC-TRP-ODD-REPEAT",
          .kind = Question::kSilent,
          .title = "Where a repeat without a partner goes",
          .rules = {rule::kOrder},
          .chosen = {"Into the first repeat of tmp, before anything is halved.",
                     ""},
          .others = {{"behind",
                      {"Behind the pairs in tmp, to be paired there.",
                       "TROWPROD · 实现说明"}}},
          .why = "The steps cover pairs only. tmp is large enough for either.",
          .name = "trp-odd-repeat",
      },
      {
          .id = "DOC-TRP-TAIL",
          .kind = Question::kSilent,
          .title = "Where columns beyond the last whole repeat go",
          .rules = {rule::kOrder},
          .chosen = {"Into the first lanes of the first repeat of tmp, before "
                     "anything is halved.",
                     ""},
          .others = {{"behind",
                      {"Behind the pairs in tmp, as a repeat filled up with "
                       "ones.",
                       "TROWPROD · 实现说明"}}},
          .why = "The steps speak of whole repeats only.",
          .name = "trp-tail",
      },
      {
          .id = "DOC-TRP-NEUTRAL",
          .kind = Question::kSilent,
          .title = "Whether a factor is multiplied by a neutral 1",
          .rules = {rule::kOrder, rule::kSaturate},
          .chosen = {"Yes: lanes without a column hold 1 and are multiplied "
                     "like any other, so that saturation sees a factor before "
                     "it meets another.",
                     ""},
          .others = {{"left-out",
                      {"Lanes without a column take no part.",
                       "TROWPROD · 数学定义"}}},
          .why = "The definition has no such factors, but a fold of registers "
                 "has: what is multiplied is whole repeats.",
          .name = "trp-neutral",
      },
      {
          .id = "DOC-TRP-DST-VALID-COL",
          .kind = Question::kSilent,
          .title = "How many columns of the destination are valid",
          .rules = {rule::kDstLayout},
          .chosen = {"Any number: nothing but column 0 is written.", ""},
          .others = {{"one",
                      {"One, as in both forms that the page shows.",
                       "TROWPROD · 约束条件"}}},
          .why = "The forms are examples of a layout each; the conditions that "
                 "are checked name the valid rows only.",
          .name = "trp-dst-valid-col",
      },
  };
}

}  // namespace lanediff::audit
