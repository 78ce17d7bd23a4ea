// Which part of its work a verb does, by option and by environment.

#include <set>

#include "tools/cli/testing.h"

namespace lanediff::cli::test {
namespace {

const std::string kCorpus = LANEDIFF_SOURCE_DIR "/corpus/";

class Shards : public ProgramTest {
 protected:
  /// `lanediff ARGUMENTS` with these variables and no others of runners.
  Result With(const std::string& variables,
              const std::string& arguments) const {
    return Shell(
        "env -u GTEST_SHARD_INDEX -u GTEST_TOTAL_SHARDS -u "
        "JOB_COMPLETION_INDEX -u JOB_COMPLETIONS " +
        variables + " lanediff " + arguments);
  }
  static std::string Check() { return "check " + kCorpus + "vec_trans "; }
};

TEST_F(Shards, TheEnvironmentNamesTheShard) {
  for (const char* variables :
       {"GTEST_SHARD_INDEX=2 GTEST_TOTAL_SHARDS=5",
        "JOB_COMPLETION_INDEX=2 JOB_COMPLETIONS=5",
        "GTEST_SHARD_INDEX=2 GTEST_TOTAL_SHARDS=5 JOB_COMPLETION_INDEX=9"}) {
    const Result r = With(variables, Check());
    Expect(r, 0, {.err = {"shard 2/5: out/check.2-of-5.json is for"}});
    EXPECT_EQ(r.out, With("", Check() + "--shard 2/5").out) << variables;
  }
}

TEST_F(Shards, TheOptionWins) {
  const Result r =
      With("GTEST_SHARD_INDEX=2 GTEST_TOTAL_SHARDS=5", Check() + "--shard 0/1");
  Expect(r, 0);
  EXPECT_EQ(r.out, With("", Check()).out);
  EXPECT_FALSE(fs::exists(In("out")));
  EXPECT_EQ(With("JOB_COMPLETION_INDEX=2", Check() + "--shard 0/1").status, 0);
}

TEST_F(Shards, WrongOnesAreRefusedByEveryVerb) {
  const std::pair<const char*, const char*> rows[] = {
      {"GTEST_SHARD_INDEX=2",
       "GTEST_SHARD_INDEX is set, but GTEST_TOTAL_SHARDS is not; set both, or "
       "give --shard i/n\n"},
      {"GTEST_TOTAL_SHARDS=2",
       "GTEST_TOTAL_SHARDS is set, but GTEST_SHARD_INDEX is not; "},
      {"JOB_COMPLETION_INDEX=0",
       "JOB_COMPLETION_INDEX is set, but JOB_COMPLETIONS is not; "},
      {"JOB_COMPLETION_INDEX=5 JOB_COMPLETIONS=5",
       "JOB_COMPLETION_INDEX: \"5\"; 0 to 4 is allowed\n"},
      {"JOB_COMPLETION_INDEX=-1 JOB_COMPLETIONS=5",
       "JOB_COMPLETION_INDEX: \"-1\"; 0 to 4 is allowed\n"},
      {"JOB_COMPLETION_INDEX=1 JOB_COMPLETIONS=0",
       "JOB_COMPLETIONS: \"0\"; the number of shards, 1 or more, is allowed\n"},
      {"GTEST_SHARD_INDEX=x GTEST_TOTAL_SHARDS=2",
       "GTEST_SHARD_INDEX: \"x\"; 0 to 1 is allowed\n"}};
  const std::string verbs[] = {Check(),
                               "sweep --instruction vec_trans ",
                               "exhaust min-int16 --range 0..8 ",
                               "audit --instruction vec_trans --out new ",
                               "mutants vt-copies --checker corpus ",
                               "fuzz --fuzzers bin "};
  fs::create_directories(In("bin"));
  Script("bin/lanediff-fuzz-min", "");
  for (const std::string& verb : verbs) {
    for (const auto& [variables, message] : rows) {
      ExpectRefused(With(variables, verb), message);
    }
    for (const char* wrong :
         {"2/2", "0/0", "1", "/2", "-1/2", "1/2x", "a/b", "0/99999999999"}) {
      ExpectRefused(With("", verb + "--shard " + wrong),
                    "--shard: \"" + std::string(wrong) +
                        "\"; i/n with 0 <= i < n is allowed\n");
    }
    EXPECT_FALSE(fs::exists(In("new")));
  }
}

TEST_F(Shards, HaveNoBaseline) {
  ASSERT_EQ(With("", Check() + "--json old.json").status, 0);
  Expect(With("", Check() + "--shard 0/2 --baseline old.json"), 2,
         {.err = {"--baseline: not for one shard; "}});
}

TEST_F(Shards, AnEmptyOneIs2AndMergedAllTheSame) {
  const std::string one = CorpusFile("worked-saturates-at-65504-a2.json");
  Expect(With("", "check " + one + " --shard 1/2"), 2,
         {.err = {"nothing was compared"}});
  ASSERT_EQ(With("", "check " + one + " --shard 0/2").status, 0);
  Expect(With("", "merge out --out all"), 0,
         {.out = {"check: 1 cases: 1 agree"}});
}

TEST_F(Shards, KnownIssuesAreStaleForAllOrNone) {
  fs::create_directories(In("cases"));
  WriteCaseAs("cases/a.json");
  WriteCaseAs("cases/b.json", "[35584]", "[35604]");
  const std::string occurs = "expectation/repeat_reduce_sum/value/half";
  const auto list = [&](const Strings& signatures) {
    Spill(In("cases/known_issues.json"), KnownIssueList(signatures));
  };
  const auto merged = [&](const std::string& out) {
    for (const char* shard : {"0", "1"}) {
      Expect(With("", std::string("check cases --shard ") + shard + "/2"), 0);
    }
    return With("", "merge out --out " + out);
  };
  list({occurs});
  const Result good = merged("good");
  EXPECT_EQ(good.status, 0) << good.out;
  EXPECT_EQ(good.out, With("", "check cases").out);

  list({occurs, "memory/min/value/half"});
  const Result bad = merged("bad");
  Expect(bad, 1, {.out = {"memory/min/value/half did not occur in this run"}});
  EXPECT_EQ(bad.out, With("", "check cases").out);
}

/// Fuzz programs that print their arguments and find what they are given.
class FuzzShards : public Shards {
 protected:
  void Programs() const {
    fs::create_directories(In("corpus"));
    WriteCaseAs("corpus/a.json");
    fs::create_directories(In("bin"));
    for (const char* name : {"one", "two"}) {
      Script(std::string("bin/lanediff-fuzz-") + name,
             LeaveFuzzStats("$FOUND") +
                 "\n[ $FOUND -eq 0 ] || sed s/35584/35616/ corpus/a.json > "
                 "$LANEDIFF_FUZZ_FINDINGS/new.json");
    }
  }
  Result Fuzz(const std::string& found, const std::string& more) const {
    return With("FOUND=" + found,
                "fuzz --fuzzers bin --jobs 2 --seconds 1 --seed 5 " + more);
  }
  std::multiset<std::uint64_t> Seeds(const std::string& shard) const {
    std::multiset<std::uint64_t> seeds;
    const Json report = ReadJson(shard);
    for (const Json& f : report.at("run").at("fuzzers")) {
      seeds.insert(f.at("seed").get<std::uint64_t>());
    }
    return seeds;
  }
};

TEST_F(FuzzShards, EachHasSeedsOfItsOwn) {
  Programs();
  ASSERT_EQ(Fuzz("0", "--shard 0/2 --out p0").status, 0);
  ASSERT_EQ(Fuzz("0", "--shard 1/2 --out p1").status, 0);
  // A program that ends is started again with the five seeds behind its own.
  using SeedSet = std::multiset<std::uint64_t>;
  EXPECT_EQ(Seeds("p0/fuzz.0-of-2.json"), (SeedSet{6, 18}));
  EXPECT_EQ(Seeds("p1/fuzz.1-of-2.json"), (SeedSet{12, 24}));
}

TEST_F(FuzzShards, TotalsAreSumsAndFindingsAreUnited) {
  Programs();
  ASSERT_EQ(Fuzz("3", "--shard 0/3 --out p0").status, 1);
  ASSERT_EQ(Fuzz("0", "--shard 1/3 --out p1").status, 0);
  ASSERT_EQ(Fuzz("4", "--shard 2/3 --out p2").status, 1);
  Expect(With("", "merge p2 p0 p1 --out all"), 1,
         {.out = {"fuzz: 60 cases, 14 of them disagreed; 1 findings reported, "
                  "0 known, in all/findings, edition 2024, 2026\n"}});
  const Json run = ReadJson("all/fuzz.json");
  EXPECT_EQ(run.at("fuzzers").size(), 6u);
  ASSERT_EQ(run.at("cases").size(), 1u);
  ExpectMembers(
      run, {{"/cases/0/times", 2},
            {"/cases/0/path",
             "all/findings/expectation-repeat_reduce_sum-value-half.json"}});
  const std::string again = run.at("cases").at(0).at("reproduce");
  Expect(With("", again.substr(std::string("lanediff ").size())), 1);
  for (const char* name : {"fuzz.xml", "fuzz.sarif", "index.html"}) {
    EXPECT_TRUE(fs::exists(In(std::string("all/") + name))) << name;
  }
}

}  // namespace
}  // namespace lanediff::cli::test
