// Eight shards of every verb, merged: what comes out is what one run leaves.
// What is not taken: one line, status 2, nothing written.

#include <regex>

#include "reports/schema_testing.h"
#include "tools/cli/testing.h"

namespace lanediff::cli::test {
namespace {

using reports::test::FitsSchema;

const std::string kCorpus = LANEDIFF_SOURCE_DIR "/corpus/";

class Merge : public ProgramTest {
 protected:
  /// `VERB ARGUMENTS` of one run, in single/, with its reports in single/all.
  Result Whole(const std::string& verb, const std::string& arguments,
               const std::string& reports) const {
    return Shell("mkdir -p single/all && cd single && lanediff " + verb + " " +
                 arguments + " --out all " + reports);
  }
  /// The same in eight shards, in part0 to part7; the statuses as text.
  std::string Shards(const std::string& command) const {
    const Result r = Shell(
        "for i in 0 1 2 3 4 5 6 7; do lanediff " + command +
        " --shard $i/8 --out part$i >/dev/null; printf $? >> statuses; done");
    return Slurp(In("statuses"));
  }
  Result Merged(const std::string& more = "") const {
    return Lanediff(
        "merge part0 part1 part2 part3 part4 part5 part6 part7 --out all " +
        more);
  }

  /// Text and files are those of one run, but for times.
  void ExpectOneRun(const Result& whole, const Result& merged) const {
    EXPECT_EQ(merged.status, whole.status) << merged.out << merged.err;
    EXPECT_EQ(WithoutTimes(merged.out), WithoutTimes(whole.out));
    const Result same = Shell(
        "find all single/all \\( -name '*.json' -o -name '*.html' \\) -exec "
        "sed -i -E 's/\"(seconds|pointsPerSecond)\": ?[0-9.e+-]+/\"\\1\": 0/g; "
        "s/found in [0-9]+ s/found in 0 s/g' "
        "{} + && diff -r -x exhaust single/all all");
    EXPECT_EQ(same.status, 0) << same.out.substr(0, 2000) << same.err;
  }

  /// Without the figures that depend on time.
  static std::string WithoutTimes(const std::string& text) {
    static const std::regex times(
        "[0-9.]+ s, [0-9.]+ million (pairs|cases)/s|found in [0-9]+ s");
    return std::regex_replace(text, times, "TIME");
  }

  static std::string Reports(const std::string& verb, bool sarif = true) {
    const std::string base = "all/" + verb;
    return "--json " + base + ".json --junit " + base + ".xml --html all " +
           (sarif ? "--sarif " + base + ".sarif" : "");
  }
  /// One run and eight merged shards of it end so and leave the same.
  void ExpectMerged(const std::string& verb, const std::string& arguments,
                    const std::string& reports, int status,
                    const Printed& printed = {}) const {
    const Result whole = Whole(verb, arguments, reports);
    Expect(whole, status, printed);
    EXPECT_EQ(Shards(verb + " " + arguments).size(), 8u);
    ExpectOneRun(whole, Merged());
    const std::string part = "part3/" + verb + ".3-of-8.json";
    EXPECT_TRUE(FitsSchema(Slurp(In(part)), "shard.schema.json"));
  }
};

TEST_F(Merge, MalformedAndUnsupportedCasesComeBackToo) {
  fs::create_directories(In("cases"));
  fs::create_directories(In("recorded"));
  for (const char* name : {"a", "b", "c"}) {
    WriteCaseAs("cases/" + std::string(name) + ".json");
  }
  Spill(In("cases/d.json"), "{}");
  ExpectMerged(
      "check",
      In("cases").string() + " --target recorded:" + In("recorded").string(),
      Reports("check"), 2, {.out = {"without an outcome document"}});
  EXPECT_EQ(Slurp(In("statuses")), "22222222");
}

const std::string kVtDefect = " --target mutant:vt-repeat-4096-accepted";

TEST_F(Merge, ShardsOfCheck) {
  ExpectMerged("check", kCorpus + "vec_trans" + kVtDefect, Reports("check"), 1);
}

TEST_F(Merge, ShardsOfSweep) {
  ExpectMerged("sweep", "--instruction vec_trans" + kVtDefect, Reports("sweep"),
               1, {.out = {"all/findings/"}});
  Expect(Lanediff("check all/findings" + kVtDefect), 1);
}

TEST_F(Merge, ShardsOfExhaust) {
  ExpectMerged("exhaust",
               "sum-half-saturating --range 8158180..8158200 --target "
               "mutant:rrs-saturation-missing",
               Reports("exhaust"), 1);
}

TEST_F(Merge, ShardsOfExhaustWithSeveralSpaces) {
  ExpectMerged("exhaust", "min-half-ieee min-int16 --range 10..20",
               Reports("exhaust"), 0);
  EXPECT_EQ(Slurp(In("statuses")), "00000000");
}

TEST_F(Merge, ShardsOfAudit) {
  ExpectMerged("audit",
               "--instruction vec_trans --product atlas-a2 --max-cases 40 "
               "--sample" +
                   kVtDefect,
               "", 1);
}

TEST_F(Merge, ShardsOfMutants) {
  // Eleven among eight: some shards have two, and no laws, which are slow.
  ExpectMerged(
      "mutants",
      "vt-copies vt-overlap-touching vt-repeat-8-bit vt-bounds-next-repeat "
      "vt-dst-align-16 vt-strides-swapped vt-last-row-lost vt-loses-minus-zero "
      "vt-first-block-only vt-in-place-refused vt-dtype-int32-accepted "
      "--checker corpus,guided,baseline --max-cases 300 --seeds 2 --corpus " +
          kCorpus + "vec_trans",
      Reports("mutants", false), 0);
}

TEST_F(Merge, OfSeveralVerbsOneIsNamed) {
  Expect(Shell("for i in 0 1; do lanediff check " + kCorpus +
               "vec_trans --shard $i/2; lanediff sweep --instruction vec_trans "
               "--shard $i/2; done"),
         0);
  Expect(Lanediff("merge out --out all"), 2,
         {.err = {"out/sweep.0-of-2.json: is of sweep, but "
                  "out/check.0-of-2.json is of check; choose one with"}});
  EXPECT_FALSE(fs::exists(In("all")));
  EXPECT_EQ(Lanediff("merge out --verb sweep --out all").status, 0);
  EXPECT_TRUE(fs::exists(In("all/sweep.json")));
}

class MergeRefuses : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    for (int i = 0; i < 3; ++i) Run(i, 3, "p" + std::to_string(i));
  }
  void Run(int index, int count, const std::string& out,
           const std::string& more = "") const {
    Expect(Lanediff("check " + kCorpus + "vec_trans --shard " +
                    std::to_string(index) + "/" + std::to_string(count) +
                    " --out " + out + more),
           0);
  }
  /// Replaces `old` in a shard's document.
  void Edit(int index, const std::string& old, const std::string& now) const {
    const std::string n = std::to_string(index);
    const fs::path path = In("p" + n + "/check." + n + "-of-3.json");
    std::string text = Slurp(path);
    const auto at = text.find(old);
    ASSERT_NE(at, std::string::npos) << old;
    Spill(path, text.replace(at, old.size(), now));
  }
  void Refused(const std::string& folders, const std::string& message) const {
    ExpectRefused(Lanediff("merge " + folders + " --out all"), message);
    EXPECT_FALSE(fs::exists(In("all")));
  }
};

TEST_F(MergeRefuses, MissingAndDoubledShards) {
  Refused("p0 p2", "lanediff: of 3 shards these are missing: 1/3\n");
  Refused("p1", "of 3 shards these are missing: 0/3, 2/3\n");
  Refused("p0 p1", "of 3 shards these are missing: 2/3\n");
  Refused("p0 p1 p2 p1",
          "p1/check.1-of-3.json: shard 1/3 is in p1/check.1-of-3.json already");
  EXPECT_EQ(Lanediff("merge p2 p0 p1 --out all").status, 0);
}

TEST_F(MergeRefuses, WhatIsNoResult) {
  fs::create_directories(In("empty"));
  Refused("p0 p1 empty", "empty: holds no VERB.I-of-N.json; ");
  Refused("p0 p1 none", "none: is no folder; ");
  Refused("p0 p1 p2/check.2-of-3.json", "check.2-of-3.json: is no folder; ");
  Edit(1, "lanediff-report/2", "lanediff-report/3");
  Refused("p0 p1 p2",
          "p1/check.1-of-3.json: /schema: found \"lanediff-report/3");
  Spill(In("p1/check.1-of-3.json"), "{");
  Refused("p0 p1 p2", "p1/check.1-of-3.json: ");
}

TEST_F(MergeRefuses, AShardUnderAnothersName) {
  fs::remove_all(In("p2"));
  fs::create_directories(In("p2"));
  fs::copy(In("p1/check.1-of-3.json"), In("p2/check.2-of-3.json"));
  Refused("p0 p1 p2",
          "p2/check.2-of-3.json: holds shard 1/3 of check; the name "
          "check.1-of-3.json is allowed\n");
}

TEST_F(MergeRefuses, PartsOfOtherRuns) {
  Edit(1, "\"program\": \"", "\"program\": \"0");
  Refused("p0 p1 p2", "p1/check.1-of-3.json: the version of lanediff is \"0");
  Run(1, 3, "p1", " --target mutant:min-count-uint32");
  Refused("p0 p1 p2",
          "p1/check.1-of-3.json: target is \"mutant:min-count-uint32\", but "
          "\"emulator\" in p0/check.0-of-3.json\n");
  Expect(Lanediff("check " + kCorpus + "min --shard 1/3 --out p1"), 0);
  Refused("p0 p1 p2", "p1/check.1-of-3.json: cases is \"");
  fs::remove_all(In("p1"));
  Run(1, 4, "p1");
  Refused("p0 p1 p2",
          "p1/check.1-of-4.json: the number of shards is \"4\", but \"3\" in");
}

TEST_F(MergeRefuses, WhatIsNotWholeOrContradictsItself) {
  for (const auto& [old, now, message] :
       {std::tuple(
            "\"legal-only\": \"no\"", "\"legal-only\": \"yes\"",
            "p1/check.1-of-3.json: legal-only is \"yes\", but \"no\" in "),
        {"\"verdict\": \"agree\"", "\"verdict\": \"disagree\"",
         "/run/cases/0: found verdict \"disagree\" with 0 findings; 1 or more "
         "are allowed\n"},
        {"\"complete\": true", "\"complete\": false",
         "shard 1/3 was interrupted or could not save"},
        {"\"number\": 1,", "\"number\": 3,",
         "shard 1/3: case 3 belongs to another shard\n"},
        {"\"number\": 1,", "\"number\": 4,",
         "shard 1/3: case 1 is missing\n"}}) {
    Edit(1, old, now);
    Refused("p0 p1 p2", message);
    Run(1, 3, "p1");
  }
}

TEST_F(MergeRefuses, MutantsWithOtherCheckers) {
  for (const char* i : {"0", "1"}) {
    Expect(Lanediff("mutants --instruction vec_trans --checker corpus "
                    "--corpus " +
                    kCorpus + " --shard " + i + "/2 --out m" + i),
           0);
  }
  Expect(Shell("sed -i '0,/\"checker\": \"corpus\"/s//\"checker\": "
               "\"guided\"/' m1/mutants.1-of-2.json"),
         0);
  Refused("m0 m1", "has other checkers than in shard 0");
}

/// Two machines must have checked the same files, and merge draws them.
TEST_F(MergeRefuses, OtherOrMissingCases) {
  fs::copy(kCorpus + "vec_trans", In("own"), fs::copy_options::recursive);
  const std::string check =
      "check own --target mutant:vt-in-place-refused --shard ";
  ExpectStatus(1, {check + "0/2 --out c0", check + "1/2 --out c1"});
  Spill(In("own/zzz.json"), "{");
  ASSERT_EQ(Lanediff(check + "1/2 --out c1").status, 1);
  Refused("c0 c1", "c1/check.1-of-2.json: cases is \"");
  fs::remove(In("own/zzz.json"));
  ASSERT_EQ(Lanediff(check + "1/2 --out c1").status, 1);
  fs::rename(In("own"), In("away"));
  Refused("c0 c1", ": is not here; merge draws the cases that check read\n");
}

TEST_F(MergeRefuses, AFolderThatIsNotNew) {
  fs::create_directories(In("full"));
  Spill(In("full/mine"), "mine");
  Expect(Lanediff("merge p0 p1 p2 --out full"), 2,
         {.err = {"--out: full: is not empty; a new folder is needed"}});
  EXPECT_EQ(std::distance(fs::directory_iterator(In("full")), {}), 1);
  EXPECT_EQ(Lanediff("merge p0 p1 p2").status, 2);
}

TEST_F(MergeRefuses, KeptCasesThatAreNotThere) {
  for (const char* i : {"0", "1"}) {
    Expect(Lanediff("exhaust sum-half-saturating --range 8158188..8158192 "
                    "--target mutant:rrs-saturation-missing --shard " +
                    std::string(i) + "/2 --out s" + i),
           1);
  }
  const std::string document = Slurp(In("s0/exhaust.0-of-2.json"));
  Expect(Shell("sed -i 's|s0/findings/|s0/findings/../../|' "
               "s0/exhaust.0-of-2.json"),
         0);
  Refused("s0 s1", "a file in findings/ or unconfirmed/ is allowed");
  Spill(In("s0/exhaust.0-of-2.json"), document);
  ASSERT_EQ(Shell("for f in s0/findings/*; do echo '{' >$f; done").status, 0);
  Refused("s0 s1", "lanediff: s0/findings/");
  fs::remove_all(In("s0/findings"));
  Refused("s0 s1", "lanediff: s0/findings/");
}

TEST_F(MergeRefuses, ShardsOfOtherEditions) {
  Run(1, 3, "p1", " --edition 2024");
  Refused("p0 p1 p2",
          "edition is \"2024\", but \"\" in p0/check.0-of-3.json\n");
  for (const char* more : {"0/2 --out e0", "1/2 --out e1 --edition 2024"}) {
    Expect(
        Lanediff(std::string("exhaust params-min --range 7020..7030 --shard ") +
                 more),
        0);
  }
  Refused("e0 e1", "edition is \"2024\", but \"2026\" in ");
}

}  // namespace
}  // namespace lanediff::cli::test
