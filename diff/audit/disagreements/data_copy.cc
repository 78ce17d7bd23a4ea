// Disagreements about DataCopy.

#include "isa/data_copy.h"

#include "diff/audit/disagreements/tables.h"

namespace lanediff::diff::audit {
namespace {
namespace rule = isa::dc;
}  // namespace

std::vector<Disagreement> DataCopyDisagreements() {
  return {
      {
          .id = "DOC-DC-EXAMPLE-ROUTE",
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
          .title = "How the destination gap counts at C2 and C2PIPE2GM",
          .rules = {rule::kAddress},
          .chosen = {"From the tail of a block to the head of the next, in "
                     "units of 64 and 128 bytes.",
                     "DataCopy · 参数说明 · 表3"},
          .others = {{"head-to-head", {"From head to head.", "supplement"}}},
          .why = "Table 3 gives one meaning for every position and changes the "
                 "unit only. Newer pages contradict each other; the one on the "
                 "copy to the bias table itself measures from tail to head.",
          .name = "dc-gap",
      },
      {
          .id = "DOC-DC-COUNT-AT-C2",
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
  };
}

}  // namespace lanediff::diff::audit
