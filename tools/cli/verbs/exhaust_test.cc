// Runs `lanediff exhaust` as a user does.

#include <set>

#include "reports/schema_testing.h"
#include "tools/cli/testing.h"

namespace lanediff::cli::test {
namespace {

class Exhaust : public ProgramTest {
 protected:
  /// The only space of a run's JSON.
  Json OnlySpace(const std::string& name = "f.json") const {
    const Json json = ReadJson(name);
    EXPECT_TRUE(reports::test::FitsSchema(json.dump(), "exhaust.schema.json"));
    EXPECT_EQ(json.at("spaces").size(), 1u);
    return json.at("spaces").at(0);
  }
};

/// What of it does not depend on time.
Json Totals(Json space) {
  space.erase("seconds");
  space.erase("pointsPerSecond");
  return space;
}

TEST_F(Exhaust, ListsSpacesSizesAndBounds) {
  const Result r = Lanediff("exhaust --list");
  EXPECT_EQ(r.status, 0) << r.err;
  ExpectParts(r.out,
              {"sum-half-saturating: 4294967296 pairs in 16843010 calls\n",
               "min-int16: 4294967296 pairs in 131587 calls\n",
               "params-vec_trans: 200000 cases in 200000 calls\n",
               "repeat_times {0 1 2 3 4096}"});
  EXPECT_FALSE(fs::exists(In("out")));
}

TEST_F(Exhaust, ReportsHowMuchThereIsAndHowMuchRan) {
  Expect(Lanediff("exhaust min-half-ieee --range 10..14 --json f.json"), 0,
         {.out = {"min-half-ieee: 130560 of 4294967296 pairs and 4 of 131587 "
                  "calls compared, emulator against oracle: 0 disagree",
                  "calls 10..14, shard 0/1: 4 of 4, complete"}});
  const Json space = OnlySpace();
  ExpectMembers(space, {{"/points", 130560}, {"/complete", true}});

  Expect(Lanediff("exhaust min-half-ieee --range 10..14 --json g.json"), 0,
         {.err = {"was finished at call 4 of 4"}});
  EXPECT_EQ(OnlySpace("g.json"), space);
}

TEST_F(Exhaust, GoesOnAfterBeingKilled) {
  const std::string command =
      "lanediff exhaust sum-half-saturating --range 1000..31000 --jobs 1 ";
  // Killed as soon as the state has a good deal done; the poll gets the
  // processor first.
  ExpectParts(Shell("nice -n 19 " + command +
                    "--state s.json & pid=$!; until grep -qs '\"next\": "
                    "[0-9][0-9][0-9]' s.json; do kill -0 $pid || exit 99; "
                    "done; kill -9 $pid; wait $pid; echo status $?")
                  .out,
              {"status 137"});
  const Json left = ReadJson("s.json");
  EXPECT_GE(left.at("next"), 100);
  EXPECT_LT(left.at("next"), 30000);

  Expect(Shell(command + "--state s.json --json resumed.json"), 0,
         {.err = {"goes on from call " +
                  std::to_string(left.at("next").get<int>()) + " of 30000"}});
  Expect(Shell(command + "--out other --json whole.json"), 0);
  EXPECT_EQ(Totals(OnlySpace("resumed.json")), Totals(OnlySpace("whole.json")));
  EXPECT_EQ(OnlySpace("whole.json").at("points"), 30000 * 255);
}

TEST_F(Exhaust, FindingsAreCountedReducedAndSaved) {
  // 65504 and what overflows with it.
  const std::string command =
      "exhaust sum-half-saturating --range 8158188..8158192 --target "
      "mutant:rrs-saturation-missing --json f.json";
  Expect(Lanediff(command), 1,
         {.out = {"mutant:rrs-saturation-missing against oracle: 1020 disagree",
                  "disagree step 1 RepeatReduceSum: ",
                  "  reproduce: lanediff check out/findings/"}});
  const Json space = OnlySpace();
  EXPECT_EQ(space.at("disagree"), 1020);
  ASSERT_EQ(space.at("findings").size(), 3u);
  std::set<std::string> paths;
  for (const Json& finding : space.at("findings")) {
    paths.insert(finding.at("path").get<std::string>());
    EXPECT_EQ(Shell(finding.at("reproduce").get<std::string>()).status, 1);
  }
  EXPECT_EQ(paths.size(), 3u);
  const Json saved = ReadJson(*paths.begin());
  ExpectMembers(
      saved, {{"/program/1/repeat", 1}, {"/expect/memory/UB/0/hex", "ff7b"}});
  EXPECT_EQ(Lanediff("check out/findings").status, 0);

  Expect(Lanediff(command), 1,
         {.out = {"  reproduce: lanediff check out/findings/"},
          .err = {"was finished"}});
  EXPECT_EQ(OnlySpace(), space);
}

TEST_F(Exhaust, CtrlCKeepsTheState) {
  const Result r = Shell(
      "lanediff exhaust min-int16 --state s.json & pid=$!; until grep -qs "
      "'\"next\": [1-9]' s.json; do kill -0 $pid || exit 99; done; "
      "kill -INT $pid; wait $pid; echo status $?");
  ExpectParts(r.out, {"status 2", "not complete"});
  ExpectParts(r.err, {"interrupted; the same command goes on"});
  const Json state = ReadJson("s.json");
  EXPECT_GT(state.at("next"), 0);
  EXPECT_EQ(state.at("points"), state.at("next").get<int>() * 32640);
}

TEST_F(Exhaust, AStateOfSomethingElseIsRefused) {
  const std::string command = "exhaust min-int16 --range 5..7 --state s.json";
  ASSERT_EQ(Lanediff(command).status, 0);
  const auto refused = [&](const std::string& arguments,
                           const std::string& part) {
    const std::string before = Slurp(In("s.json"));
    Expect(Lanediff(arguments + " --state s.json"), 2, {.err = {part}});
    EXPECT_EQ(Slurp(In("s.json")), before);
  };
  refused("exhaust min-half-ieee --range 5..7",
          "s.json: the state is of space min-int16, not min-half-ieee");
  refused("exhaust min-int16 --range 5..8", "not calls 5..8, shard 0/1");
  refused("exhaust min-int16 --range 5..7 --shard 0/2", "shard 0/2");
  std::string text = Slurp(In("s.json"));
  const auto at = text.find("\"version\": \"") + 12;
  text[at] = text[at] == '0' ? '1' : '0';
  Spill(In("s.json"), text);
  refused("exhaust min-int16 --range 5..7",
          "the state is of another version of min-int16");
  Spill(In("s.json"), text.substr(0, text.size() / 2));
  refused("exhaust min-int16 --range 5..7", "s.json: no state: ");
}

TEST_F(Exhaust, WhatCannotBeWrittenIsReportedAtOnce) {
  Spill(In("file"), "");
  Expect(
      Lanediff("exhaust min-int16 --range 0..2 --out file"), 2,
      {.err =
           {"file/exhaust/min-int16.0-of-1.0-2.state.json: can't be written: "},
       .not_out = {"compared"}});
  Expect(Lanediff("exhaust min-int16 --range 0..2 --json no/f.json"), 2);
}

TEST_F(Exhaust, WrongUsageIs2) {
  const std::string min = "exhaust min-int16 ";
  ExpectAllRefused(
      {{"exhaust", "no space named; sum-half-saturating, "},
       {"exhaust max-half", "no space \"max-half\"; sum-half-saturating, "},
       {min + "--target oracle", "against itself"},
       {min + "--target oracle --legal-only", "against itself"},
       {min + "--target none", "--target: no target \"none\""},
       {min + "--range 7", "--range: \"7\"; A..B with A < B"},
       {min + "--range 7..7", "A..B with A < B"},
       {min + "--range 7..9x", "A..B with A < B"},
       {min + "--range 0..131588", "min-int16 has 131587 calls"},
       {min + "min-half-ieee --state s", "one file is the state"}});
  Expect(Lanediff(min + "--range 0..1 --shard 1/2"), 2,
         {.err = {"nothing was compared"}});
}

TEST_F(Exhaust, AnOlderEditionHasAStateOfItsOwn) {
  // Calls on atlas-a3.
  const std::string command =
      "exhaust params-min --range 7020..7030 --json f.json --target "
      "mutant:min-edition-ignored";
  EXPECT_EQ(Lanediff(command).status, 0);
  EXPECT_EQ(OnlySpace().at("edition"), "2026");
  Expect(Lanediff(command + " --edition 2024"), 1,
         {.out = {"10 disagree, 0 unsupported", ", edition 2024\n"}});
  const Json space = OnlySpace();
  EXPECT_EQ(space.at("edition"), "2024");
  for (const Json& finding : space.at("findings")) {
    EXPECT_EQ(Shell(finding.at("reproduce").get<std::string>()).status, 1);
  }
  EXPECT_EQ(Lanediff(command + " --state s.json").status, 0);
  Expect(Lanediff(command + " --state s.json --edition 2024"), 2,
         {.err = {"is of edition 2026, not 2024; "}});
}

}  // namespace
}  // namespace lanediff::cli::test
