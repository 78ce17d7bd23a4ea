// Eight shards of every verb, merged: what comes out is what one run leaves.

#include <nlohmann/json.hpp>
#include <set>

#include "reports/schema_testing.h"
#include "tools/cli/verbs/merge_testing.h"

namespace lanediff::cli::test {
namespace {

using Json = nlohmann::json;
using Merge = MergeTest;
using reports::test::FitsSchema;

TEST_F(Merge, ShardsOfCheck) {
  const std::string arguments =
      kCorpus + "vec_trans --target mutant:vt-repeat-4096-accepted";
  const Result whole = Whole("check", arguments, Reports("check"));
  EXPECT_EQ(whole.status, 1) << whole.out << whole.err;
  EXPECT_EQ(Shards("check " + arguments).size(), 8u);
  ExpectOneRun(whole, Merged());
  for (const char* part :
       {"part0/check.0-of-8.json", "part7/check.7-of-8.json"}) {
    EXPECT_TRUE(FitsSchema(Slurp(In(part)), "shard.schema.json")) << part;
  }
}

TEST_F(Merge, EveryCaseOfCheckRunsInOneShard) {
  const Result whole = Lanediff("check " + kCorpus + "min --json all.json");
  EXPECT_EQ(whole.status, 0) << whole.err;
  EXPECT_EQ(Shards("check " + kCorpus + "min"), "00000000");
  std::multiset<std::string> all;
  const Json run = Json::parse(Slurp(In("all.json")));
  for (const Json& c : run.at("cases")) {
    all.insert(c.at("path").get<std::string>());
  }
  std::multiset<std::string> parts;
  for (int i = 0; i < 8; ++i) {
    const std::string n = std::to_string(i);
    const Json part =
        Json::parse(Slurp(In("part" + n + "/check." + n + "-of-8.json")));
    for (const Json& c : part.at("run").at("cases"))
      parts.insert(c.at("path").get<std::string>());
  }
  EXPECT_GT(all.size(), 50u);
  EXPECT_EQ(parts, all);
}

TEST_F(Merge, MalformedAndUnsupportedCasesComeBackToo) {
  fs::create_directories(In("cases"));
  fs::create_directories(In("recorded"));
  for (const char* name : {"a", "b", "c"}) {
    WriteCaseAs("cases/" + std::string(name) + ".json");
  }
  Spill(In("cases/d.json"), "{}");
  const std::string arguments =
      In("cases").string() + " --target recorded:" + In("recorded").string();
  const Result whole = Whole("check", arguments, Reports("check"));
  EXPECT_EQ(whole.status, 2) << whole.out << whole.err;
  EXPECT_TRUE(Has(whole.out, "without an outcome document")) << whole.out;
  EXPECT_EQ(Shards("check " + arguments), "22222222");
  ExpectOneRun(whole, Merged());
}

TEST_F(Merge, ShardsOfSweep) {
  const std::string arguments =
      "--instruction vec_trans --target mutant:vt-repeat-4096-accepted";
  const Result whole = Whole("sweep", arguments, Reports("sweep"));
  EXPECT_EQ(whole.status, 1) << whole.out << whole.err;
  EXPECT_TRUE(Has(whole.out, "all/findings/")) << whole.out;
  Shards("sweep " + arguments);
  ExpectOneRun(whole, Merged());
  EXPECT_EQ(Lanediff("check all/findings --target "
                     "mutant:vt-repeat-4096-accepted")
                .status,
            1);
  EXPECT_TRUE(
      FitsSchema(Slurp(In("part3/sweep.3-of-8.json")), "shard.schema.json"));
}

TEST_F(Merge, ShardsOfExhaust) {
  const std::string arguments =
      "sum-half-saturating --range 8158180..8158200 --target "
      "mutant:rrs-saturation-missing";
  const Result whole = Whole("exhaust", arguments, "--json all/exhaust.json");
  EXPECT_EQ(whole.status, 1) << whole.out << whole.err;
  Shards("exhaust " + arguments);
  ExpectOneRun(whole, Merged());
  EXPECT_TRUE(
      FitsSchema(Slurp(In("part3/exhaust.3-of-8.json")), "shard.schema.json"));
}

TEST_F(Merge, ShardsOfExhaustWithSeveralSpaces) {
  const std::string arguments = "min-half-ieee min-int16 --range 10..20";
  const Result whole = Whole("exhaust", arguments, "--json all/exhaust.json");
  EXPECT_EQ(whole.status, 0) << whole.out << whole.err;
  EXPECT_EQ(Shards("exhaust " + arguments), "00000000");
  ExpectOneRun(whole, Merged());
}

TEST_F(Merge, ShardsOfAudit) {
  const std::string arguments =
      "--instruction vec_trans --product atlas-a2 --target "
      "mutant:vt-repeat-4096-accepted";
  const Result whole = Whole("audit", arguments, "");
  EXPECT_EQ(whole.status, 1) << whole.out << whole.err;
  Shards("audit " + arguments);
  ExpectOneRun(whole, Merged());
  EXPECT_TRUE(
      FitsSchema(Slurp(In("part3/audit.3-of-8.json")), "shard.schema.json"));
}

TEST_F(Merge, ShardsOfMutants) {
  // Eleven among eight: some shards have two, and no laws, which are slow.
  const std::string arguments =
      "vt-copies vt-overlap-touching vt-repeat-8-bit vt-bounds-next-repeat "
      "vt-dst-align-16 vt-strides-swapped vt-last-row-lost vt-loses-minus-zero "
      "vt-first-block-only vt-in-place-refused vt-dtype-int32-accepted "
      "--checker corpus,guided,baseline --cases 300 --seeds 2 --corpus " +
      kCorpus + "vec_trans";
  const Result whole = Whole("mutants", arguments, Reports("mutants", false));
  EXPECT_TRUE(whole.status == 0 || whole.status == 1) << whole.err;
  Shards("mutants " + arguments);
  ExpectOneRun(whole, Merged());
  EXPECT_TRUE(
      FitsSchema(Slurp(In("part3/mutants.3-of-8.json")), "shard.schema.json"));
}

TEST_F(Merge, OneFolderMayHoldAllShards) {
  const Result r = Shell("for i in 0 1 2; do lanediff check " + kCorpus +
                         "vec_trans --shard $i/3; done >/dev/null; lanediff "
                         "merge out --out all");
  EXPECT_EQ(r.status, 0) << r.err;
  const Result whole = Lanediff("check " + kCorpus + "vec_trans");
  EXPECT_EQ(r.out, whole.out);
}

TEST_F(Merge, OfSeveralVerbsOneIsNamed) {
  const Result made = Shell("for i in 0 1; do lanediff check " + kCorpus +
                            "vec_trans --shard $i/2; lanediff sweep "
                            "--instruction vec_trans --shard $i/2; done");
  EXPECT_EQ(made.status, 0) << made.err;
  const Result both = Lanediff("merge out --out all");
  EXPECT_EQ(both.status, 2);
  EXPECT_TRUE(Has(both.err,
                  "out/sweep.0-of-2.json: is of sweep, but out/check."
                  "0-of-2.json is of check; choose one with"))
      << both.err;
  EXPECT_FALSE(fs::exists(In("all")));
  EXPECT_EQ(Lanediff("merge out --verb sweep --out all").status, 0);
  EXPECT_TRUE(fs::exists(In("all/sweep.json")));
}

}  // namespace
}  // namespace lanediff::cli::test
