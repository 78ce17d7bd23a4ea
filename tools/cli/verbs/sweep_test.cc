// Runs `lanediff sweep` as a user does.

#include <nlohmann/json.hpp>
#include <pugixml.hpp>

#include "tools/cli/testing.h"

namespace lanediff::cli::test {
namespace {

using SweepVerb = ProgramTest;

TEST_F(SweepVerb, AShardAgreesAndCountsWhatItDid) {
  const Result r = Lanediff(
      "sweep --instruction vec_trans --shard 3/40 --json run.js --junit "
      "run.xml");
  EXPECT_EQ(r.status, 0) << r.out << r.err;
  EXPECT_TRUE(Has(r.out, "swept vec_trans: ")) << r.out;
  EXPECT_TRUE(Has(r.out, "  VT-OVERLAP: broken alone ")) << r.out;
  EXPECT_TRUE(Has(r.out, "rules never reached by this shard: ")) << r.out;
  EXPECT_TRUE(Has(r.out, " 0 disagree, 0 unsupported, 0 malformed")) << r.out;

  const auto json = nlohmann::json::parse(Slurp(In("run.js")));
  ASSERT_EQ(json.at("sweeps").size(), 2u);
  const auto& sweep = json.at("sweeps").at(0);
  EXPECT_EQ(sweep.at("instruction"), "vec_trans");
  EXPECT_GT(sweep.at("cases"), 50);
  const auto& program = json.at("sweeps").at(1);
  EXPECT_EQ(program.at("instruction"), "program");
  EXPECT_EQ(program.at("with"), "vec_trans");
  EXPECT_GT(program.at("cases"), 0);
  EXPECT_TRUE(Has(r.out, "\nswept program with vec_trans: ")) << r.out;
  EXPECT_EQ(sweep.at("cases").get<int>() + program.at("cases").get<int>(),
            json.at("summary").at("cases"));
  EXPECT_EQ(sweep.at("cases"),
            sweep.at("legal").get<int>() + sweep.at("rejected").get<int>());
  EXPECT_GT(sweep.at("legal"), 5);
  EXPECT_GT(sweep.at("rules").size(), 10u);
  pugi::xml_document xml;
  ASSERT_TRUE(xml.load_file(In("run.xml").c_str()));
  const auto suite = xml.child("testsuites").child("testsuite");
  EXPECT_EQ(suite.attribute("tests").as_int(), 2);
  EXPECT_EQ(suite.attribute("failures").as_int(), 0);
}

TEST_F(SweepVerb, WhatItKeepsHasItsFinding) {
  const std::string target = "mutant:vt-first-block-only";
  const Result r = Lanediff(
      "sweep --instruction vec_trans --shard 3/40 --out out "
      "--json run.js --target " +
      target);
  ASSERT_EQ(r.status, 1) << r.out << r.err;
  const auto json = nlohmann::json::parse(Slurp(In("run.js")));
  ASSERT_FALSE(json.at("cases").empty());
  for (const auto& record : json.at("cases")) {
    const auto kept =
        nlohmann::json::parse(Slurp(In(record.at("path").get<std::string>())));
    const auto& origin = kept.at("origin");
    EXPECT_EQ(origin.at("tool"), "lanediff-sweep");
    EXPECT_EQ(origin.at("target"), target);
    EXPECT_EQ(origin.at("signature"),
              record.at("findings").at(0).at("signature"));
  }
}

TEST_F(SweepVerb, JobsChangeNothing) {
  const std::string part = "sweep --instruction trowprod --shard 0/200 --jobs ";
  const Result one = Lanediff(part + "1");
  const Result three = Lanediff(part + "3");
  EXPECT_EQ(one.status, 0) << one.out;
  EXPECT_EQ(one.out, three.out);
}

TEST_F(SweepVerb, ASampleReportsOfHowManyItIs) {
  const auto sweep = [&](const std::string& more) {
    return Lanediff("sweep --instruction vec_trans --cases 4 " + more);
  };
  const Result whole = sweep("--json run.js --junit run.xml --jobs 1");
  EXPECT_EQ(whole.status, 2) << "less than all, without --sample";
  EXPECT_TRUE(Has(whole.err, " cases (")) << whole.err;
  EXPECT_TRUE(Has(whole.err, " %) was compared; fix: ")) << whole.err;
  EXPECT_TRUE(Has(Slurp(In("run.xml")), "<error message=\"a sample of "));
  const auto json = nlohmann::json::parse(Slurp(In("run.js")));
  const auto& sample = json.at("sample");
  EXPECT_EQ(sample.at("perRule"), 4);
  EXPECT_EQ(sample.at("cases"), json.at("summary").at("cases"));
  EXPECT_GT(sample.at("of"), 10'000);
  EXPECT_LT(sample.at("cases"), 200);
  EXPECT_FALSE(sample.contains("meant"));
  EXPECT_EQ(json.at("complete"), true);
  EXPECT_EQ(json.at("headline").at("tone"), "incomplete");
  const std::string part =
      "a sample of " + std::to_string(sample.at("cases").get<int>()) + " of " +
      std::to_string(sample.at("of").get<int>()) + " cases";
  EXPECT_TRUE(Has(whole.out, "; NOT compared: all but " + part)) << whole.out;
  EXPECT_TRUE(Has(whole.out, "rules never reached by this sample: none"));
  EXPECT_EQ(sweep("--jobs 3").out, whole.out);
  const Result meant = sweep("--sample --json meant.js");
  EXPECT_EQ(meant.status, 0) << meant.err;
  EXPECT_EQ(meant.out, whole.out);
  EXPECT_EQ(
      nlohmann::json::parse(Slurp(In("meant.js"))).at("sample").at("meant"),
      true);
  // Shards are the same sample together.
  for (const char* i : {"0", "1"}) {
    sweep(std::string("--shard ") + i + "/2 --out part" + i);
  }
  const Result merged = Lanediff("merge part0 part1 --out merged");
  EXPECT_EQ(merged.status, 2) << merged.err;
  EXPECT_EQ(merged.out, whole.out);
  for (const char* i : {"0", "1"}) {
    EXPECT_EQ(sweep(std::string("--sample --shard ") + i + "/2 --out meant" + i)
                  .status,
              0);
  }
  EXPECT_EQ(Lanediff("merge meant0 meant1 --out m").status, 0);
}

TEST_F(SweepVerb, WrongUsageIs2) {
  for (const auto& [arguments, message] :
       std::vector<std::pair<std::string, std::string>>{
           {"--shard 2/2", "--shard: \"2/2\"; i/n with 0 <= i < n is allowed"},
           {"--target no", "--target: no target \"no\""},
           {"--target oracle", "nothing would be compared"},
           {"--jobs -1", "--jobs"},
           {"--cases 0", "--cases"},
           {"--out /dev/null", "--out: /dev/null: can't be made"},
           {"--shard 1999999999/2000000000", "nothing was compared"}}) {
    const Result r = Lanediff("sweep --instruction vec_trans " + arguments);
    EXPECT_EQ(r.status, 2) << arguments;
    EXPECT_TRUE(Has(r.err, message)) << arguments << ": " << r.err;
  }
}

TEST_F(SweepVerb, AnOlderEditionDoesNotLackTheRulesOfTheNewest) {
  const Result r = Lanediff(
      "sweep --instruction trowprod --edition 2024 --cases 3 --sample");
  EXPECT_EQ(r.status, 0) << r.out << r.err;
  EXPECT_TRUE(Has(r.out, "TRP-DST-ND-DEPRECATED: ")) << r.out;
  EXPECT_FALSE(Has(r.out, "TRP-INTEGER-OVERFLOW")) << r.out;
  EXPECT_TRUE(Has(r.out, ", edition 2024; ")) << r.out;
}

}  // namespace
}  // namespace lanediff::cli::test
