// `lanediff campaign bisect` in a repository of twenty commits, whose model of
// Min becomes wrong on a branch that is merged.

#include "tools/cli/testing.h"

namespace lanediff::cli::test {
namespace {

const std::string kSignature = "memory/min/value/int16/count";

/// The commits are c1 to c20 by day of January 2026. c6 to c8 are a branch off
/// c5 that c13 merges; c7 takes the maximum. c11 does not build.
constexpr const char* kMake = R"(
set -e
git init -q repo && cd repo
git config user.name Ada && git config user.email ada@example.org
git symbolic-ref HEAD refs/heads/main
day=0
stamp() {
  day=$1
  GIT_AUTHOR_DATE=2026-01-$(printf %02d $1)T12:00:00Z
  GIT_COMMITTER_DATE=$GIT_AUTHOR_DATE
  export GIT_AUTHOR_DATE GIT_COMMITTER_DATE
}
change() { # text, file
  stamp $((day + 1))
  echo "$1" >>"$2"
  git add -A && git commit -qm "$1" && git tag c$day
}
builds() { printf '#!/bin/sh\ncp model.in model.py\n' >build.sh; }
breaks() { printf '#!/bin/sh\necho no compiler >&2\nexit 1\n' >build.sh; }
echo model.py >.gitignore
cp "$MODEL" model.in
builds
for i in 1 2 3 4 5; do change "Change $i" notes; done
git checkout -q -b side
[ -z "$BREAK_C6" ] || breaks
change "Begin to be faster" side
[ -z "$BREAK_C6" ] || builds
sed -i 's/map(min, a, b)/map(max, a, b)/' model.in
change "Be faster" side
change "Tidy up" side
git checkout -q main
change "Change 9" notes && change "Change 10" notes
breaks && change "Change 11" notes
builds && change "Change 12" notes
stamp 13
git merge -q side -m "Merge side" && git tag c13
for i in 14 15 16 17 18 19 20; do change "Change $i" notes; done
cd ..
for at in ${SEEN:-c5 c20}; do
  git -C repo checkout -q $at
  (cd repo && cp model.in model.py && lanediff check $CASES --legal-only \
    --instruction min --target "exec:python3 model.py" --json ../$at.json) || true
  lanediff campaign add $at.json --commit $at --date 2026-01-$(printf %02d ${at#c})
done
git -C repo checkout -q main
)";

class BisectTest : public ProgramTest {
 protected:
  void Make(const std::string& settings = "") const {
    Expect(Shell("MODEL=" LANEDIFF_SOURCE_DIR
                 "/docs/examples/targets/model.py CASES=" LANEDIFF_SOURCE_DIR
                 "/corpus/min/count-* BREAK_C6= SEEN=; " +
                 settings + kMake),
           0);
  }
  Result Bisect(const std::string& more = "",
                const std::string& build = "sh build.sh") const {
    return Lanediff("campaign bisect " + kSignature + " --repo repo --build '" +
                    build + "' " + more);
  }
  static void ExpectNamed(const Result& r) {
    Expect(r, 0, {.out = {"\n  Be faster\n"}});
  }
  /// One line has the reason, and the commit is not named.
  void Refused(const Result& r, const std::string& why) const {
    Expect(r, 2, {.err = {why}, .not_out = {"began with\n"}});
    ExpectClean();
  }
  void ExpectClean() const {
    EXPECT_EQ(Shell("git -C repo worktree list | wc -l").out, "1\n");
    EXPECT_EQ(Shell("git -C repo status --short").out, "");
    EXPECT_EQ(Shell("git -C repo symbolic-ref HEAD").out, "refs/heads/main\n");
    EXPECT_EQ(Shell("git -C repo for-each-ref refs/bisect").out, "");
  }
};

TEST_F(BisectTest, NamesTheCommitOnABranchThatWasMerged) {
  Make();
  const Result r = Bisect();
  EXPECT_EQ(r.status, 0) << r.out << r.err;
  EXPECT_EQ(r.err, "");
  ExpectParts(r.out, {kSignature + " began with\n",
                      "\n  Be faster\n  Ada <ada@example.org>, 2026-01-07\n",
                      "next: git -C repo show "});
  ExpectClean();
  EXPECT_FALSE(fs::exists(In("campaign/bisect")));
}

TEST_F(BisectTest, ATargetMayLieInTheFolderAndAnotherLanediffReplay) {
  Make();
  // The caller's variables are not passed on, and what a build leaves keeps no
  // commit out: `notes` is changed by most, `side` is a file of some of them.
  Spill(In("build"),
        "sh build.sh && printf '#!/bin/sh\nexec lanediff \"$@\"\n' > replayer "
        "&& chmod +x replayer && test \"$LANEDIFF_DIR\" = \"$PWD\" && test "
        "\"$LANEDIFF_COMMIT\" = \"$(git rev-parse HEAD)\" && echo more >> "
        "notes && touch side\n");
  ExpectNamed(
      Shell("LANEDIFF_DIR=/nowhere JOB_COMPLETION_INDEX=1 JOB_COMPLETIONS=8 "
            "lanediff campaign bisect " +
            kSignature +
            " --repo repo --build \"sh $PWD/build\" --target 'exec:python3 "
            "{dir}/model.py' --run ./replayer"));
  ExpectClean();
}

TEST_F(BisectTest, WhatDoesNotBuildIsSkipped) {
  Make("BREAK_C6=1; ");
  const Result r = Bisect();
  Refused(r, "the commit is not named: those that are left are skipped");
  ExpectParts(
      r.out,
      {" Begin to be faster\n     does not build, status 1: no compiler\n",
       "began with one of these", " 2026-01-07 Be faster\n"});
}

TEST_F(BisectTest, EndsThatAreNotWhatTheyAreTakenFor) {
  Make();
  Refused(Bisect("--good c14"),
          "shows the finding already; a commit that does "
          "not show the finding is allowed\n");
  Refused(Bisect("--bad c12"),
          "does not show the finding; a commit that shows "
          "the finding is allowed\n");
  Refused(Bisect("--good c11"), "does not build, status 1: no compiler; ");
  Refused(Bisect("--good c99"), "--good: repo: holds no commit \"c99\"");
  Refused(Bisect("--good --all"), "lanediff: ");
  // Neither comes before the other: where they part is looked at, too.
  Expect(Bisect("--bad c8 --good c9"), 0,
         {.out = {" Change 5\n", "\n  Be faster\n"}});
}

TEST_F(BisectTest, AFindingOnTwoTargetsIsNamedWithItsTarget) {
  Make();
  // The same on another target, since c20 only.
  Expect(
      Shell(
          "sed 's/exec:python3 model.py/exec:other/g' c20.json > other.json && "
          "lanediff campaign add other.json --commit c20 --date 2026-01-20"),
      0);
  const std::string target = "--target 'exec:python3 {dir}/model.py' ";
  Refused(Bisect(target),
          "was found on exec:other and exec:python3 model.py; --of names the "
          "one that is meant\n");
  Refused(Bisect(target + "--of exec:none"), "--of names the one");
  Refused(Bisect(target + "--of exec:other"), "--good COMMIT names one");
  ExpectNamed(Bisect(target + "--of 'exec:python3 model.py'"));
}

TEST_F(BisectTest, AResultThatIsNotTheSameTwice) {
  Make();
  // Every second start is of a model that is right.
  Refused(
      Bisect("--target 'exec:sh flip'",
             "sh build.sh && cp " LANEDIFF_SOURCE_DIR
             "/docs/examples/targets/model.py right.py && echo \"echo >> n; "
             "test \\$((\\$(wc -l < n) % 2)) = 1 && exec python3 model.py; "
             "exec python3 right.py\" > flip"),
      "shows the finding in one of two replays");
}

TEST_F(BisectTest, ACommitWhereTheTargetFailsIsSkipped) {
  Make();
  Expect(Bisect("--target 'exec:python3 {dir}/model.py'",
                "sh build.sh; case $(git log -1 --format=%f) in Merge-side) "
                "echo \"import os; os.abort()\" > model.py;; esac"),
         0,
         {.out = {"\nskip ", "the case is not compared there, status 3",
                  "\n  Be faster\n"}});
}

TEST_F(BisectTest, WhereTheBranchesPartMayBeTheOne) {
  Make();
  const Result r =
      Bisect("--bad c8 --good c9",
             "test $(git log -1 --format=%f) != Change-5 && sh build.sh");
  Refused(r, "the commit is not named: those that are left are skipped");
  ExpectParts(r.out, {" 2026-01-07 Be faster\n", " 2026-01-05 Change 5\n"});
}

TEST_F(BisectTest, ALintDifferenceIsReplayedByLint) {
  Make();
  const std::string lint = "lint-differs/min/SYNC-RAW/int16/count";
  Expect(Shell("sed 's#" + kSignature + "#" + lint +
               "#g' c20.json > lint.json && lanediff campaign add lint.json "
               "--commit c20 --date 2026-01-21"),
         0);
  Spill(In("replayer"),
        "#!/bin/sh\n[ \"$1 $2\" = 'lint --compare' ] || exit 2\n"
        "grep -q 'map(max' model.in || exit 0\n"
        "echo '  signature: " +
            lint + "'\nexit 1\n");
  ExpectNamed(
      Shell("lanediff campaign bisect " + lint +
            " --repo repo --good c5 --case " + LANEDIFF_SOURCE_DIR +
            "/corpus/min/align-dst-at-16-rejected.json --build true --run "
            "\"sh $PWD/replayer\""));
}

TEST_F(BisectTest, ACommitThatRefusesAnIllegalCallIsGood) {
  Make();
  const std::string outcome = "outcome/min/MIN-COUNT/half/count";
  Expect(Shell("sed 's#" + kSignature + "#" + outcome +
               "#g' c20.json > outcome.json && lanediff campaign add "
               "outcome.json --commit c20 --date 2026-01-21"),
         0);
  Spill(In("refuse.sh"),
        "sh build.sh || exit 1\n"
        "sed -i -e 's/CODES = {/&\"half\": \"e\", /' "
        "-e 's/\"memory\": \"sparse\"/\"legality\": \"yes\", &/' model.py\n"
        "grep -q 'map(max' model.py || sed -i 's/^    spans = .*/    return "
        "{\"outcome\": \"rejected\", \"step\": len(case[\"program\"]) - 1, "
        "\"rules\": []}/' model.py\n");
  ExpectNamed(Shell("lanediff campaign bisect " + outcome +
                    " --repo repo --good c5 --case " LANEDIFF_SOURCE_DIR
                    "/corpus/min/count-minus-1-rejected.json --build \"sh "
                    "$PWD/refuse.sh\""));
}

TEST_F(BisectTest, WhatTheCampaignDoesNotKnow) {
  Make("SEEN=c20; ");
  Refused(Bisect(),
          "the campaign knows no commit that was looked at without "
          "the finding before; --good COMMIT names one");
  EXPECT_EQ(Bisect("--good c1").status, 0);
  Refused(Lanediff("campaign bisect memory/min/value/half --repo repo --build "
                   "true"),
          "holds no finding \"memory/min/value/half\"");
  Refused(Lanediff("campaign bisect " + kSignature + " --repo repo"),
          "--build COMMAND is missing");
  Refused(Lanediff("campaign bisect " + kSignature + " --build true --good c1"),
          "no git repository");
  Spill(In("bad.json"), "{");
  Refused(Bisect("--good c1 --case bad.json"), "bad.json: ");
}

TEST_F(BisectTest, WhatIsInterruptedGoesOn) {
  Make();
  const auto bisect = [](const std::string& third) {
    return "lanediff campaign bisect " + kSignature +
           " --repo repo --build 'sh build.sh; echo >> ../n; case $(wc -l < "
           "../n) in " +
           third + " sleep 60;; esac'";
  };
  // Ends it by a signal in this build.
  const auto ended = [](const std::string& builds, const std::string& signal) {
    return " & id=$!; while [ \"$(cat campaign/bisect/*/n 2>/dev/null | wc "
           "-l)\" -lt " +
           builds + " ] && kill -0 $id; do sleep 0.05; done; kill -" + signal +
           " $id; wait $id";
  };
  const std::string twice = bisect("3|5)");
  Expect(Shell(twice + ended("3", "TERM")), 2,
         {.err = {"interrupted; run it again to go on"}});
  ExpectClean();
  Expect(Shell(twice + ended("5", "KILL")), 137,
         {.out = {"goes on: 2 commits known"}});
  Expect(Shell(twice), 0,
         {.out = {"goes on: 3 commits known", "\n  Be faster\n"}});
  ExpectClean();

  // What could not be judged may have been for want of memory.
  const std::string fails_once = bisect("3) exit 1;; 4)");
  Expect(Shell(fails_once + ended("4", "TERM")), 2, {.out = {"\nskip "}});
  // Another version of lanediff may have judged otherwise.
  Expect(Shell("cp -r campaign other && sed -i '1s/$/.changed/' "
               "other/bisect/*/answers"),
         0);
  Expect(Shell(fails_once), 0,
         {.out = {"goes on: 2 commits known"}, .not_out = {"\nskip "}});
  Expect(Shell("rm -r campaign && mv other campaign"), 0);
  Expect(Shell(fails_once), 0, {.not_out = {"goes on"}});
  ExpectClean();
}

}  // namespace
}  // namespace lanediff::cli::test
