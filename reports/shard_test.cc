// What shards leave comes back as it was, and joins into the whole.

#include "reports/shard.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "differential/testcase/json.h"
#include "differential/testcase/record_join.h"
#include "differential/testcase/record_json.h"
#include "reports/printers.h"
#include "reports/schema_testing.h"
#include "reports/testing.h"

namespace lanediff::reports::test {
namespace {

ShardRecord Shard(const std::string& verb) {
  ShardRecord record;
  record.program = "1.0.0";
  record.verb = verb;
  record.shard = {.index = 3, .count = 8};
  record.day = "2026-01-31";
  record.options = {{"target", "emulator"}, {"instruction", ""}};
  record.out = "part3";
  return record;
}

ShardRecord RunShard() {
  ShardRecord record = Shard("check");
  record.run = SampleRun();
  std::uint64_t number = 3;
  for (CaseRecord& one : record.run->cases) {
    one.number = number += 8;
    one.slug = "min";
    one.what = "MIN-DTYPE: a \"word\"";
    one.reproduce = "lanediff check " + one.path;
  }
  record.known_issues = {{.signature = "memory/min/value/half",
                          .reason = "r",
                          .link = "l",
                          .expires = "9999-12-31",
                          .file = "known_issues.json"}};
  record.occurred = {"memory/min/value/half"};
  return record;
}

/// The document, read and written again.
std::string Again(const std::string& text) {
  const auto record = ReadShard(text);
  EXPECT_TRUE(record.has_value()) << record.error();
  return record ? ShardJson(*record) : "";
}

TEST(ShardJsonTest, ComesBackAsItWas) {
  ShardRecord mutants = Shard("mutants");
  mutants.mutants = SampleMutants();
  ShardRecord audit = Shard("audit");
  audit.audit.crashed = 2;
  audit.audit.stopped = "the target ended";
  for (const ShardRecord& record : {RunShard(), mutants, audit}) {
    const std::string text = ShardJson(record);
    EXPECT_TRUE(FitsSchema(text, "shard.schema.json")) << record.verb;
    EXPECT_EQ(Again(text), text);
  }
  const auto back = ReadShard(ShardJson(RunShard()));
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(back->FileName(), "check.3-of-8.json");
  EXPECT_EQ(back->known_issues, RunShard().known_issues);
  ASSERT_EQ(back->run->cases.size(), SampleRun().cases.size());
  EXPECT_EQ(back->run->cases[1].number, 19u);
  EXPECT_EQ(back->run->cases[1].what, "MIN-DTYPE: a \"word\"");
  EXPECT_EQ(back->run->total(), SampleRun().total());
}

/// `records` with the key of earlier versions.
void UseOldKey(nlohmann::ordered_json& records) {
  ASSERT_FALSE(records.empty());
  for (auto& record : records) {
    const std::string slug = record.at("instruction");
    record.erase("instruction");
    record["room"] = slug;
  }
}

TEST(ShardJsonTest, OldKeyOfTheInstructionIsRead) {
  const std::string text = ShardJson(RunShard());
  auto old = nlohmann::ordered_json::parse(text);
  UseOldKey(old["places"]);
  UseOldKey(old["run"]["coverage"]);
  EXPECT_EQ(Again(old.dump()), text);
}

TEST(ShardJsonTest, OfVersion1IsRead) {
  std::ifstream file(OlderDocument("shard.json"));
  const std::string text(std::istreambuf_iterator<char>(file), {});
  const auto shard = ReadShard(text);
  ASSERT_TRUE(shard.has_value()) << shard.error();
  EXPECT_EQ(shard->FileName(), "check.0-of-2.json");
  EXPECT_EQ(shard->options.front().first, "target");
  ASSERT_EQ(shard->run->cases.size(), 1u);
  EXPECT_EQ(shard->run->cases[0].verdict, Verdict::kDisagree);
  EXPECT_EQ(shard->run->cases[0].findings.size(), 2u);
  EXPECT_TRUE(FitsSchema(ShardJson(*shard), "shard.schema.json"));
}

TEST(RunJsonTest, OldKeyOfTheInstructionIsRead) {
  const std::string text = RunJson(SampleRun());
  auto old = nlohmann::ordered_json::parse(text);
  UseOldKey(old["coverage"]);
  const auto read = ReadDocument<RunRecord>(text);
  const auto read_old = ReadDocument<RunRecord>(old.dump());
  ASSERT_TRUE(read) << LineOf(read.error());
  ASSERT_TRUE(read_old) << LineOf(read_old.error());
  EXPECT_EQ(read_old->coverage.front().slug, "min");
  EXPECT_EQ(RunJson(*read_old), RunJson(*read));
}

TEST(ShardJsonTest, WhatDoesNotFitIsRefused) {
  const std::string good = ShardJson(RunShard());
  const Rows rows = {{"\"kind\": \"shard\"", "\"kind\": \"run\""},
                     {"lanediff-report/2", "lanediff-report/3"},
                     {"\"index\": 3", "\"index\": 8"},
                     {"\"verb\": \"check\"", "\"verb\": \"list\""},
                     {"\"verb\": \"check\"", "\"verb\": \"fuzz\""},
                     {"\"complete\": true", "\"complete\": 1"},
                     {"\"number\": 11", "\"number\": -1"},
                     {"\"number\": 11", "\"place\": 11"},
                     {"\"verdict\": \"agree\"", "\"verdict\": \"fine\""},
                     {"\"MIN-DTYPE\"", "\"MIN-NONE\""},
                     {"\"expectedBits\": 18446744073709551615",
                      "\"expectedBits\": 18446744073709551616"},
                     {"\"occurred\"", "\"occured\""}};
  for (const auto& [old, now] : rows) {
    const auto read = ReadShard(Replaced(good, old, now));
    ASSERT_FALSE(read.has_value()) << old << " -> " << now;
    EXPECT_FALSE(Has(read.error(), "\n"));
    EXPECT_GT(read.error().size(), 10u);
  }
}

TEST(ShardFileNameTest, IsKnownAgain) {
  const auto name = ParseShardFileName("sweep.3-of-8.json");
  ASSERT_TRUE(name.has_value());
  EXPECT_EQ(name->verb, "sweep");
  EXPECT_EQ(name->shard, (make::Shard{.index = 3, .count = 8}));
  for (const char* other :
       {"sweep.json", ".3-of-8.json", "sweep.-of-8.json", "sweep.3-of-.json",
        "sweep.3-of-8.json.tmp", "", "min-int16.0-of-1.state.json",
        "sweep.8-of-8.json", "sweep.0-of-0.json", "sweep.+3-of-8.json",
        "sweep.0-of-99999999999999999999.json"}) {
    EXPECT_FALSE(ParseShardFileName(other)) << other;
  }
}

CoverageRecord Module(std::size_t reached, std::vector<HoleRecord> holes) {
  return {.slug = "min",
          .bins = reached + holes.size(),
          .reached = reached,
          .holes = std::move(holes)};
}

RunRecord JoinFuzzing(
    const std::vector<RunRecord>& parts,
    FuzzJoin::IsSmaller smaller = [](const auto&, const auto&) {
      return false;
    }) {
  FuzzJoin join(std::move(smaller));
  for (const RunRecord& part : parts) join.Add(part);
  return join.Finish();
}

auto JoinMutants(const std::vector<MutantsRecord>& parts) {
  MutantsJoin join;
  for (const MutantsRecord& part : parts) join.Add(part);
  return join.Finish();
}

TEST(JoinFuzzingTest, ABinIsAHoleThatNoShardReached) {
  RunRecord a, b;
  a.coverage = {Module(3, {{"x", "", ""}, {"y", "", "never"}})};
  b.coverage = {
      Module(2, {{"x", "a case", ""}, {"y", "", "never"}, {"z", "", ""}})};
  const RunRecord all = JoinFuzzing({a, b});
  ASSERT_EQ(all.coverage.size(), 1u);
  EXPECT_EQ(all.coverage[0].reached, 3u);
  EXPECT_EQ(all.coverage[0].bins, 5u);
  ASSERT_EQ(all.coverage[0].holes.size(), 2u);
  EXPECT_EQ(all.coverage[0].holes[0].filler, "a case");
  EXPECT_EQ(all.coverage[0].holes[1].reason, "never");
}

TEST(JoinFuzzingTest, APlaceOfTheTargetIsReachedThatAnyShardReached) {
  RunRecord a, b;
  a.target_coverage = TargetCoverageOf(9, {0, 1, 2, 5});
  b.target_coverage = TargetCoverageOf(9, {2, 3, 8});
  const RunRecord all = JoinFuzzing({RunRecord(), a, b});
  ASSERT_TRUE(all.target_coverage);
  EXPECT_EQ(all.target_coverage->which, "0-3 5 8");
  EXPECT_EQ(TargetCoverageText(*all.target_coverage),
            "target's own coverage: 6 of 9 counters\n");
}

TEST(TargetCoverageTest, ReportsMissingAndFoldedCounters) {
  EXPECT_EQ(TargetCoverageText(TargetCoverageOf(0, {})),
            "target's own coverage: not instrumented\n");
  EXPECT_EQ(TargetCoverageText(TargetCoverageOf(100'000, {7})),
            "target's own coverage: 1 of 65536 counters (the library has "
            "100000, folded)\n");
}

TEST(TargetCoverageTest, WhatCantBeReadIsNotReached) {
  for (const char* which :
       {"x", "-", "3-", "99999999999999999999", "0-9999999"}) {
    TargetCoverageRecord strange = TargetCoverageOf(9, {});
    strange.which = which;
    EXPECT_LE(Join(strange, TargetCoverageOf(9, {1})).reached, 2u) << which;
  }
}

TEST(JoinFuzzingTest, KeepsTheSmallestCase) {
  const auto run = [](const char* path, std::uint64_t times) {
    CaseRecord record = CaseOf("memory/min/value/half");
    record.path = path;
    record.verdict = Verdict::kDisagree;
    record.times = times;
    return RunOf({record});
  };
  const RunRecord all =
      JoinFuzzing({run("bb", 1), run("a", 2), run("ccc", 3)},
                  [](const CaseRecord& a, const CaseRecord& b) {
                    return a.path.size() < b.path.size();
                  });
  ASSERT_EQ(all.cases.size(), 1u);
  EXPECT_EQ(all.disagree, 1u);
  EXPECT_EQ(all.cases[0].path, "a");
  EXPECT_EQ(all.cases[0].times, 6u);
}

// What they join of what fits is held by the tests of `lanediff merge`.
TEST(JoinSweepsTest, AnotherShardsResultIsRefused) {
  RunRecord run;
  run.sweeps.emplace_back().instruction = "min";
  CaseRecord& record = run.cases.emplace_back();
  record.slug = "min";
  record.number = 6;
  EXPECT_TRUE(SweepJoin().Add(run, {.index = 0, .count = 3}));
  EXPECT_FALSE(SweepJoin().Add(run, {.index = 1, .count = 3}));
  EXPECT_FALSE(StateJoin().Add({}, {.index = 1, .count = 2}));
}

TEST(JoinIntoTest, AddsNumbersAndUnitesLists) {
  const diff::AccountRecord more = {
      .unsupported = {{"Add", "half", "a2", 1}, {"Min", "half", "a2", 2}},
      .tolerated = {},
      .never_executed = {"Min"},
      .executed = {"Add", "Max"},
      .failed = 3,
      .given_up = true};
  diff::AccountRecord sum = {
      .unsupported = {{"Min", "float", "a2", 7}, {"Min", "half", "a2", 5}},
      .tolerated = {{isa::RuleId("MIN-COUNT"), 4}},
      .never_executed = {},
      .executed = {"Max"},
      .failed = 2};
  JoinInto(more, sum);
  EXPECT_EQ(LayOut(RecordJson(sum)),
            LayOut(RecordJson(diff::AccountRecord{
                .unsupported = {{"Add", "half", "a2", 1},
                                {"Min", "float", "a2", 7},
                                {"Min", "half", "a2", 7}},
                .tolerated = {{isa::RuleId("MIN-COUNT"), 4}},
                .never_executed = {"Min"},
                .executed = {"Add", "Max"},
                .failed = 5,
                .given_up = true})));
}

TEST(JoinMutantsTest, EveryMutantInItsPlace) {
  const auto part = [](std::vector<std::string> names) {
    MutantsRecord record;
    record.seconds = 1.5;
    for (std::string& name : names) {
      record.mutants.emplace_back().name = std::move(name);
    }
    return record;
  };
  const auto all = JoinMutants({part({"a", "d"}), part({"b"}), part({"c"})});
  ASSERT_TRUE(all.has_value());
  std::string names;
  for (const MutantRecord& mutant : all->mutants) names += mutant.name;
  EXPECT_EQ(names, "abcd");
  EXPECT_EQ(all->seconds, 4.5);
  EXPECT_FALSE(JoinMutants({part({"a"}), part({"b", "e"}), part({"c"})}));
  EXPECT_FALSE(JoinMutants({part({"a"}), part({"a"})}));
}

}  // namespace
}  // namespace lanediff::reports::test
