// `exec --values`: what a program writes, as numbers.

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "tools/cli/testing.h"

namespace lanediff::cli::test {
namespace {

class ExecValues : public ProgramTest {
 protected:
  Result Values(const std::string& name, const std::string& options = "") {
    return Lanediff("exec '" LANEDIFF_SOURCE_DIR "/corpus/" + name +
                    ".json' --values " + options);
  }
};

TEST_F(ExecValues, ANumberItsBitsAndWhoWroteIt) {
  const Result r = Values("repeat_reduce_sum/worked-saturates-at-65504-a2");
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_TRUE(
      Has(r.out, "UB 0 half, step 0 RepeatReduceSum dst: 35584 (0x7858)\n"))
      << r.out;
}

TEST_F(ExecValues, TheTrueSumAndHowFarItIs) {
  // 60000 + 60000 - 30000 + 100 is 90100; halves end at 65504, 32 apart.
  const Result r =
      Values("repeat_reduce_sum/worked-saturates-at-65504-a2", "--true");
  EXPECT_TRUE(Has(r.out, "35584 (0x7858)  exact ")) << r.out;
  const Result sum =
      Values("repeat_reduce_sum/tree-128-random-halves", "--true --json");
  const auto json = nlohmann::json::parse(sum.out);
  const auto& element = json.at("values").at(0).at("elements").at(0);
  EXPECT_EQ(element.at("value"), -7696);
  EXPECT_EQ(element.at("bits"), "0xef84");
  EXPECT_EQ(json.at("values").at(0).at("operand"), "dst");
}

TEST_F(ExecValues, WhatIsMovedIsPrintedWithAllItsDigits) {
  Spill(In("case.json"), R"({"format": "lanediff-case/1", "id": "c",
    "product": "atlas-a2", "memory": {"UB": {"regions": [{"at": 0,
      "dtype": "half", "values": [16.125, 0.1, "-inf", 5.9604644775390625e-8,
                                  {"from": 1, "step": 1, "count": 124}]}]}},
    "program": [{"op": "Min", "dtype": "half", "count": 128,
       "dst": {"position": "VECCALC", "at": 512, "bytes": 256},
       "src0": {"position": "VECCALC", "at": 0, "bytes": 256},
       "src1": {"position": "VECCALC", "at": 0, "bytes": 256}}]})");
  const Result r = Lanediff("exec case.json --values --true");
  for (const char* part :
       {"(0x4c08)  exact 16.125, 0 ULP\n",
        "(0x2e66)  exact 0.0999755859375, 0 ULP\n", "exact -65504, 0 ULP\n",
        "exact 5.960464477539062…e-8 (17 digits), 0 ULP\n",
        "    … 112 more\n"}) {
    EXPECT_TRUE(Has(r.out, part)) << part << r.out;
  }
  EXPECT_EQ(std::ranges::count(r.out, '\n'), 19) << r.out;
  const auto lines = [&](const std::string& options) {
    return std::ranges::count(
        Lanediff("exec case.json --values " + options).out, '\n');
  };
  EXPECT_EQ(lines("--true --all"), 130);
  const std::string line = Lanediff("exec case.json --values").out;
  EXPECT_LT(line.size(), 300u);
  EXPECT_TRUE(Has(line, " more\n")) << line;
  EXPECT_TRUE(
      Has(Lanediff("exec case.json --values --all").out, "124 (0x57c0)"));
  EXPECT_TRUE(Has(Lanediff("exec case.json --values --memory GM,L1").out,
                  "no byte is written"));
  EXPECT_EQ(Lanediff("exec case.json --values --memory UB").out, line);
  EXPECT_EQ(Lanediff("exec case.json --values --memory X").status, 2);
}

TEST_F(ExecValues, EqualElementsAreCounted) {
  WriteCaseAs("case.json", "[60000, 60000, -30000, 100]",
              "[{\"value\": 1, \"count\": 4}]");
  const Result r = Lanediff("exec case.json --values");
  EXPECT_TRUE(Has(r.out, "4 (0x4400)\n")) << r.out;
  const Result copied =
      Values("data_copy/worked-2-blocks-of-8-dst-gap-1", "--json");
  const auto json = nlohmann::json::parse(copied.out);
  std::int64_t all = 0;
  for (const auto& row : json.at("values")) {
    std::int64_t count = 0;
    for (const auto& e : row.at("elements")) {
      count += e.at("count").get<std::int64_t>();
    }
    EXPECT_EQ(count, row.at("count"));
    all += count;
  }
  EXPECT_EQ(all * 2, json.at("bytes")) << "halves";
  EXPECT_EQ(json.at("bytes"), 512);
}

TEST_F(ExecValues, WhatDoesNotGoTogetherIs2) {
  EXPECT_EQ(Values("min/count-129-halves-accepted", "--out o").status, 2);
  WriteCaseAs("case.json", "[35584]", "[35584]");
  EXPECT_EQ(Lanediff("exec case.json --true").status, 2);
  EXPECT_EQ(Lanediff("exec case.json --json").status, 2);
  EXPECT_EQ(Lanediff("exec case.json --all").status, 2);
  EXPECT_EQ(Lanediff("exec case.json --memory UB").status, 2);
}

}  // namespace
}  // namespace lanediff::cli::test
