// Disagreements about Min.

#include "isa/min.h"

#include "diff/audit/disagreements/tables.h"
#include "isa/state.h"

namespace lanediff::diff::audit {
namespace {
namespace rule = isa::min;
namespace state = isa::state;
}  // namespace

std::vector<Disagreement> MinDisagreements() {
  return {
      {
          .id = "DOC-MIN-SATURATION-DEFAULT",
          .title = "Which mode the minimum of halves starts in",
          .rules = {rule::kValue, state::kSaturation},
          .chosen = {"In saturation mode, as the sum: an infinite half is "
                     "written as 65504 or -65504.",
                     ""},
          .others = {{"ieee",
                      {"The machine starts in the mode of IEEE 754: an "
                       "infinite half stays one.",
                       "supplement"}}},
          .why = "One machine has one mode, and RepeatReduceSum's page shows "
                 "saturation without setting it. Newer pages call the other "
                 "mode the default.",
          .name = "min-saturation-default",
      },
      {
          .id = "DOC-MIN-SLASH",
          .title = "What \"src1RepStride/dstRepStride\" is 0 means",
          .rules = {rule::kOverlapDependency},
          .chosen = {"One of the two strides is 0.", "supplement"},
          .others = {{"both", {"Both strides are 0.", "Min · 注意事项"}}},
          .why = "The page has a slash where it could have said which. Newer "
                 "pages say that one of them is enough.",
          .name = "min-slash",
      },
      {
          .id = "DOC-MIN-SOURCES",
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
          .id = "DOC-MIN-NEXT-ITERATION",
          .title = "Which later iterations must not read what one has written",
          .rules = {rule::kOverlapDependency},
          .chosen = {"No later iteration.", "supplement"},
          .others = {{"next-only",
                      {"The next one: iteration N writes, iteration N+1 reads.",
                       "Min · 注意事项"}}},
          .why = "N and N+1 explain what a dependency is; one that is two "
                 "iterations long is no less of a dependency.",
          .name = "min-next-iteration",
      },
      {
          .id = "DOC-MIN-200-500",
          .title = "Which product \"Atlas 200/500 A2\" is",
          .rules = {rule::kProduct},
          .chosen =
              {"Atlas 200I/500 A2, which DataCopy's page spells with the I.",
               "DataCopy · 产品支持情况"},
          .others =
              {{"another",
                {"A product of its own, so that Atlas 200I/500 A2 has no Min.",
                 "Min · 支持的型号"}}},
          .why = "An older print of DataCopy's page has the product without "
                 "the I, the newer one with it, in the same rows.",
          .name = "min-200-500",
      },
      {
          .id = "DOC-MIN-64-BIT",
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
          .id = "DOC-MIN-A3",
          .title = "Whether Atlas A3 has Min",
          .rules = {rule::kProduct},
          .chosen = {"No: the list does not name it.", "Min · 支持的型号"},
          .others = {{"newer",
                      {"Yes: newer pages of the family name A3 beside A2.",
                       "supplement"}}},
          .why = "The document that we have wins over newer ones; it is older "
                 "than the product.",
          .name = "min-a3",
      },
  };
}

}  // namespace lanediff::diff::audit
