// Disagreements about DataCopy.

#include "isa/data_copy.h"

#include "audit/ambiguities/tables.h"

namespace lanediff::audit {
namespace {
namespace rule = isa::dc;
}  // namespace

std::vector<Disagreement> DataCopyDisagreements() {
  return {
      {
          .id = "DOC-DC-EXAMPLE-ROUTE",
          .kind = Question::kItself,
          .title = "VECIN to VECOUT is in the example but in no table",
          .rules = {rule::kRoute, rule::kRouteExample},
          .chosen = {"The example's copy is one: accepted, with a note, "
                     "wherever VECIN to VECCALC is.",
                     "DataCopy · 调用示例"},
          .others = {{"table",
                      {"Table 5 lists the local routes and has no such one.",
                       "DataCopy · 支持的通路和数据类型 · 表5"}}},
          .why = "The page prints the result of the example, older pages of "
                 "the same interface list the route, and both routes move "
                 "bytes within the Unified Buffer.",
          .name = "dc-example-route",
      },
      {
          .id = "DOC-DC-CROSSES",
          .kind = Question::kItself,
          .title = "Which column a cross of the product table stands in",
          .rules = {rule::kProduct, rule::kRoute},
          .chosen = {"A single cross is that of the second column: no copies "
                     "of two types.",
                     "DataCopy · 支持的通路和数据类型"},
          .others = {{"first-column",
                      {"The row shows one cross and nothing else, so it is the "
                       "first: no DataCopy at all.",
                       "DataCopy · 产品支持情况"}}},
          .why = "Tables 4 to 6 list routes for each product whose row has one "
                 "cross, and none for the one whose row has two.",
          .name = "dc-crosses",
      },
      {
          .id = "DOC-DC-LOCAL-ROUTES",
          .kind = Question::kItself,
          .title =
              "Local copies where all prototypes for one type are supported",
          .rules = {rule::kRoute},
          .chosen = {"Vector Core and Atlas 200I/500 A2 have no local route: "
                     "table 5 has no row for them.",
                     "DataCopy · 支持的通路和数据类型 · 表5"},
          .others = {{"prototypes",
                      {"They support the prototypes for one type, and local to "
                       "local is one of these.",
                       "DataCopy · 产品支持情况"}}},
          .why = "The tables of routes are what the page refers to for "
                 "details; the product table speaks of prototypes as a whole.",
          .name = "dc-local-routes",
      },
      {
          .id = "DOC-DC-GAP",
          .kind = Question::kAnother,
          .title = "How the destination gap counts at C2 and C2PIPE2GM",
          .rules = {rule::kAddress},
          .chosen = {"From the tail of a block to the head of the next, in "
                     "units of 64 and 128 bytes.",
                     "DataCopy · 参数说明 · 表3"},
          .others =
              {{"head-to-head",
                {"From head to head.",
                 "DataCopy（L1ToFixpipe-Buffer数据搬运） · 参数说明 · 表3"}}},
          .why = "Table 3 gives one meaning for every position and changes the "
                 "unit only. Newer pages contradict each other; the one on the "
                 "copy to the bias table itself measures from tail to head.",
          .name = "dc-gap",
      },
      {
          .id = "DOC-DC-COUNT-AT-C2",
          .kind = Question::kItself,
          .title = "What the count form rounds down to at C2",
          .rules = {rule::kCountLength},
          .chosen = {"To 32 bytes, whatever the position.",
                     "DataCopy · 参数说明 · count"},
          .others = {{"unit-of-c2",
                      {"To 64 bytes, in which lengths at C2 are counted and "
                       "its addresses aligned.",
                       "DataCopy · 参数说明 · 表3, dst"}}},
          .why = "The sentence on count makes no exception, and its "
                 "neighbours, which do, name theirs.",
          .name = "dc-count-at-c2",
      },
      {
          .id = "DOC-DC-COUNT",
          .kind = Question::kItself,
          .title = "Whether a count that is no multiple of 32 bytes is allowed",
          .rules = {rule::kCountFloor, rule::kCountLength},
          .chosen = {"It is, and is rounded down to 32 bytes, with a note.",
                     "DataCopy · 参数说明 · count (what happens if it is not)"},
          .others =
              {{"refused",
                {"It is not: the number of bytes has to be aligned to 32.",
                 "DataCopy · 参数说明 · count (what is required)"}}},
          .why = "One note requires the alignment and at the same time states "
                 "what is copied without it, which a refused call would not "
                 "need.",
          .name = "dc-count-unaligned",
      },
      {
          .id = "DOC-DC-NO-BARRIER",
          .kind = Question::kSilent,
          .title = "What a missing barrier means",
          .rules = {rule::kBarrier},
          .chosen = {"The second copy is refused.", ""},
          .others = {{"in-order",
                      {"It runs, and where nothing goes wrong the later copy "
                       "wins.",
                       "DataCopy · 约束说明"}}},
          .why = "The page requires the barrier so that nothing abnormal comes "
                 "out and does not state what does; a result that no page "
                 "promises is none to rely on.",
          .name = "dc-no-barrier",
      },
      {
          .id = "DOC-DC-BARRIER-PIPES",
          .kind = Question::kSilent,
          .title = "Whether copies on different pipes need a barrier",
          .rules = {rule::kBarrier},
          .chosen = {"Copies on different pipes are not looked at.", ""},
          .others = {{"any-pipe",
                      {"Whenever destinations of several copies overlap a "
                       "barrier is needed.",
                       "DataCopy · 约束说明"}}},
          .why =
              "The sentence names no pipe, but both pictures show two copies "
              "on one pipe and its barrier; pipes are kept in step by events, "
              "which the page does not cover.",
          .name = "dc-barrier-pipes",
      },
  };
}

}  // namespace lanediff::audit
