// Steps with alternative forms, groups and tiles: what is taken and what is
// not.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "differential/testcase/case_reader.h"

namespace lanediff {
namespace {

std::string Document(const std::string& step) {
  return R"({ "format": "lanediff-case/1", "id": "t", "product": "atlas-a2",
    "memory": {}, "program": [ )" +
         step + " ] }";
}

std::string MinStep(const std::string& fields) {
  const std::string operand =
      R"({ "position": "VECIN", "at": 0, "bytes": 32 })";
  return R"({ "op": "Min", "dtype": "half", "dst": )" + operand +
         R"(, "src0": )" + operand + R"(, "src1": )" + operand + ", " + fields +
         " }";
}

std::string Strides() {
  return R"("repeatTimes": 1, "repeatParams": { "dstBlkStride": 1,
    "src0BlkStride": 1, "src1BlkStride": 1, "dstRepStride": 8,
    "src0RepStride": 8, "src1RepStride": 8 })";
}

std::string CopyStep(const std::string& fields) {
  return R"({ "op": "DataCopy", "dtype": "half",
    "dst": { "position": "VECCALC", "at": 0, "bytes": 32 },
    "src": { "position": "VECIN", "at": 64, "bytes": 32 }, )" +
         fields + " }";
}

std::string ProductStep(const std::string& tile, const std::string& more) {
  const std::string good = R"({ "position": "UB", "at": 0, "rows": 8, "cols": 8,
    "validRow": 8, "validCol": 8, "layout": "ND" })";
  return R"({ "op": "TROWPROD", "dtype": "float", "dst": )" + good +
         R"(, "src": )" + good + R"(, "tmp": )" + (tile.empty() ? good : tile) +
         more + " }";
}

TEST(CaseReaderForms, TakesEachForm) {
  const std::vector<std::string> steps = {
      MinStep(R"("count": 5)"),
      MinStep(R"("mask": 128, )" + Strides()),
      MinStep(R"("mask": -1, "isSetMask": false, )" + Strides()),
      MinStep(R"("mask": ["0x8", "0xffffffffffffffff"], )" + Strides()),
      CopyStep(R"("count": 16)"),
      CopyStep(R"("params": { "blockCount": 1, "blockLen": 1, "srcGap": 0,
                  "dstGap": 65536 })"),
      ProductStep("", ""),
      ProductStep("", R"(, "order": "left-fold")"),
  };
  for (const std::string& step : steps) {
    const auto c = ReadCase(Document(step));
    EXPECT_TRUE(c) << step << "\n" << c.error().message;
  }
}

struct Refusal {
  std::string step;
  std::string pointer;
  std::string message;
};

TEST(CaseReaderForms, RefusesWhatIsNoForm) {
  const std::vector<Refusal> rows = {
      {MinStep(Strides()), "/program/0", "count, mask"},
      {MinStep(R"("count": 1, "mask": 1, )" + Strides()), "/program/0", "both"},
      {MinStep(R"("count": 1, )" + Strides()), "/program/0/repeatTimes",
       "unknown field"},
      {MinStep(R"("count": 1, "isSetMask": true)"), "/program/0/isSetMask",
       "unknown field"},
      {MinStep(R"("mask": 1)"), "/program/0", "repeatTimes"},
      {MinStep(R"("mask": ["0x1"], )" + Strides()), "/program/0/mask",
       "two hex words"},
      {MinStep(R"("mask": ["0x1", "0x1", "0x1"], )" + Strides()),
       "/program/0/mask", "two hex words"},
      {MinStep(R"("mask": [1, 2], )" + Strides()), "/program/0/mask/0",
       "a string"},
      {MinStep(R"("mask": "0x1", )" + Strides()), "/program/0/mask", "array"},
      {CopyStep(R"("count": 1, "params": {})"), "/program/0", "both"},
      {CopyStep(R"("count": 1.5)"), "/program/0/count", "integer"},
      {CopyStep(R"("params": 1)"), "/program/0/params", "an object"},
      {CopyStep(R"("params": { "blockCount": 1 })"), "/program/0/params",
       "blockLen"},
      {ProductStep("", R"(, "order": "any")"), "/program/0/order",
       "register-lanes"},
      {ProductStep(R"({ "position": "UB", "at": 0, "rows": 8, "cols": 8,
         "validRow": 8, "validCol": 8, "layout": "NZ" })",
                   ""),
       "/program/0/tmp/layout", "ND, DN"},
      {ProductStep(R"({ "position": "UB", "at": 0, "rows": 8 })", ""),
       "/program/0/tmp", "cols"},
  };
  for (const Refusal& row : rows) {
    const auto c = ReadCase(Document(row.step));
    ASSERT_FALSE(c) << row.step;
    EXPECT_EQ(c.error().pointer, row.pointer) << row.step;
    EXPECT_NE(c.error().message.find(row.message), std::string::npos)
        << c.error().message;
  }
}

}  // namespace
}  // namespace lanediff
