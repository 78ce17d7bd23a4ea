// Disagreements about Min.

#include "isa/min.h"

#include "audit/ambiguities/tables.h"
#include "isa/state.h"

namespace lanediff::audit {
namespace {
using rule = isa::min;
namespace state = isa::state;
}  // namespace

std::vector<Disagreement> MinDisagreements() {
  return {
      {
          .id = "DOC-MIN-SLASH",
          .kind = Question::kSilent,
          .title = "What \"src1RepStride/dstRepStride\" is 0 means",
          .rules = {rule::kOverlapDependency},
          .chosen = {"One of the two strides is 0.",
                     "通用说明和约束 · 通用地址重叠约束"},
          .others = {{"both", {"Both strides are 0.", "Min · 注意事项"}}},
          .why = "The page has a slash where it could have stated which. Newer "
                 "pages state that one of them is enough.",
          .name = "min-slash",
      },
      {
          .id = "DOC-MIN-SOURCES",
          .kind = Question::kSilent,
          .title = "When src0 and src1 must not overlap",
          .rules = {rule::kOverlapSources},
          .chosen = {"Where a later iteration really reads from src1 what an "
                     "earlier one wrote.",
                     ""},
          .others =
              {{"always",
                {"Wherever a stride is 0, written bytes being read or not.",
                 "Min · 注意事项"}}},
          .why = "The condition is the last of a list on supported overlap of "
                 "the destination; where nothing written is read there is no "
                 "overlap to support.",
          .name = "min-sources",
      },
      {
          .id = "DOC-MIN-64-BIT",
          .kind = Question::kItself,
          .title = "Whether there are operands of 64 bits",
          .rules = {rule::kDtype, rule::kMaskContiguous},
          .chosen = {"No product lists a type of 64 bits.",
                     "Min · 参数说明 · dstLocal"},
          .others = {{"allowed",
                      {"The mask has a range for operands of 64 bits, so there "
                       "are some.",
                       "Min · 参数说明 · mask"}}},
          .why = "The lists of types are given product by product; the ranges "
                 "of the mask are the same on the pages of all its family.",
          .name = "min-64-bit",
      },
      {
          .id = "DOC-MIN-MASKED-OVERLAP",
          .kind = Question::kSilent,
          .title = "What overlaps completely under a partial mask",
          .rules = {rule::kOverlapIteration},
          .chosen =
              {"The lanes that take part: they share no byte, or coincide "
               "lane by lane.",
               ""},
          .others = {{"whole-iterations",
                      {"The whole of an iteration, 256 bytes, whichever lanes "
                       "take part.",
                       "Min · 注意事项"}}},
          .why = "Lanes outside the mask are neither read nor written, so that "
                 "nothing of theirs can overlap.",
          .name = "min-masked-overlap",
      },
      {
          .id = "DOC-MIN-COUNT-OVERLAP",
          .kind = Question::kSilent,
          .title = "Whether operands of the count form may overlap in part",
          .rules = {rule::kOverlapCount},
          .chosen = {"No: they are disjoint or start at the same byte.", ""},
          .others = {{"free",
                      {"The conditions are those of the other forms; of the "
                       "count form nothing is required.",
                       "Min · 注意事项"}}},
          .why =
              "What the count form reads before it writes stands nowhere, so "
              "that a partial overlap has no result to rely on.",
          .name = "min-count-overlap",
      },
  };
}

}  // namespace lanediff::audit
