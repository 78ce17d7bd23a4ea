// Runs `lanediff characterise` as a user does.

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "tools/cli/testing.h"

namespace lanediff::cli::test {
namespace {

using Characterise = ProgramTest;
using Json = nlohmann::json;

TEST_F(Characterise, ProbesNoIllegalCallWhereOnlyLegalOnesAreWanted) {
  const std::string min = "characterise --instruction min --json j.json";
  ASSERT_EQ(Lanediff(min).status, 0);
  EXPECT_TRUE(Has(Slurp(In("j.json")), "\"illegal\""));
  ASSERT_EQ(Lanediff(min + " --legal-only").status, 0);
  EXPECT_FALSE(Has(Slurp(In("j.json")), "\"illegal\""));
}

TEST_F(Characterise, ReportsInWhichOrderATargetAdds) {
  const Result r = Lanediff(
      "characterise --target mutant:rrs-left-fold --instruction "
      "RepeatReduceSum --length 17 --length 64 --json j.json");
  ASSERT_EQ(r.status, 0) << r.err;
  EXPECT_TRUE(Has(r.out, "half left-fold (17, 64); float neighbours (17, 64)"))
      << r.out;
  const Json json = Json::parse(Slurp(In("j.json")));
  EXPECT_EQ(json.at("target"), "mutant:rrs-left-fold");
  EXPECT_EQ(json.at("complete"), true);
  std::set<std::string> questions;
  for (const Json& a : json.at("answers")) {
    questions.insert(a.at("question"));
    EXPECT_FALSE(a.at("cases").empty());
  }
  EXPECT_EQ(questions,
            (std::set<std::string>{
                "order", "accumulator", "rounding", "saturation", "subnormals",
                "zero-sign", "nan", "illegal", "iterations", "mask-after"}));
  const Json& first = json.at("answers").at(0);
  EXPECT_EQ(first.at("question"), "order");
  EXPECT_EQ(first.at("answer"), "left-fold");
  EXPECT_EQ(first.at("length"), 17);
  EXPECT_TRUE(Has(first.at("tree"), "((0 1) 2)"));
}

TEST_F(Characterise, ACaseOfAnAnswerReplays) {
  ASSERT_EQ(Lanediff("characterise --target mutant:min-half-zero-sign-by-order "
                     "--instruction min --json j.json")
                .status,
            0);
  const Json json = Json::parse(Slurp(In("j.json")));
  for (const Json& a : json.at("answers")) {
    if (a.at("question") != "min-ties" || a.at("dtype") != "half") continue;
    std::ofstream(In("case.json")) << a.at("cases").at(0).dump();
    EXPECT_EQ(Lanediff("check case.json --target "
                       "mutant:min-half-zero-sign-by-order")
                  .status,
              1);
    return;
  }
  FAIL() << "no answer to min-ties";
}

TEST_F(Characterise, WhatIsNotAllowedIsOneLine) {
  const auto refused = [&](const std::string& words, const std::string& line) {
    const Result r = Lanediff("characterise " + words);
    EXPECT_EQ(r.status, 2) << words;
    EXPECT_TRUE(Has(r.err, line)) << r.err;
    EXPECT_TRUE(r.out.empty()) << r.out;
  };
  refused("--target absent", "--target: no target \"absent\"");
  refused("--target recorded:.", "--target: ");
  refused("--instruction div", "--instruction: no instruction \"div\"");
  refused("--length 0", "--length: found \"0\"; 1 to 4096 are allowed");
  refused("--length 4097", "--length: found \"4097\"");
  refused("--length three", "--length: found \"three\"");
}

}  // namespace
}  // namespace lanediff::cli::test
