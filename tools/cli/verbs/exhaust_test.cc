// Runs `lanediff exhaust` as a user does.

#include <nlohmann/json.hpp>
#include <set>

#include "tools/cli/testing.h"

namespace lanediff::cli::test {
namespace {

using Exhaust = ProgramTest;
using Json = nlohmann::json;

/// The only space of a run's JSON.
Json OnlySpace(const fs::path& path) {
  const Json json = Json::parse(Slurp(path));
  EXPECT_EQ(json.at("format"), "lanediff-exhaust/1");
  EXPECT_EQ(json.at("spaces").size(), 1u);
  return json.at("spaces").at(0);
}

/// What of it does not depend on time.
Json Totals(Json space) {
  space.erase("seconds");
  space.erase("pointsPerSecond");
  return space;
}

TEST_F(Exhaust, ListsSpacesSizesAndBounds) {
  const Result r = Lanediff("exhaust --list");
  EXPECT_EQ(r.status, 0) << r.err;
  for (const char* part :
       {"sum-half-saturating: 4294967296 pairs in 16843010 calls\n",
        "min-int16: 4294967296 pairs in 131587 calls\n",
        "params-vec_trans: 200000 cases in 200000 calls\n",
        "repeat_times {0 1 2 3 4096}"}) {
    EXPECT_TRUE(Has(r.out, part)) << part;
  }
  EXPECT_FALSE(fs::exists(In("out")));
}

TEST_F(Exhaust, ReportsHowMuchThereIsAndHowMuchRan) {
  const Result r =
      Lanediff("exhaust min-half-ieee --range 10..14 --json f.json");
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_TRUE(Has(r.out,
                  "min-half-ieee: 130560 of 4294967296 pairs and 4 of 131587 "
                  "calls compared, emulator against oracle: 0 disagree"))
      << r.out;
  EXPECT_TRUE(Has(r.out, "calls 10..14, shard 0/1: 4 of 4, complete"));
  const Json space = OnlySpace(In("f.json"));
  EXPECT_EQ(space.at("points"), 130560);
  EXPECT_EQ(space.at("complete"), true);

  const Result again =
      Lanediff("exhaust min-half-ieee --range 10..14 --json g.json");
  EXPECT_EQ(again.status, 0) << again.err;
  EXPECT_TRUE(Has(again.err, "was finished at call 4 of 4")) << again.err;
  EXPECT_EQ(OnlySpace(In("g.json")), space);
}

TEST_F(Exhaust, ShardsTogetherAreTheWhole) {
  int calls = 0;
  int points = 0;
  for (const char* shard : {"0/3", "1/3", "2/3"}) {
    const Result r = Lanediff(
        std::string("exhaust sum-half-ieee --range 100..200 --shard ") + shard +
        " --json f.json");
    EXPECT_EQ(r.status, 0) << r.err;
    const Json space = OnlySpace(In("f.json"));
    calls += space.at("calls").get<int>();
    points += space.at("points").get<int>();
  }
  EXPECT_EQ(calls, 100);
  EXPECT_EQ(points, 100 * 255);
}

TEST_F(Exhaust, GoesOnAfterBeingKilled) {
  const std::string command =
      "lanediff exhaust sum-half-saturating --range 1000..31000 --jobs 1 ";
  // Killed as soon as the state has a good deal done; the poll gets the
  // processor first.
  const Result killed = Shell(
      "nice -n 19 " + command +
      "--state s.json & pid=$!; until grep -qs '\"next\": [0-9][0-9][0-9]' "
      "s.json; do kill -0 $pid || exit 99; done; kill -9 $pid; wait $pid; echo "
      "status $?");
  ASSERT_TRUE(Has(killed.out, "status 137")) << killed.out << killed.err;
  const Json left = Json::parse(Slurp(In("s.json")));
  EXPECT_GE(left.at("next"), 100);
  EXPECT_LT(left.at("next"), 30000);

  const Result resumed = Shell(command + "--state s.json --json resumed.json");
  EXPECT_EQ(resumed.status, 0) << resumed.err;
  EXPECT_TRUE(Has(resumed.err, "goes on from call " +
                                   std::to_string(left.at("next").get<int>()) +
                                   " of 30000"))
      << resumed.err;
  const Result whole = Shell(command + "--out other --json whole.json");
  EXPECT_EQ(whole.status, 0) << whole.err;
  EXPECT_EQ(Totals(OnlySpace(In("resumed.json"))),
            Totals(OnlySpace(In("whole.json"))));
  EXPECT_EQ(OnlySpace(In("whole.json")).at("points"), 30000 * 255);
}

TEST_F(Exhaust, FindingsAreCountedReducedAndSaved) {
  // 65504 and what overflows with it.
  const std::string command =
      "exhaust sum-half-saturating --range 8158188..8158192 --target "
      "mutant:rrs-saturation-missing --json f.json";
  const Result r = Lanediff(command);
  EXPECT_EQ(r.status, 1) << r.err;
  EXPECT_TRUE(Has(r.out,
                  "mutant:rrs-saturation-missing against oracle: 1020 "
                  "disagree"))
      << r.out;
  EXPECT_TRUE(Has(r.out, "disagree step 1 RepeatReduceSum: "));
  EXPECT_TRUE(Has(r.out, "  reproduce: lanediff check out/findings/"));
  const Json space = OnlySpace(In("f.json"));
  EXPECT_EQ(space.at("disagree"), 1020);
  ASSERT_EQ(space.at("findings").size(), 3u);
  std::set<std::string> paths;
  for (const Json& finding : space.at("findings")) {
    paths.insert(finding.at("path").get<std::string>());
    EXPECT_EQ(Shell(finding.at("reproduce").get<std::string>()).status, 1);
  }
  EXPECT_EQ(paths.size(), 3u);
  const Json saved = Json::parse(Slurp(In(*paths.begin())));
  EXPECT_EQ(saved.at("program").at(1).at("repeat"), 1);
  EXPECT_EQ(saved.at("expect").at("memory").at("UB").at(0).at("hex"), "ff7b");
  EXPECT_EQ(Lanediff("check out/findings").status, 0);

  const Result again = Lanediff(command);
  EXPECT_EQ(again.status, 1);
  EXPECT_TRUE(Has(again.err, "was finished"));
  EXPECT_TRUE(Has(again.out, "  reproduce: lanediff check out/findings/"));
  EXPECT_EQ(OnlySpace(In("f.json")), space);
}

TEST_F(Exhaust, CtrlCKeepsTheState) {
  const Result r = Shell(
      "lanediff exhaust min-int16 --state s.json & pid=$!; until grep -qs "
      "'\"next\": [1-9]' s.json; do kill -0 $pid || exit 99; done; "
      "kill -INT $pid; wait $pid; echo status $?");
  EXPECT_TRUE(Has(r.out, "status 2")) << r.out << r.err;
  EXPECT_TRUE(Has(r.out, "not complete")) << r.out;
  EXPECT_TRUE(Has(r.err, "interrupted; the same command goes on")) << r.err;
  const Json state = Json::parse(Slurp(In("s.json")));
  EXPECT_GT(state.at("next"), 0);
  EXPECT_EQ(state.at("points"), state.at("next").get<int>() * 32640);
}

TEST_F(Exhaust, AStateOfSomethingElseIsRefused) {
  const std::string command = "exhaust min-int16 --range 5..7 --state s.json";
  ASSERT_EQ(Lanediff(command).status, 0);
  const auto refused = [&](const std::string& arguments,
                           const std::string& part) {
    const std::string before = Slurp(In("s.json"));
    const Result r = Lanediff(arguments + " --state s.json");
    EXPECT_EQ(r.status, 2) << arguments;
    EXPECT_TRUE(Has(r.err, part)) << r.err;
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
  const Result folder = Lanediff("exhaust min-int16 --range 0..2 --out file");
  EXPECT_EQ(folder.status, 2);
  EXPECT_TRUE(Has(folder.err,
                  "file/exhaust/min-int16.0-of-1.0-2.state.json: "
                  "can't be written: "))
      << folder.err;
  EXPECT_FALSE(Has(folder.out, "compared")) << folder.out;
  EXPECT_EQ(Lanediff("exhaust min-int16 --range 0..2 --json no/f.json").status,
            2);
}

TEST_F(Exhaust, WrongUsageIs2) {
  const std::pair<const char*, const char*> cases[] = {
      {"exhaust", "no space named; sum-half-saturating, "},
      {"exhaust max-half", "no space \"max-half\"; sum-half-saturating, "},
      {"exhaust min-int16 --target oracle", "against itself"},
      {"exhaust min-int16 --target none", "--target: no target \"none\""},
      {"exhaust min-int16 --shard 2/2", "--shard: \"2/2\"; i/n"},
      {"exhaust min-int16 --range 7", "--range: \"7\"; A..B with A < B"},
      {"exhaust min-int16 --range 7..7", "A..B with A < B"},
      {"exhaust min-int16 --range 7..9x", "A..B with A < B"},
      {"exhaust min-int16 --range 0..131588", "min-int16 has 131587 calls"},
      {"exhaust min-int16 min-half-ieee --state s", "one file is the state"},
      {"exhaust min-int16 --range 0..1 --shard 1/2", "nothing was compared"}};
  for (const auto& [arguments, part] : cases) {
    const Result r = Lanediff(arguments);
    EXPECT_EQ(r.status, 2) << arguments;
    EXPECT_TRUE(Has(r.err, part)) << arguments << "\n" << r.err;
  }
}

TEST_F(Exhaust, AnOlderEditionHasAStateOfItsOwn) {
  // Calls on atlas-a3.
  const std::string command =
      "exhaust params-min --range 7020..7030 --json f.json --target "
      "mutant:min-edition-ignored";
  EXPECT_EQ(Lanediff(command).status, 0);
  EXPECT_EQ(OnlySpace(In("f.json")).at("edition"), "2026");
  const Result r = Lanediff(command + " --edition 2024");
  EXPECT_EQ(r.status, 1) << r.err;
  EXPECT_TRUE(Has(r.out, "10 disagree, 0 unsupported")) << r.out;
  EXPECT_TRUE(Has(r.out, ", edition 2024\n")) << r.out;
  const Json space = OnlySpace(In("f.json"));
  EXPECT_EQ(space.at("edition"), "2024");
  for (const Json& finding : space.at("findings")) {
    EXPECT_EQ(Shell(finding.at("reproduce").get<std::string>()).status, 1);
  }
  EXPECT_EQ(Lanediff(command + " --state s.json").status, 0);
  const Result other = Lanediff(command + " --state s.json --edition 2024");
  EXPECT_EQ(other.status, 2);
  EXPECT_TRUE(Has(other.err, "is of edition 2026, not 2024; ")) << other.err;
}

}  // namespace
}  // namespace lanediff::cli::test
