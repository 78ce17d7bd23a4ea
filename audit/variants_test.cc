#include "audit/variants.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "audit/case_result.h"
#include "audit/record_testing.h"
#include "differential/targets/find_target.h"
#include "differential/testcase/case_reader.h"

namespace lanediff::audit {
namespace {

using test::Ids;

/// What is left of the suspects of a case on a mutant.
Ids SuspectsIn(std::string_view json, const std::string& mutant) {
  const auto c = ReadCase(json);
  EXPECT_TRUE(c) << json;
  const auto target = diff::FindTarget("mutant:" + mutant);
  if (!c || !target) return {};
  const CaseResult result = ResultOf(*c, std::nullopt, **target);
  Ids ids;
  if (!result.failing) return ids;
  for (isa::RuleId rule : result.failing->suspects) ids.emplace(rule.text());
  return ids;
}

std::string MinUnderMaskWords(int dst, int src1_blk_stride) {
  return fmt::format(R"({{
    "format": "lanediff-case/1", "id": "min", "product": "atlas-a2",
    "memory": {{"UB": {{"fill": "a5", "size": 8192, "regions": [
      {{"at": 0, "dtype": "int16",
        "values": [{{"from": 1, "step": 1, "count": 2048}}]}}]}}}},
    "program": [{{"op": "Min", "dtype": "int16",
      "dst": {{"position": "VECIN", "at": {}, "bytes": 992}},
      "src0": {{"position": "VECCALC", "at": 0, "bytes": 992}},
      "src1": {{"position": "VECOUT", "at": 1024, "bytes": 2560}},
      "mask": ["0xfffffffffffffffd", "0xffffffffffffffff"],
      "repeatTimes": 3,
      "repeatParams": {{"dstBlkStride": 2, "src0BlkStride": 2,
        "src1BlkStride": {}, "dstRepStride": 8, "src0RepStride": 8,
        "src1RepStride": 8}}}}]}})",
                     dst, src1_blk_stride);
}

TEST(Variants, LanesThatLaterIterationsHideStaySuspects) {
  // Lane 65 of the first iteration is written by the third, and lane 1 alone
  // is written beside the mask.
  for (int dst : {3584, 4096}) {
    for (int stride : {1, 9}) {
      const std::string json = MinUnderMaskWords(dst, stride);
      EXPECT_TRUE(
          SuspectsIn(json, "min-mask-words-swapped").contains("MIN-MASK-LANES"))
          << json;
    }
  }
}

TEST(Variants, OperandsOfAnEarlierStepAreNoSmallIntegers) {
  const Ids suspects = SuspectsIn(R"({
    "format": "lanediff-case/1", "id": "copied", "product": "atlas-a2",
    "memory": {"GM": {"fill": "00", "size": 64, "regions": [
        {"at": 0, "dtype": "half", "values": [{"value": "inf", "count": 32}]}]},
      "UB": {"fill": "00", "size": 256}},
    "program": [
      {"op": "DataCopy", "dtype": "half",
       "dst": {"position": "VECIN", "at": 0, "bytes": 64},
       "src": {"position": "GM", "at": 0, "bytes": 64}, "count": 32},
      {"op": "Min", "dtype": "half",
       "dst": {"position": "VECOUT", "at": 128, "bytes": 32},
       "src0": {"position": "VECIN", "at": 0, "bytes": 32},
       "src1": {"position": "VECIN", "at": 32, "bytes": 32}, "count": 16}]})",
                                  "min-half-not-saturated");
  EXPECT_TRUE(suspects.contains("STATE-SATURATION"))
      << testing::PrintToString(suspects);
}

TEST(Variants, OneChangeClearsTheOtherRules) {
  const auto add = [](std::string_view mask) {
    return fmt::format(R"({{
      "format": "lanediff-case/1", "id": "add", "product": "atlas-a2",
      "memory": {{"UB": {{"fill": "a5", "size": 2048}}}},
      "program": [{{"op": "Add", "dtype": "half",
        "dst": {{"position": "VECOUT", "at": 0, "bytes": 512}},
        "src0": {{"position": "VECIN", "at": 512, "bytes": 512}},
        "src1": {{"position": "VECIN", "at": 1024, "bytes": 512}},
        "mask": {}, "repeatTimes": 2,
        "repeatParams": {{"dstBlkStride": 1, "src0BlkStride": 1,
          "src1BlkStride": 1, "dstRepStride": 8, "src0RepStride": 8,
          "src1RepStride": 8}}}}]}})",
                       mask);
  };
  EXPECT_EQ(SuspectsIn(add("128"), "add-last-repeat-skipped"),
            Ids{"ADD-ADDRESS"});
  EXPECT_EQ(SuspectsIn(add(R"(["0x0000000000000007", "0x0000000000000000"])"),
                       "add-mask-words-swapped"),
            Ids{"ADD-MASK-LANES"});
}

}  // namespace
}  // namespace lanediff::audit
