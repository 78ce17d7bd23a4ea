// Which part of its work a verb does, by option and by environment.

#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "tools/cli/verbs/merge_testing.h"

namespace lanediff::cli::test {
namespace {

using Json = nlohmann::json;

class Shards : public MergeTest {
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
    EXPECT_EQ(r.status, 0) << r.err;
    EXPECT_EQ(r.out, With("", Check() + "--shard 2/5").out) << variables;
    EXPECT_TRUE(Has(r.err, "shard 2/5: out/check.2-of-5.json is for")) << r.err;
  }
}

TEST_F(Shards, TheOptionWins) {
  const Result r =
      With("GTEST_SHARD_INDEX=2 GTEST_TOTAL_SHARDS=5", Check() + "--shard 0/1");
  EXPECT_EQ(r.status, 0) << r.err;
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
  Spill(In("lanediff-fuzz-min"), "#!/bin/sh\n");
  Shell("mkdir bin; mv lanediff-fuzz-min bin; chmod +x bin/*");
  for (const std::string& verb : verbs) {
    for (const auto& [variables, message] : rows) {
      const Result r = With(variables, verb);
      EXPECT_EQ(r.status, 2) << verb << variables;
      EXPECT_TRUE(Has(r.err, message)) << verb << variables << "\n" << r.err;
      EXPECT_EQ(r.out, "") << verb;
    }
    for (const char* wrong :
         {"2/2", "0/0", "1", "/2", "-1/2", "1/2x", "a/b", "0/99999999999"}) {
      const Result r = With("", verb + "--shard " + wrong);
      EXPECT_EQ(r.status, 2) << verb << wrong;
      EXPECT_TRUE(Has(r.err, "--shard: \"" + std::string(wrong) +
                                 "\"; i/n with 0 <= i < n is allowed\n"))
          << r.err;
    }
    EXPECT_FALSE(fs::exists(In("new")));
  }
}

TEST_F(Shards, HaveNoBaseline) {
  ASSERT_EQ(With("", Check() + "--json old.json").status, 0);
  const Result r = With("", Check() + "--shard 0/2 --baseline old.json");
  EXPECT_EQ(r.status, 2);
  EXPECT_TRUE(Has(r.err, "--baseline: not for one shard; ")) << r.err;
}

TEST_F(Shards, AnEmptyOneIs2AndMergedAllTheSame) {
  const std::string one = CorpusFile("worked-saturates-at-65504-a2.json");
  const Result r = With("", "check " + one + " --shard 1/2");
  EXPECT_EQ(r.status, 2);
  EXPECT_TRUE(Has(r.err, "nothing was compared")) << r.err;
  ASSERT_EQ(With("", "check " + one + " --shard 0/2").status, 0);
  const Result merged = With("", "merge out --out all");
  EXPECT_EQ(merged.status, 0) << merged.err;
  EXPECT_TRUE(Has(merged.out, "check: 1 cases: 1 agree")) << merged.out;
}

TEST_F(Shards, KnownIssuesAreStaleForAllOrNone) {
  const auto issue = [](const std::string& signature) {
    return R"({ "signature": ")" + signature +
           R"(", "reason": "r", "link": "l", "expires": "9999-12-31" })";
  };
  fs::create_directories(In("cases"));
  WriteCaseAs("cases/a.json");
  WriteCaseAs("cases/b.json", "[35584]", "[35604]");
  const auto list = [&](const std::string& issues) {
    Spill(In("cases/known_issues.json"),
          R"({ "format": "lanediff-known-issues/1", "issues": [)" + issues +
              "] }");
  };
  const std::string occurs = issue("expectation/repeat_reduce_sum/value/half");
  list(occurs);
  for (const char* shard : {"0", "1"}) {
    const Result r =
        With("", std::string("check cases --shard ") + shard + "/2");
    EXPECT_EQ(r.status, 0) << shard << r.out;
  }
  const Result good = With("", "merge out --out good");
  EXPECT_EQ(good.status, 0) << good.out;
  EXPECT_EQ(good.out, With("", "check cases").out);

  list(occurs + ", " + issue("memory/min/value/half"));
  for (const char* shard : {"0", "1"}) {
    const Result r =
        With("", std::string("check cases --shard ") + shard + "/2");
    EXPECT_EQ(r.status, 0) << shard << r.out;
  }
  const Result bad = With("", "merge out --out bad");
  EXPECT_EQ(bad.status, 1) << bad.out;
  EXPECT_TRUE(Has(bad.out, "memory/min/value/half did not occur in this run"))
      << bad.out;
  EXPECT_EQ(bad.out, With("", "check cases").out);
}

/// Fuzz programs that print their arguments and find what they are given.
class FuzzShards : public Shards {
 protected:
  void Programs() const {
    Spill(In("program"),
          "#!/bin/sh\n"
          "echo seconds 1 cases 10 legal 6 nodes 60 "
          "findings $FOUND > $LANEDIFF_FUZZ_STATS\n"
          "[ $FOUND -eq 0 ] || sed s/35584/35616/ corpus/a.json > "
          "$LANEDIFF_FUZZ_FINDINGS/new.json\n");
    fs::create_directories(In("corpus"));
    WriteCaseAs("corpus/a.json");
    Shell(
        "mkdir bin && chmod +x program && cp program bin/lanediff-fuzz-one "
        "&& cp program bin/lanediff-fuzz-two");
  }
  Result Fuzz(const std::string& found, const std::string& more) const {
    return With("FOUND=" + found,
                "fuzz --fuzzers bin --jobs 2 --seconds 1 --seed 5 " + more);
  }
  static std::multiset<std::uint64_t> Seeds(const Json& run) {
    std::multiset<std::uint64_t> seeds;
    for (const Json& f : run.at("fuzzers")) {
      seeds.insert(f.at("seed").get<std::uint64_t>());
    }
    return seeds;
  }
};

TEST_F(FuzzShards, EachHasSeedsOfItsOwn) {
  Programs();
  ASSERT_EQ(Fuzz("0", "--shard 0/2 --out p0").status, 0);
  ASSERT_EQ(Fuzz("0", "--shard 1/2 --out p1").status, 0);
  const auto zero =
      Seeds(Json::parse(Slurp(In("p0/fuzz.0-of-2.json"))).at("run"));
  const auto one =
      Seeds(Json::parse(Slurp(In("p1/fuzz.1-of-2.json"))).at("run"));
  // A program that ends is started again with the five seeds behind its own.
  EXPECT_EQ(zero, (std::multiset<std::uint64_t>{6, 18}));
  EXPECT_EQ(one, (std::multiset<std::uint64_t>{12, 24}));
}

TEST_F(FuzzShards, TotalsAreSumsAndFindingsAreUnited) {
  Programs();
  ASSERT_EQ(Fuzz("3", "--shard 0/3 --out p0").status, 1);
  ASSERT_EQ(Fuzz("0", "--shard 1/3 --out p1").status, 0);
  ASSERT_EQ(Fuzz("4", "--shard 2/3 --out p2").status, 1);
  const Result r = With("", "merge p2 p0 p1 --out all");
  EXPECT_EQ(r.status, 1) << r.out << r.err;
  EXPECT_TRUE(Has(r.out,
                  "fuzz: 60 cases, 14 of them disagreed; 1 findings reported, "
                  "0 known, in all/findings, edition 2024, 2026\n"))
      << r.out;
  const Json run = Json::parse(Slurp(In("all/fuzz.json")));
  EXPECT_EQ(run.at("fuzzers").size(), 6u);
  ASSERT_EQ(run.at("cases").size(), 1u);
  EXPECT_EQ(run.at("cases").at(0).at("times"), 2);
  const std::string path = run.at("cases").at(0).at("path");
  EXPECT_EQ(path, "all/findings/expectation-repeat_reduce_sum-value-half.json");
  EXPECT_EQ(With("", run.at("cases")
                         .at(0)
                         .at("reproduce")
                         .get<std::string>()
                         .substr(std::string("lanediff ").size()))
                .status,
            1);
  for (const char* name : {"fuzz.xml", "fuzz.sarif", "index.html"}) {
    EXPECT_TRUE(fs::exists(In(std::string("all/") + name))) << name;
  }
}

}  // namespace
}  // namespace lanediff::cli::test
