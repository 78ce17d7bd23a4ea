// What `lanediff merge` does not take: one line, status 2, nothing written.

#include <algorithm>

#include "tools/cli/verbs/merge_testing.h"

namespace lanediff::cli::test {
namespace {

class MergeRefuses : public MergeTest {
 protected:
  void SetUp() override {
    MergeTest::SetUp();
    for (int i = 0; i < 3; ++i) Run(i, 3, "p" + std::to_string(i));
  }
  void Run(int index, int count, const std::string& out,
           const std::string& more = "") const {
    const Result r = Lanediff("check " + kCorpus + "vec_trans --shard " +
                              std::to_string(index) + "/" +
                              std::to_string(count) + " --out " + out + more);
    ASSERT_EQ(r.status, 0) << r.err;
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
  /// Two shards in s0 and s1 that kept cases.
  void KeepSome() const {
    for (const char* i : {"0", "1"}) {
      const Result r = Lanediff(
          std::string("exhaust sum-half-saturating --range 8158188..8158192 "
                      "--target mutant:rrs-saturation-missing --shard ") +
          i + "/2 --out s" + i);
      ASSERT_EQ(r.status, 1) << r.err;
    }
  }
  void Refused(const std::string& folders, const std::string& message) const {
    const Result r = Lanediff("merge " + folders + " --out all");
    EXPECT_EQ(r.status, 2) << folders << r.out;
    EXPECT_EQ(r.out, "");
    EXPECT_TRUE(Has(r.err, message)) << r.err;
    EXPECT_EQ(std::ranges::count(r.err, '\n'), 1) << r.err;
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
  Edit(1, "lanediff-shard/1", "lanediff-shard/2");
  Refused("p0 p1 p2",
          "p1/check.1-of-3.json: /format: found \"lanediff-shard/2");
  Spill(In("p1/check.1-of-3.json"), "{");
  Refused("p0 p1 p2", "p1/check.1-of-3.json: ");
}

TEST_F(MergeRefuses, OneThatLeftOutWhatIsRefused) {
  Edit(1, "\"legal-only\": \"no\"", "\"legal-only\": \"yes\"");
  Refused("p0 p1 p2",
          "p1/check.1-of-3.json: legal-only is \"yes\", but \"no\" in ");
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
  const Result r = Lanediff("check " + kCorpus + "min --shard 1/3 --out p1");
  ASSERT_EQ(r.status, 0) << r.err;
  Refused("p0 p1 p2", "p1/check.1-of-3.json: cases is \"");
  fs::remove_all(In("p1"));
  Run(1, 4, "p1");
  Refused("p0 p1 p2",
          "p1/check.1-of-4.json: the number of shards is \"4\", but \"3\" in");
}

TEST_F(MergeRefuses, WhatIsNotWholeOrContradictsItself) {
  Edit(1, "\"complete\": true", "\"complete\": false");
  Refused("p0 p1 p2", "shard 1/3 was interrupted or could not save");
  Run(1, 3, "p1");
  Edit(1, "\"number\": 1,", "\"number\": 3,");
  Refused("p0 p1 p2", "shard 1/3: case 3 belongs to another shard\n");
  Run(1, 3, "p1");
  Edit(1, "\"number\": 1,", "\"number\": 4,");
  Refused("p0 p1 p2", "shard 1/3: case 1 is missing\n");
}

TEST_F(MergeRefuses, AVerdictWithoutItsFindings) {
  Edit(1, "\"verdict\": \"agree\"", "\"verdict\": \"disagree\"");
  Refused("p0 p1 p2",
          "/run/cases/0: found verdict \"disagree\" with 0 findings; 1 or more "
          "are allowed\n");
}

TEST_F(MergeRefuses, MutantsWithOtherCheckers) {
  for (const char* i : {"0", "1"}) {
    const Result r =
        Lanediff(std::string("mutants --instruction vec_trans --checker corpus "
                             "--corpus ") +
                 kCorpus + " --shard " + i + "/2 --out m" + i);
    ASSERT_EQ(r.status, 0) << r.err;
  }
  ASSERT_EQ(Shell("sed -i '0,/\"checker\": \"corpus\"/s//\"checker\": "
                  "\"guided\"/' m1/mutants.1-of-2.json")
                .status,
            0);
  Refused("m0 m1", "has other checkers than in shard 0");
}

/// Two machines must have checked the same files, and merge draws them.
TEST_F(MergeRefuses, OtherOrMissingCases) {
  fs::copy(kCorpus + "vec_trans", In("own"), fs::copy_options::recursive);
  const std::string check =
      "check own --target mutant:vt-in-place-refused --shard ";
  ASSERT_EQ(Lanediff(check + "0/2 --out c0").status, 1);
  ASSERT_EQ(Lanediff(check + "1/2 --out c1").status, 1);
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
  const Result r = Lanediff("merge p0 p1 p2 --out full");
  EXPECT_EQ(r.status, 2);
  EXPECT_TRUE(Has(r.err, "--out: full: is not empty; a new folder is needed"));
  EXPECT_EQ(std::distance(fs::directory_iterator(In("full")), {}), 1);
  EXPECT_EQ(Lanediff("merge p0 p1 p2").status, 2);
}

TEST_F(MergeRefuses, ACaseThatIsNotThere) {
  KeepSome();
  fs::remove_all(In("s0/findings"));
  Refused("s0 s1", "lanediff: s0/findings/");
}

TEST_F(MergeRefuses, ACaseThatIsCutShort) {
  KeepSome();
  ASSERT_EQ(Shell("for f in s0/findings/*; do echo '{' >$f; done").status, 0);
  Refused("s0 s1", "lanediff: s0/findings/");
}

TEST_F(MergeRefuses, ADocumentThatLeadsElsewhere) {
  KeepSome();
  ASSERT_EQ(Shell("sed -i 's|s0/findings/|s0/findings/../../|' "
                  "s0/exhaust.0-of-2.json")
                .status,
            0);
  Refused("s0 s1", "a file in findings/ or unconfirmed/ is allowed");
}

TEST_F(MergeRefuses, ShardsOfOtherEditions) {
  Run(1, 3, "p1", " --edition 2024");
  Refused("p0 p1 p2",
          "edition is \"2024\", but \"\" in p0/check.0-of-3.json\n");
  for (const char* more : {"0/2 --out e0", "1/2 --out e1 --edition 2024"}) {
    const Result r = Lanediff(
        std::string("exhaust params-min --range 7020..7030 --shard ") + more);
    ASSERT_EQ(r.status, 0) << r.err;
  }
  Refused("e0 e1", "edition is \"2024\", but \"2026\" in ");
}

}  // namespace
}  // namespace lanediff::cli::test
