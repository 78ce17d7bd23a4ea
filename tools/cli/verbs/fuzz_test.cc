// `lanediff fuzz` with shell scripts in place of the fuzz programs, so that
// every way in which such a program can end is seen.

#include "tools/cli/testing.h"

namespace lanediff::cli::test {
namespace {

class FuzzVerb : public ProgramTest {
 protected:
  /// Runs `lanediff fuzz` with one fuzz program that does `body`.
  Result Fuzz(const std::string& body, const std::string& options = "",
              const std::string& before = "", int seconds = 1) {
    return Shell(
        "mkdir -p bin corpus && cp " +
        CorpusFile("worked-saturates-at-65504-a2.json") +
        " corpus/ && printf '%s\\n' '#!/bin/sh' '" + body +
        "' > bin/lanediff-fuzz-fake && chmod +x bin/lanediff-fuzz-fake "
        "&& " +
        before + "lanediff fuzz --fuzzers bin --jobs 1 --seed 5 --seconds " +
        std::to_string(seconds) + " " + options);
  }

  inline static const std::string kStats = LeaveFuzzStats("0");
  inline static const std::string kFindingStats = LeaveFuzzStats("1");
  /// Saves a case that expects what neither side computes.
  inline static const std::string kSaveFinding =
      "sed s/35584/35616/ corpus/*.json > $LANEDIFF_FUZZ_FINDINGS/new.json; ";
  inline static const std::string kFind = kSaveFinding + kFindingStats;
  inline static const std::string kAgrees =
      kStats + "cp corpus/*.json $LANEDIFF_FUZZ_FINDINGS/gone.json";
  inline static const std::string kInterrupt =
      "trap \"exit 72\" INT; kill -INT $PPID; while :; do sleep 0.1; done";
  inline static const std::string kFinal =
      "out/findings/expectation-repeat_reduce_sum-value-half.json";
  inline static const std::string kMarker =
      "lanediff made this folder and removes what is in it.\\n";

  /// The same in a folder without what an earlier one left.
  void Ends(const std::string& body, int status, const Printed& printed = {},
            const std::string& options = "", const std::string& before = "",
            int seconds = 1,
            const std::source_location& at = std::source_location::current()) {
    Clear();
    Expect(Fuzz(body, options, before, seconds), status, printed, at);
  }

  /// A path in the folder that an unsharded run has to itself.
  fs::path Own(const std::string& name) const {
    return In("out/lanediff-fuzz/" + name);
  }
  /// Shell: what a killed run leaves in `folder`, one raw finding in it.
  static std::string Leave(const std::string& folder) {
    return "mkdir -p " + folder + "/raw && printf '" + kMarker + "' > " +
           folder + "/.lanediff && sed s/35584/35616/ corpus/*.json > " +
           folder + "/raw/left.json && ";
  }
};

TEST_F(FuzzVerb, EndsWithItsStatus) {
  Ends(kStats, 0,
       {.out = {"10 cases", "60.0 % legal",
                "fake               release      legal            6"},
        .not_out = {"beyond what", "own coverage"}});
  Ends(kStats + "exit 77", 3, {.out = {"status 77"}});
  Ends("exit 0", 2, {.err = {"nothing was compared"}});
  Ends(kStats + "trap \"exit 72\" INT; while :; do sleep 0.1; done", 0,
       {.err = {"lanediff-fuzz-fake was stopped after",
                "1 s were its share; it had run 10 cases"}});
  Ends(kStats + kInterrupt, 2, {.out = {"10 cases"}, .err = {"interrupted"}},
       "", "", 60);
  Ends(kStats + "rm -rf ../in/out; exit 74", 2);
  Ends(kStats + "exit 74", 2,
       {.out = {"can't write to out; see out/lanediff-fuzz/logs/"}},
       "--json fuzz.json");
  ExpectParts(Slurp(In("fuzz.json")), {"\"complete\": false"});
  // Files of nothing at all: every write fails, as on a full disk.
  Ends(kStats, 0, {.out = {"status 2\n", "can't be written: File too large"}},
       "; echo status $?) 2>&1 | cat", "(trap \"\" XFSZ; ulimit -f 0; ");
  for (const char* option : {"--instruction nothing", "--corpus nowhere",
                             "--out bin/lanediff-fuzz-fake"}) {
    Ends(kStats, 2, {}, option);
  }
  Expect(Lanediff("fuzz --fuzzers bin// --jobs 1 --seconds 1"), 0,
         {.out = {"10 cases"}});
}

TEST_F(FuzzVerb, ReportsWhatTheTargetClaimsAndWhatWasReachedOfIt) {
  Ends(LeaveFuzzStats("0", 7), 0,
       {.out = {"7 inputs are beyond what the target claims"}},
       "--json fuzz.json");
  ExpectParts(Slurp(In("fuzz.json")), {"\"beyond\": 7"});
  Ends(kStats +
           "printf \"112\\n0\\n1\\n40\\n\" > "
           "$LANEDIFF_FUZZ_STATS.counters; test -x $LANEDIFF_PLUGIN_HOST",
       0, {.out = {"target's own coverage: 3 of 112 counters\n"}},
       "--json fuzz.json");
  ExpectParts(Slurp(In("fuzz.json")), {"\"which\": \"0-1 40\""});
  Ends(kStats + "echo 0 > $LANEDIFF_FUZZ_STATS.counters", 0,
       {.out = {"target's own coverage: not instrumented\n"}});
}

TEST_F(FuzzVerb, AFindingIsOneAndKept) {
  Ends(kFind + "exit 77", 1,
       {.out = {"reproduce: lanediff check " + kFinal + "\n"}},
       "--junit out/fuzz.xml --json out/fuzz.json");
  EXPECT_EQ(Lanediff("check " + kFinal).status, 1);
  EXPECT_FALSE(fs::exists(Own("raw/new.json")));
  ExpectParts(Slurp(In("out/fuzz.xml")), {"<failure"});
  ExpectParts(Slurp(In("out/fuzz.json")), {"\"disagree\""});
  ExpectParts(Slurp(In(kFinal)),
              {"\"signature\": \"expectation/repeat_reduce_sum/",
               "\"target\": \"emulator\""});
  // The run of one case that confirms it is no shard.
  Ends(kFind, 1, {}, "", "JOB_COMPLETION_INDEX=1 JOB_COMPLETIONS=2 ");
  EXPECT_TRUE(fs::exists(In(kFinal)));
  EXPECT_TRUE(fs::is_empty(In("out/unconfirmed")));
  Ends(kFind, 1, {.out = {"value-half-2.json"}}, "",
       "mkdir -p out/findings && echo mine > " + kFinal + " && ");
  EXPECT_EQ(Slurp(In(kFinal)), "mine\n");
  Ends(kFind + kInterrupt, 1, {.err = {"interrupted"}}, "", "", 60);
  EXPECT_FALSE(Slurp(In(kFinal)).empty());
  Ends(kStats + "echo 16 memory/min/value/half > $LANEDIFF_FUZZ_STATS.findings",
       1, {.err = {"memory/min/value/half: 16 cases disagreed"}});
}

TEST_F(FuzzVerb, WhatDoesNotShowAgainIsReportedAndPutAside) {
  Ends(kAgrees, 1,
       {.out = {"not reproduced",
                "reproduce: lanediff check out/unconfirmed/gone.json\n"}});
  EXPECT_TRUE(fs::exists(In("out/unconfirmed/gone.json")));
  EXPECT_TRUE(fs::is_empty(In("out/findings")));
  ExpectParts(Fuzz(kAgrees).out, {"out/unconfirmed/gone-2.json"});
  EXPECT_TRUE(fs::exists(In("out/unconfirmed/gone.json")));
  Ends(kAgrees, 1, {.out = {"gone.json --target mutant:min-count-16-bit\n"}},
       "--target mutant:min-count-16-bit");
  // The case disagrees with its expectation, which is not what it is about.
  Ends(kFind +
           "sed -i \"s,\\\"hand\\\",\\\"lanediff-fuzz-lint\\\"\\, "
           "\\\"target\\\": \\\"lint\\\"\\, \\\"signature\\\": "
           "\\\"lint-differs/min/SYNC-RAW/half\\\",\" "
           "$LANEDIFF_FUZZ_FINDINGS/new.json",
       1,
       {.out =
            {"lint against oracle: not reproduced: found once",
             "reproduce: lanediff lint --compare out/unconfirmed/new.json\n"}},
       "--target mutant:min-count-16-bit");
  EXPECT_TRUE(fs::is_empty(In("out/findings")));
}

TEST_F(FuzzVerb, TakesUpWhatAKilledRunLeft) {
  const std::string own = "out/lanediff-fuzz";
  const std::string shard = own + "-3-of-4";
  Ends(kStats, 1, {}, "",
       Leave(own) + ": > " + own + "/raw/half.json.1.tmp && ");
  EXPECT_TRUE(fs::exists(In(kFinal)));
  EXPECT_TRUE(fs::is_empty(Own("raw")));
  Ends(kStats, 1, {}, "", Leave(shard));
  EXPECT_TRUE(fs::exists(In(kFinal)));
  EXPECT_TRUE(fs::is_empty(In(shard + "/raw")));
  // A shard leaves the others' findings alone.
  Ends(kStats, 0, {}, "--shard 0/4", Leave(shard));
  EXPECT_TRUE(fs::exists(In(shard + "/raw/left.json")));
  Ends(kStats, 0, {}, "",
       "mkdir -p " + own + " && printf lanediff > " + own + "/.lanediff && ");
  Ends(kStats, 2, {.err = {own + ": another run uses it"}}, "",
       Leave(own) + "flock " + own + "/.lanediff ");
  EXPECT_TRUE(fs::exists(Own("raw/left.json")));
}

TEST_F(FuzzVerb, ForeignFolderIsTwoAndStays) {
  for (const char* marker : {":", "echo mine > out/lanediff-fuzz/.lanediff",
                             "mkfifo out/lanediff-fuzz/.lanediff",
                             "ln -s ../mine out/lanediff-fuzz/.lanediff"}) {
    Ends(kStats, 2, {.err = {"out/lanediff-fuzz: was not made by lanediff"}},
         "",
         "mkdir -p out/lanediff-fuzz/seeds && echo x > "
         "out/lanediff-fuzz/seeds/mine && " +
             std::string(marker) + " && ");
    EXPECT_TRUE(fs::exists(Own("seeds/mine"))) << marker;
    EXPECT_FALSE(fs::exists(In("out/mine"))) << marker;
  }
  Ends(kStats, 2, {}, "",
       "mkdir -p out mine && ln -s ../mine out/lanediff-fuzz && ");
  EXPECT_TRUE(fs::is_empty(In("mine")));
}

TEST_F(FuzzVerb, InputsThatCantBeReadAreLeftOut) {
  Ends(kStats, 0, {.err = {"skipped as a seed: corpus/broken.json"}}, "",
       "echo { > corpus/broken.json && ");
  const std::string folder = "out/fuzz-corpus/fake/";
  const std::string ours = folder + std::string(40, 'a');
  const std::string other = folder + std::string(40, 'b');
  Ends(kStats, 0, {.err = {"1 inputs of another version than 1 to 8 removed"}},
       "",
       "mkdir -p " + folder + " && printf \"\\001a\" > " + ours +
           " && printf \"\\011a\" > " + other + " && printf \"\\011a\" > " +
           folder + "notes && ");
  EXPECT_TRUE(fs::exists(In(ours)));
  EXPECT_FALSE(fs::exists(In(other)));
  EXPECT_TRUE(fs::exists(In(folder + "notes"))) << "is no input";
}

TEST_F(FuzzVerb, SeedsAndShardReachTheProgram) {
  const std::string body =
      kStats + "echo \"$@\" > ../arguments; ls ${12} >> ../arguments";
  ASSERT_EQ(Fuzz(body, "--shard 0/4").status, 0);
  const std::string first = Slurp(In("../arguments"));
  ASSERT_EQ(Fuzz(body, "--shard 3/4").status, 0);
  EXPECT_TRUE(Has(first, "-seed=")) << first;
  EXPECT_TRUE(first.ends_with("\n0\n")) << "no seed input: " << first;
  EXPECT_NE(first, Slurp(In("../arguments"))) << "shards share a seed";
}

TEST_F(FuzzVerb, ShardsThatShareAFolderAndTimeCanBeMerged) {
  // Each waits for the other's finding: they run side by side for sure.
  const std::string body = kFind +
                           ": > ../here-$$; until [ $(ls ../here-* | wc -l) "
                           "-ge 2 ]; do :; done";
  const Result r = Fuzz(body,
                        "--shard 1/2; test $? = 1 && wait $pid; echo $? && "
                        "lanediff merge out --out all",
                        "{ lanediff fuzz --fuzzers bin --jobs 1 --seed 5 "
                        "--seconds 60 --shard 0/2 > ../first & pid=$!; } && ",
                        60);
  EXPECT_EQ(r.status, 1) << r.out << r.err << Slurp(In("../first"));
  EXPECT_TRUE(Has(r.out, "times: 2")) << r.out << r.err;
  EXPECT_TRUE(Has(Slurp(In("../first")), "times: 1")) << Slurp(In("../first"));
}

TEST_F(FuzzVerb, NothingOfTheUsersIsRemoved) {
  // Every folder name that a run has ever used, beside a corpus named seeds.
  const std::string names =
      "seeds raw artifacts logs findings unconfirmed fuzz-corpus/fake";
  Expect(
      Fuzz(kFind + "exit 77", "--corpus seeds --out .",
           "for f in " + names +
               "; do mkdir -p $f && cp corpus/*.json $f/mine.json && echo x > "
               "$f/mine.tmp && echo y > $f/.probe; done && "),
      1);
  const Result left = Shell("for f in " + names +
                            "; do ls -A $f | grep -c -e mine -e probe; done");
  EXPECT_EQ(left.out, "3\n3\n3\n3\n3\n3\n3\n") << left.err;
}

TEST_F(FuzzVerb, KillLosesNothing) {
  Expect(Fuzz(kSaveFinding + "kill -KILL $PPID; exit", "; exit $?", "", 60),
         137);
  EXPECT_FALSE(fs::exists(In(kFinal)));
  const Result r = Fuzz(kStats);
  EXPECT_EQ(r.status, 1) << r.out << r.err;
  EXPECT_TRUE(fs::exists(In(kFinal))) << r.out << r.err;
}

TEST_F(FuzzVerb, SecondRunReportsASignatureOnceAndKeepsTheSmallest) {
  const std::string body =
      kFind +
      "cp $LANEDIFF_FUZZ_FINDINGS/new.json $LANEDIFF_FUZZ_FINDINGS/two.json";
  const Result first = Fuzz(body);
  const std::string kept = Slurp(In(kFinal));
  Expect(Fuzz(body), 1);
  EXPECT_EQ(first.out.find("signature: "), first.out.rfind("signature: "))
      << first.out;
  EXPECT_TRUE(Has(first.out, "times: 2")) << first.out;
  EXPECT_EQ(Slurp(In(kFinal)), kept);
}

/// A program that is ended by any input but a seed, and leaves such a one.
const std::string kCrash =
    "case \"$*\" in *-seed=*) printf \"\\001\" > "
    "$(echo \"${10}\" | sed s/.*=//)crash-1;; *) echo \"ERROR: a crash\";; "
    "esac; "
    "exit 77";

TEST_F(FuzzVerb, CrashIsConfirmedKeptAndThree) {
  const Result r = Fuzz(kStats + kCrash);
  Expect(r, 3,
         {.out = {"the target ended: a crash",
                  "LANEDIFF_FUZZ_TARGET=emulator bin/"}});
  EXPECT_TRUE(fs::is_empty(Own("artifacts")));
  const std::string again = r.out.substr(r.out.find("LANEDIFF_FUZZ_TARGET"));
  EXPECT_EQ(Shell(again.substr(0, again.find('\n'))).status, 77) << again;
}

TEST_F(FuzzVerb, InterruptedTrialLeavesTheCrashToTheNextRun) {
  Expect(
      Fuzz(kStats + "case \"$*\" in *-seed=*) printf \"\\001\" > "
                    "$(echo \"${10}\" | sed s/.*=//)crash-1; exit 77;; esac; "
                    "kill -INT $PPID; exit 72"),
      2);
  EXPECT_FALSE(fs::is_empty(Own("artifacts")));
  EXPECT_FALSE(fs::exists(In("out/findings")) &&
               !fs::is_empty(In("out/findings")));
}

TEST_F(FuzzVerb, CrashingProgramIsStartedAgainAFewTimes) {
  const Result r = Fuzz(
      "echo \"$2\" >> ../starts; " + kStats +
          "printf \"\\001\" > $(echo \"${10}\" | sed s/.*=//)crash-$$; exit 77",
      "", "", 60);
  const std::string starts = Slurp(In("../starts"));
  ExpectParts(starts, {"-seed=6\n-seed=7\n", "-seed=11\n"});
  ExpectNone(starts, {"-seed=12\n"});
  EXPECT_EQ(r.status, 3);
}

TEST_F(FuzzVerb, KnownIssueIsReportedAsKnownUntilItExpires) {
  const Strings known = {"expectation/repeat_reduce_sum/value/half"};
  Spill(In("known.json"), KnownIssueList(known));
  Expect(Fuzz(kFind, "--known-issues known.json"), 0,
         {.out = {"known out/findings/", "known: the tail is late"}});
  Spill(In("known.json"), KnownIssueList(known, "2001-01-01"));
  EXPECT_EQ(Fuzz(kFind, "--known-issues known.json").status, 1);
  EXPECT_EQ(Fuzz(kFind, "--known-issues nowhere.json").status, 2);
}

TEST_F(FuzzVerb, EditionReachesProgramSeedsAndWhatIsSaved) {
  // The version of an input of edition 2024.
  const std::string body =
      kStats +
      "test \"$LANEDIFF_FUZZ_EDITION\" = 2024 || exit 9; "
      "test $(head -c1 ${12}/0 | od -An -tu1) = 1 || exit 9";
  Result r = Fuzz(body, "--edition 2024 --json f.json --junit f.xml");
  Expect(r, 0, {.out = {", edition 2024\n"}});
  EXPECT_TRUE(Has(Slurp(In("f.json")), "\"edition\": \"2024\""));
  EXPECT_TRUE(Has(Slurp(In("f.xml")), "name=\"edition\" value=\"2024\""));
  r = Fuzz(kStats + "test -z \"$LANEDIFF_FUZZ_EDITION\"");
  Expect(r, 0, {.out = {", edition 2024, 2026\n"}});
  // An input of the newest edition ends the program.
  r = Fuzz(kStats +
               "p=$(echo \"$@\" | sed \"s/.*prefix=//; s/ .*//\"); "
               "printf \"\\003\" > ${p}crash-1; exit 77",
           "--edition 2024", "", 60);
  EXPECT_EQ(r.status, 3) << r.out << r.err;
  ExpectParts(Shell("cat out/findings/crash*.json").out,
              {"\"edition\": \"2024\""});
}

}  // namespace
}  // namespace lanediff::cli::test
