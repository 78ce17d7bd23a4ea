// `lanediff fuzz` with shell scripts in place of the fuzz programs, so that
// every way in which such a program can end is seen.

#include <gtest/gtest.h>

#include <string>

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

  static constexpr std::string_view kStats =
      "echo \"seconds 1 cases 10 legal 6 nodes 60 findings 0 build release "
      "legal_cases 6 legal_seconds 0.5 legal_referenceSeconds 0.25 "
      "illegal_cases 4 illegal_seconds 0.25\" > $LANEDIFF_FUZZ_STATS; ";
  static constexpr std::string_view kFindingStats =
      "echo \"seconds 1 cases 10 legal 6 nodes 60 findings "
      "1\" > $LANEDIFF_FUZZ_STATS; ";
  /// Saves a case that expects what neither side computes.
  static constexpr std::string_view kSaveFinding =
      "sed s/35584/35616/ corpus/*.json > $LANEDIFF_FUZZ_FINDINGS/new.json; ";
  static constexpr std::string_view kFinal =
      "out/findings/expectation-repeat_reduce_sum-value-half.json";
  static constexpr std::string_view kMarker =
      "lanediff made this folder and removes what is in it.\\n";

  /// A path in the folder that an unsharded run has to itself.
  fs::path Own(const std::string& name) const {
    return In("out/lanediff-fuzz/" + name);
  }
  /// Shell: what a killed run leaves in `folder`, one raw finding in it.
  static std::string Leave(const std::string& folder) {
    return "mkdir -p " + folder + "/raw && printf '" + std::string(kMarker) +
           "' > " + folder +
           "/.lanediff && sed s/35584/35616/ corpus/*.json > " + folder +
           "/raw/left.json && ";
  }
};

TEST_F(FuzzVerb, NothingFoundIsZeroAndReportsHowMuchWasCompared) {
  const Result r = Fuzz(std::string(kStats));
  EXPECT_EQ(r.status, 0) << r.out << r.err;
  EXPECT_TRUE(Has(r.out, "10 cases")) << r.out;
  EXPECT_TRUE(Has(r.out, "60.0 % legal")) << r.out;
  EXPECT_TRUE(Has(r.out, "fake               release      legal            6"))
      << r.out;
}

TEST_F(FuzzVerb, ReportsHowManyInputsTheTargetDoesNotClaim) {
  const std::string beyond = "7 inputs are beyond what the target claims";
  const Result r =
      Fuzz(std::string(kStats) + "echo beyond 7 >> $LANEDIFF_FUZZ_STATS",
           "--json fuzz.json");
  EXPECT_EQ(r.status, 0) << r.out << r.err;
  EXPECT_TRUE(Has(r.out, beyond)) << r.out;
  EXPECT_TRUE(Has(Slurp(In("fuzz.json")), "\"beyond\": 7"));
  EXPECT_FALSE(Has(Fuzz(std::string(kStats)).out, "beyond what"));
}

TEST_F(FuzzVerb, ReportsWhatWasReachedOfThePluginsOwnCode) {
  const std::string counters =
      "printf \"112\\n0\\n1\\n40\\n\" > $LANEDIFF_FUZZ_STATS.counters; "
      "test -x $LANEDIFF_PLUGIN_HOST";
  const Result r = Fuzz(std::string(kStats) + counters, "--json fuzz.json");
  EXPECT_EQ(r.status, 0) << r.out << r.err;
  EXPECT_TRUE(Has(r.out, "target's own coverage: 3 of 112 counters\n"))
      << r.out;
  EXPECT_TRUE(Has(Slurp(In("fuzz.json")), "\"which\": \"0-1 40\""))
      << Slurp(In("fuzz.json"));
  const Result none =
      Fuzz(std::string(kStats) + "echo 0 > $LANEDIFF_FUZZ_STATS.counters");
  EXPECT_TRUE(Has(none.out, "target's own coverage: not instrumented\n"))
      << none.out;
  const Result ours = Fuzz(std::string(kStats));
  EXPECT_FALSE(Has(ours.out, "own coverage")) << ours.out;
}

TEST_F(FuzzVerb, FindingIsOneAndNamesTheCommand) {
  const Result r =
      Fuzz(std::string(kSaveFinding) + std::string(kFindingStats) + "exit 77",
           "--junit out/fuzz.xml --json out/fuzz.json");
  EXPECT_EQ(r.status, 1) << r.out << r.err;
  EXPECT_TRUE(
      Has(r.out, "reproduce: lanediff check " + std::string(kFinal) + "\n"))
      << r.out << r.err;
  EXPECT_EQ(Lanediff("check " + std::string(kFinal)).status, 1);
  EXPECT_FALSE(fs::exists(Own("raw/new.json")));
  EXPECT_TRUE(Has(Slurp(In("out/fuzz.xml")), "<failure"));
  EXPECT_TRUE(Has(Slurp(In("out/fuzz.json")), "\"disagree\""));
}

TEST_F(FuzzVerb, AShardByTheEnvironmentConfirmsWhatItFinds) {
  // The run of one case that confirms it is no shard.
  const Result r = Fuzz(std::string(kFindingStats) + std::string(kSaveFinding),
                        "", "JOB_COMPLETION_INDEX=1 JOB_COMPLETIONS=2 ");
  EXPECT_EQ(r.status, 1) << r.out << r.err;
  EXPECT_TRUE(fs::exists(In(std::string(kFinal)))) << r.out;
  EXPECT_TRUE(fs::is_empty(In("out/unconfirmed")));
}

TEST_F(FuzzVerb, CrashWithoutFindingIsThree) {
  const Result r = Fuzz(std::string(kStats) + "exit 77");
  EXPECT_EQ(r.status, 3) << r.out << r.err;
  EXPECT_TRUE(Has(r.out, "status 77")) << r.out;
}

TEST_F(FuzzVerb, NothingComparedIsTwo) {
  const Result r = Fuzz("exit 0");
  EXPECT_EQ(r.status, 2) << r.out << r.err;
  EXPECT_TRUE(Has(r.err, "nothing was compared")) << r.err;
}

TEST_F(FuzzVerb, InterruptKeepsWhatWasFound) {
  const Result r = Fuzz(std::string(kSaveFinding) + std::string(kFindingStats) +
                            "trap \"exit 72\" INT; kill -INT $PPID; while :; "
                            "do sleep 0.1; done",
                        "", "", 60);
  EXPECT_TRUE(Has(r.err, "interrupted")) << r.out << r.err;
  EXPECT_FALSE(Slurp(In(std::string(kFinal))).empty());
}

TEST_F(FuzzVerb, SeedsAndShardReachTheProgram) {
  const std::string body =
      std::string(kStats) +
      "echo \"$@\" > ../arguments; ls ${12} >> ../arguments";
  ASSERT_EQ(Fuzz(body, "--shard 0/4").status, 0);
  const std::string first = Slurp(In("../arguments"));
  ASSERT_EQ(Fuzz(body, "--shard 3/4").status, 0);
  EXPECT_TRUE(Has(first, "-seed=")) << first;
  EXPECT_TRUE(first.ends_with("\n0\n")) << "no seed input: " << first;
  EXPECT_NE(first, Slurp(In("../arguments"))) << "shards share a seed";
}

TEST_F(FuzzVerb, RawFindingOfAKilledRunIsTakenUp) {
  const Result r = Fuzz(std::string(kStats), "",
                        Leave("out/lanediff-fuzz") +
                            ": > out/lanediff-fuzz/raw/half.json.1.tmp && ");
  EXPECT_EQ(r.status, 1) << r.out << r.err;
  EXPECT_TRUE(fs::exists(In(std::string(kFinal)))) << r.out << r.err;
  EXPECT_TRUE(fs::is_empty(Own("raw")));
}

TEST_F(FuzzVerb, WholeRunTakesUpWhatAKilledShardLeft) {
  const Result r =
      Fuzz(std::string(kStats), "", Leave("out/lanediff-fuzz-3-of-4"));
  EXPECT_EQ(r.status, 1) << r.out << r.err;
  EXPECT_TRUE(fs::exists(In(std::string(kFinal)))) << r.out << r.err;
  EXPECT_TRUE(fs::is_empty(In("out/lanediff-fuzz-3-of-4/raw")));
}

TEST_F(FuzzVerb, ShardLeavesTheOthersFindingsAlone) {
  const Result r = Fuzz(std::string(kStats), "--shard 0/4",
                        Leave("out/lanediff-fuzz-3-of-4"));
  EXPECT_EQ(r.status, 0) << r.out << r.err;
  EXPECT_TRUE(fs::exists(In("out/lanediff-fuzz-3-of-4/raw/left.json")));
}

TEST_F(FuzzVerb, ShardsThatShareAFolderAndTimeCanBeMerged) {
  // Each waits for the other's finding: they run side by side for sure.
  const std::string body = std::string(kSaveFinding) +
                           std::string(kFindingStats) +
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

TEST_F(FuzzVerb, FolderInUseIsTwo) {
  const Result r =
      Fuzz(std::string(kStats), "",
           Leave("out/lanediff-fuzz") + "flock out/lanediff-fuzz/.lanediff ");
  EXPECT_EQ(r.status, 2) << r.out << r.err;
  EXPECT_TRUE(Has(r.err, "out/lanediff-fuzz: another run uses it")) << r.err;
  EXPECT_TRUE(fs::exists(Own("raw/left.json")));
}

TEST_F(FuzzVerb, NothingOfTheUsersIsRemoved) {
  // Every folder name that a run has ever used, beside a corpus named seeds.
  const std::string names =
      "seeds raw artifacts logs findings unconfirmed fuzz-corpus/fake";
  const Result r =
      Fuzz(std::string(kSaveFinding) + std::string(kFindingStats) + "exit 77",
           "--corpus seeds --out .",
           "for f in " + names +
               "; do mkdir -p $f && cp corpus/*.json $f/mine.json "
               "&& echo x > $f/mine.tmp && echo y > $f/.probe; done && ");
  EXPECT_EQ(r.status, 1) << r.out << r.err;
  const Result left = Shell("for f in " + names +
                            "; do ls -A $f | grep -c -e mine -e probe; done");
  EXPECT_EQ(left.out, "3\n3\n3\n3\n3\n3\n3\n") << left.err;
}

TEST_F(FuzzVerb, ForeignFolderIsTwoAndStays) {
  for (const char* marker : {":", "echo mine > out/lanediff-fuzz/.lanediff",
                             "mkfifo out/lanediff-fuzz/.lanediff",
                             "ln -s ../mine out/lanediff-fuzz/.lanediff"}) {
    const Result r = Fuzz(std::string(kStats), "",
                          "rm -rf out && mkdir -p out/lanediff-fuzz/seeds && "
                          "echo x > out/lanediff-fuzz/seeds/mine && " +
                              std::string(marker) + " && ");
    EXPECT_EQ(r.status, 2) << marker << r.out << r.err;
    EXPECT_TRUE(Has(r.err, "out/lanediff-fuzz: was not made by lanediff"))
        << marker << r.err;
    EXPECT_TRUE(fs::exists(Own("seeds/mine"))) << marker;
    EXPECT_FALSE(fs::exists(In("out/mine"))) << marker;
  }
}

TEST_F(FuzzVerb, LinkInPlaceOfTheFolderIsTwo) {
  const Result r = Fuzz(std::string(kStats), "",
                        "mkdir -p out mine && ln -s ../mine "
                        "out/lanediff-fuzz && ");
  EXPECT_EQ(r.status, 2) << r.out << r.err;
  EXPECT_TRUE(fs::is_empty(In("mine")));
}

TEST_F(FuzzVerb, FolderWhoseMakerWasKilledAtOnceIsTaken) {
  const Result r = Fuzz(std::string(kStats), "",
                        "mkdir -p out/lanediff-fuzz && printf lanediff > "
                        "out/lanediff-fuzz/.lanediff && ");
  EXPECT_EQ(r.status, 0) << r.out << r.err;
}

TEST_F(FuzzVerb, FileThatIsNoFindingIsNotReplaced) {
  const Result r = Fuzz(
      std::string(kSaveFinding) + std::string(kFindingStats), "",
      "mkdir -p out/findings && echo mine > " + std::string(kFinal) + " && ");
  EXPECT_EQ(r.status, 1) << r.out << r.err;
  EXPECT_EQ(Slurp(In(std::string(kFinal))), "mine\n");
  EXPECT_TRUE(Has(r.out, "value-half-2.json")) << r.out;
}

TEST_F(FuzzVerb, KeptFindingHasItsSignatureAndTarget) {
  Fuzz(std::string(kSaveFinding) + std::string(kFindingStats));
  const std::string kept = Slurp(In(std::string(kFinal)));
  EXPECT_TRUE(Has(kept, "\"signature\": \"expectation/repeat_reduce_sum/"))
      << kept;
  EXPECT_TRUE(Has(kept, "\"target\": \"emulator\"")) << kept;
}

TEST_F(FuzzVerb, WhatWasCountedAndNotReportedIsOne) {
  const Result r = Fuzz(std::string(kStats) +
                        "echo 16 memory/min/value/half > "
                        "$LANEDIFF_FUZZ_STATS.findings");
  EXPECT_EQ(r.status, 1) << r.out << r.err;
  EXPECT_TRUE(Has(r.err, "memory/min/value/half: 16 cases disagreed")) << r.err;
}

TEST_F(FuzzVerb, ProgramThatOutlivesItsTurnIsStoppedAndReported) {
  const Result r = Fuzz(std::string(kStats) +
                        "trap \"exit 72\" INT; while :; do sleep 0.1; done");
  EXPECT_EQ(r.status, 0) << r.out << r.err;
  EXPECT_TRUE(Has(r.err, "lanediff-fuzz-fake was stopped after")) << r.err;
  EXPECT_TRUE(Has(r.err, "1 s were its share; it had run 10 cases")) << r.err;
}

TEST_F(FuzzVerb, InterruptedIsTwo) {
  const Result r = Fuzz(std::string(kStats) +
                            "trap \"exit 72\" INT; kill -INT $PPID; while :; "
                            "do sleep 0.1; done",
                        "", "", 60);
  EXPECT_EQ(r.status, 2) << r.out << r.err;
  EXPECT_TRUE(Has(r.err, "interrupted")) << r.err;
  EXPECT_TRUE(Has(r.out, "10 cases")) << r.out;
}

TEST_F(FuzzVerb, KillLosesNothing) {
  const Result killed =
      Fuzz(std::string(kSaveFinding) + "kill -KILL $PPID; exit", "; exit $?",
           "", 60);
  EXPECT_EQ(killed.status, 137) << killed.err;
  EXPECT_FALSE(fs::exists(In(std::string(kFinal))));
  const Result r = Fuzz(std::string(kStats));
  EXPECT_EQ(r.status, 1) << r.out << r.err;
  EXPECT_TRUE(fs::exists(In(std::string(kFinal)))) << r.out << r.err;
}

TEST_F(FuzzVerb, SecondRunReportsASignatureOnceAndKeepsTheSmallest) {
  const std::string body =
      std::string(kSaveFinding) + std::string(kFindingStats) +
      "cp $LANEDIFF_FUZZ_FINDINGS/new.json $LANEDIFF_FUZZ_FINDINGS/two.json";
  const Result first = Fuzz(body);
  const std::string kept = Slurp(In(std::string(kFinal)));
  const Result second = Fuzz(body);
  EXPECT_EQ(second.status, 1) << second.out << second.err;
  EXPECT_EQ(first.out.find("signature: "), first.out.rfind("signature: "))
      << first.out;
  EXPECT_TRUE(Has(first.out, "times: 2")) << first.out;
  EXPECT_EQ(Slurp(In(std::string(kFinal))), kept);
}

TEST_F(FuzzVerb, WhatDoesNotShowAgainIsReportedAndPutAside) {
  const Result r = Fuzz(std::string(kStats) +
                        "cp corpus/*.json $LANEDIFF_FUZZ_FINDINGS/gone.json");
  EXPECT_EQ(r.status, 1) << r.out << r.err;
  EXPECT_TRUE(Has(r.out, "not reproduced")) << r.out << r.err;
  EXPECT_TRUE(fs::exists(In("out/unconfirmed/gone.json")));
  EXPECT_TRUE(
      Has(r.out, "reproduce: lanediff check out/unconfirmed/gone.json\n"))
      << r.out;
  EXPECT_TRUE(fs::is_empty(In("out/findings")));
}

TEST_F(FuzzVerb, ALintDifferenceIsReplayedByLint) {
  // The case disagrees with its expectation, which is not what it is about.
  const Result r =
      Fuzz(std::string(kFindingStats) + std::string(kSaveFinding) +
               "sed -i \"s,\\\"hand\\\",\\\"lanediff-fuzz-lint\\\"\\, "
               "\\\"target\\\": \\\"lint\\\"\\, \\\"signature\\\": "
               "\\\"lint-differs/min/SYNC-RAW/half\\\",\" "
               "$LANEDIFF_FUZZ_FINDINGS/new.json",
           "--target mutant:min-count-16-bit");
  EXPECT_EQ(r.status, 1) << r.out << r.err;
  EXPECT_TRUE(Has(r.out, "lint against oracle: not reproduced: found once"))
      << r.out << r.err;
  EXPECT_TRUE(Has(
      r.out, "reproduce: lanediff lint --compare out/unconfirmed/new.json\n"))
      << r.out;
  EXPECT_TRUE(fs::is_empty(In("out/findings")));
}

TEST_F(FuzzVerb, UnconfirmedNamesItsTarget) {
  const Result r =
      Fuzz(std::string(kStats) +
               "cp corpus/*.json $LANEDIFF_FUZZ_FINDINGS/gone.json",
           "--target mutant:min-count-16-bit");
  EXPECT_EQ(r.status, 1) << r.out << r.err;
  EXPECT_TRUE(Has(r.out, "gone.json --target mutant:min-count-16-bit\n"))
      << r.out << r.err;
}

TEST_F(FuzzVerb, AsideNeverReplacesAnEarlierOne) {
  const std::string body = std::string(kStats) +
                           "cp corpus/*.json $LANEDIFF_FUZZ_FINDINGS/gone.json";
  Fuzz(body);
  const Result r = Fuzz(body);
  EXPECT_TRUE(Has(r.out, "out/unconfirmed/gone-2.json")) << r.out;
  EXPECT_TRUE(fs::exists(In("out/unconfirmed/gone.json")));
}

/// A program that is ended by any input but a seed, and leaves such a one.
constexpr std::string_view kCrash =
    "case \"$*\" in *-seed=*) printf \"\\001\" > "
    "$(echo \"${10}\" | sed s/.*=//)crash-1;; *) echo \"ERROR: a crash\";; "
    "esac; "
    "exit 77";

TEST_F(FuzzVerb, CrashIsConfirmedKeptAndThree) {
  const Result r = Fuzz(std::string(kStats) + std::string(kCrash));
  EXPECT_EQ(r.status, 3) << r.out << r.err;
  EXPECT_TRUE(Has(r.out, "the target ended: a crash")) << r.out << r.err;
  EXPECT_TRUE(Has(r.out, "LANEDIFF_FUZZ_TARGET=emulator bin/")) << r.out;
  EXPECT_TRUE(fs::is_empty(Own("artifacts")));
  const std::string again = r.out.substr(r.out.find("LANEDIFF_FUZZ_TARGET"));
  EXPECT_EQ(Shell(again.substr(0, again.find('\n'))).status, 77) << again;
}

TEST_F(FuzzVerb, CrashingProgramIsStartedAgainAFewTimes) {
  const Result r = Fuzz(
      "echo \"$2\" >> ../starts; " + std::string(kStats) +
          "printf \"\\001\" > $(echo \"${10}\" | sed s/.*=//)crash-$$; exit 77",
      "", "", 60);
  const std::string starts = Slurp(In("../starts"));
  EXPECT_TRUE(Has(starts, "-seed=6\n-seed=7\n")) << starts;
  EXPECT_TRUE(Has(starts, "-seed=11\n")) << starts;
  EXPECT_FALSE(Has(starts, "-seed=12\n")) << starts;
  EXPECT_EQ(r.status, 3);
}

std::string Issue(const std::string& expires) {
  return R"({"format": "lanediff-known-issues/1", "issues": [{"signature":
    "expectation/repeat_reduce_sum/value/half", "reason": "tests",
    "link": "https://example.org/1", "expires": ")" +
         expires + "\"}]}";
}

TEST_F(FuzzVerb, KnownIssueIsReportedAsKnownUntilItExpires) {
  const std::string body =
      std::string(kSaveFinding) + std::string(kFindingStats);
  Spill(In("known.json"), Issue("2999-12-31"));
  const Result known = Fuzz(body, "--known-issues known.json");
  EXPECT_EQ(known.status, 0) << known.out << known.err;
  EXPECT_TRUE(Has(known.out, "known out/findings/")) << known.out;
  EXPECT_TRUE(Has(known.out, "known: tests")) << known.out;
  Spill(In("known.json"), Issue("2001-01-01"));
  EXPECT_EQ(Fuzz(body, "--known-issues known.json").status, 1);
  EXPECT_EQ(Fuzz(body, "--known-issues nowhere.json").status, 2);
}

TEST_F(FuzzVerb, CorruptCorpusFileIsSkippedWithOneLine) {
  const Result r =
      Fuzz(std::string(kStats), "", "echo { > corpus/broken.json && ");
  EXPECT_EQ(r.status, 0) << r.out << r.err;
  EXPECT_TRUE(Has(r.err, "skipped as a seed: corpus/broken.json")) << r.err;
}

TEST_F(FuzzVerb, InputsOfAnotherVersionAreRemoved) {
  const std::string ours(40, 'a');
  const std::string other(40, 'b');
  const Result r = Fuzz(std::string(kStats), "",
                        "mkdir -p out/fuzz-corpus/fake && cd out/fuzz-corpus/"
                        "fake && printf \"\\001a\" > " +
                            ours + " && printf \"\\010a\" > " + other +
                            " && printf \"\\010a\" > notes && cd ../../.. && ");
  EXPECT_EQ(r.status, 0) << r.out << r.err;
  EXPECT_TRUE(Has(r.err, "1 inputs of another version than 1 to 6 removed"))
      << r.err;
  EXPECT_TRUE(fs::exists(In("out/fuzz-corpus/fake/" + ours)));
  EXPECT_FALSE(fs::exists(In("out/fuzz-corpus/fake/" + other)));
  EXPECT_TRUE(fs::exists(In("out/fuzz-corpus/fake/notes"))) << "is no input";
}

TEST_F(FuzzVerb, FullDiskIsTwoWithOneLine) {
  // Files of nothing at all: every write fails, as on a full disk.
  const Result r = Fuzz(std::string(kStats), "; echo status $?) 2>&1 | cat",
                        "(trap \"\" XFSZ; ulimit -f 0; ");
  EXPECT_TRUE(Has(r.out, "status 2\n")) << r.out;
  EXPECT_TRUE(Has(r.out, "can't be written: File too large")) << r.out;
}

TEST_F(FuzzVerb, ProgramThatCantWriteIsTwo) {
  const Result r = Fuzz(std::string(kStats) + "exit 74", "--json fuzz.json");
  EXPECT_EQ(r.status, 2) << r.out << r.err;
  EXPECT_TRUE(Has(r.out, "can't write to out; see out/lanediff-fuzz/logs/"))
      << r.out;
  EXPECT_TRUE(Has(Slurp(In("fuzz.json")), "\"complete\": false"));
}

TEST_F(FuzzVerb, OutThatVanishesLosesNothingSilently) {
  const Result r = Fuzz(std::string(kStats) + "rm -rf ../in/out; exit 74");
  EXPECT_EQ(r.status, 2) << r.out << r.err;
}

TEST_F(FuzzVerb, BadOptionsAreTwo) {
  EXPECT_EQ(Fuzz("exit 0", "--shard 4/4").status, 2);
  EXPECT_EQ(Fuzz("exit 0", "--shard x").status, 2);
  EXPECT_EQ(Fuzz("exit 0", "--instruction nothing").status, 2);
  EXPECT_EQ(Fuzz("exit 0", "--corpus nowhere").status, 2);
  EXPECT_EQ(Fuzz("exit 0", "--out bin/lanediff-fuzz-fake").status, 2);
}

TEST_F(FuzzVerb, EditionReachesProgramSeedsAndWhatIsSaved) {
  // The version of an input of edition 2024.
  const std::string body =
      std::string(kStats) +
      "test \"$LANEDIFF_FUZZ_EDITION\" = 2024 || exit 9; "
      "test $(head -c1 ${12}/0 | od -An -tu1) = 1 || exit 9";
  Result r = Fuzz(body, "--edition 2024 --json f.json --junit f.xml");
  EXPECT_EQ(r.status, 0) << r.out << r.err;
  EXPECT_TRUE(Has(r.out, ", edition 2024\n")) << r.out;
  EXPECT_TRUE(Has(Slurp(In("f.json")), "\"edition\": \"2024\""));
  EXPECT_TRUE(Has(Slurp(In("f.xml")), "name=\"edition\" value=\"2024\""));
  r = Fuzz(std::string(kStats) + "test -z \"$LANEDIFF_FUZZ_EDITION\"");
  EXPECT_EQ(r.status, 0) << r.out << r.err;
  EXPECT_TRUE(Has(r.out, ", edition 2024, 2026\n")) << r.out;
  // An input of the newest edition ends the program.
  r = Fuzz(std::string(kStats) +
               "p=$(echo \"$@\" | sed \"s/.*prefix=//; s/ .*//\"); "
               "printf \"\\003\" > ${p}crash-1; exit 77",
           "--edition 2024", "", 60);
  EXPECT_EQ(r.status, 3) << r.out << r.err;
  const Result saved = Shell("cat out/findings/crash*.json");
  EXPECT_TRUE(Has(saved.out, "\"edition\": \"2024\"")) << saved.out << r.out;
}

}  // namespace
}  // namespace lanediff::cli::test
