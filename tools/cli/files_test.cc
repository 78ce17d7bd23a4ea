// What the program reads and writes that is no plain file, or can't grow, and
// every verb that leaves files on a full disk.

#include <array>
#include <sstream>

#include "tools/cli/testing.h"

namespace lanediff::cli::test {
namespace {

class FilesTest : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    WriteCaseAs("case.json");
    WriteCaseAs("wrong.json", "[35584]", "[1]");
  }
};

TEST_F(FilesTest, ReportsStandardOutputThatTakesNothing) {
  for (const char* arguments :
       {"exec case.json", "list rules", "--help", "check case.json",
        "explain case.json", "export case.json"}) {
    ExpectRefused(Lanediff(std::string(arguments) + " >/dev/full"),
                  "lanediff: standard output: can't be written: No space left "
                  "on device\n");
  }
  EXPECT_EQ(Lanediff("exec case.json >&-").status, 2);
}

TEST_F(FilesTest, ReportsAreLeftThoughStandardOutputIsFull) {
  Expect(Lanediff("check . --json report.json >/dev/full"), 1);
  EXPECT_EQ(ReadJson("report.json").at("summary").at("disagree"), 1);
  Expect(Lanediff("check case.json --json closed.json >&-"), 2);
  EXPECT_TRUE(Json::accept(Slurp(In("closed.json"))));
}

TEST_F(FilesTest, StandardErrorThatTakesNothingChangesNothing) {
  for (const char* to : {"2>/dev/full", "2>&-"}) {
    ExpectStatus(2, {std::string("check none.json ") + to,
                     std::string("check --nothing ") + to});
    Expect(Lanediff(std::string("check case.json --shard 0/2 ") + to), 0);
  }
}

TEST_F(FilesTest, AReaderThatWentAwayEndsNothingAndIsNotReported) {
  const Result r = Shell(
      "mkfifo pipe && exec 3<>pipe 4>pipe 3>&- && lanediff check case.json "
      "--json report.json >&4");
  EXPECT_EQ(r.status, 2);
  EXPECT_EQ(r.err, "");
  EXPECT_TRUE(Json::accept(Slurp(In("report.json"))));
}

TEST_F(FilesTest, ReportsGoWhereTheirNamesLead) {
  const Result r = Shell(
      "ln -s real.json link.json && lanediff check case.json --json link.json "
      "--junit /dev/fd/3 --sarif /dev/fd/1 3>fd.xml");
  ASSERT_EQ(r.status, 0) << r.err;
  EXPECT_TRUE(fs::is_symlink(In("link.json")));
  EXPECT_TRUE(Json::accept(Slurp(In("real.json"))));
  EXPECT_TRUE(Has(Slurp(In("fd.xml")), "</testsuites>"));
  ExpectParts(r.out, {"check: 1 cases: 1 agree", "sarif-schema-2.1.0.json"});
  const Result piped =
      Shell("lanediff check case.json --json /dev/stdout | tail -n 1");
  EXPECT_EQ(piped.out, "}\n");
}

TEST_F(FilesTest, AFileThatMayNotGrowIsAnErrorOfOneLine) {
  ExpectRefused(
      Shell("echo old >report.json && ulimit -f 1 && lanediff check case.json "
            "--junit report.json --sarif report.sarif >/dev/null"),
      "lanediff: report.sarif: can't be written: File too large\n");
  EXPECT_TRUE(Has(Slurp(In("report.json")), "testsuites"));
  EXPECT_EQ(Shell("ls -A").out, "case.json\nreport.json\nwrong.json\n");
}

TEST_F(FilesTest, InputsAreRegularFiles) {
  Shell("mkfifo pipe");
  for (const char* arguments :
       {"check pipe", "check case.json --baseline pipe",
        "check case.json --known-issues pipe", "exec pipe", "explain pipe",
        "shrink pipe", "export pipe", "convert pipe -o x.json",
        "exhaust min-int16 --state pipe", "sweep --baseline pipe",
        "mutants --baseline pipe", "audit --baseline pipe --out audit",
        "coverage --corpus pipe", "mutants --checker corpus --corpus pipe"}) {
    for (const char* file : {"pipe", "/dev/zero"}) {
      std::string command = arguments;
      command.replace(command.find("pipe"), 4, file);
      const Result r = Lanediff(command);
      EXPECT_EQ(r.status, 2) << command;
      EXPECT_TRUE(Has(r.out + r.err, "no regular file") ||
                  Has(r.err, "no case in ") || Has(r.err, "no folder "))
          << command << '\n'
          << r.out << r.err;
      EXPECT_LE(std::ranges::count(r.err, '\n'), 1) << command << r.err;
    }
  }
}

constexpr const char* kFull = "can't be written: No space left on device";
constexpr const char* kRace = LANEDIFF_SOURCE_DIR
    "/corpus/program/copy-out-that-does-not-wait-for-the-minimum.json";

class FullDisk : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    for (const char* unshare : {"unshare -m ", "unshare -rm "}) {
      unshare_ = unshare;
      if (Shell(unshare_ + "mount -t tmpfs none .").status == 0) break;
      unshare_.clear();
    }
    if (unshare_.empty()) {
      constexpr const char* kWhy =
          "NOT TESTED: a small disk can't be mounted here; that takes root, or "
          "namespaces that users may make";
      // Continuous integration leaves nothing out.
      if (std::getenv("LANEDIFF_TEST_ALL") != nullptr) FAIL() << kWhy;
      GTEST_SKIP() << kWhy;
    }
    WriteCaseAs("case.json");
    WriteCaseAs("wrong.json", "[35584]", "[1]");
    fs::copy_file(CorpusFile("tree-128-random-halves.json"), In("tree.json"));
    fs::copy_file(kRace, In("race.json"));
    fs::create_directories(In("disk"));
  }

  /// Runs it with disk/ of 512 KiB, on which `before` has put files, of which
  /// `kib` KiB are left. Then disk/ is copied to left/, without what fills it.
  Result OnDisk(int kib, const std::string& before,
                const std::string& command) const {
    fs::remove_all(In("left"));
    Spill(In("on-disk.sh"),
          "mount -t tmpfs -o size=512k none disk || exit 99\n" + before +
              "\nhead -c " + std::to_string(kib * 1024) +
              " /dev/zero >disk/reserve\n"
              "cat /dev/zero >disk/filler 2>/dev/null\nrm disk/reserve\n" +
              "(" + command +
              ")\nstatus=$?\nrm disk/filler\ncp -r disk left\n" +
              "exit $status\n");
    return Shell(unshare_ + "sh on-disk.sh");
  }

  std::string FilesLeft() const {
    return Shell("cd left && find . -type f").out;
  }

  /// One line for each file; others are progress.
  static void ExpectReported(const Result& r) {
    EXPECT_TRUE(Has(r.out + r.err, kFull)) << r.out << r.err;
    std::istringstream lines(r.err);
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("lanediff: skipped: ")) continue;  // no case
      EXPECT_EQ(Has(line, kFull), line.starts_with("lanediff: ")) << r.err;
    }
  }

 private:
  std::string unshare_;
};

TEST_F(FullDisk, IsOneLineAndLeavesWhatWasThere) {
  const std::string sweep =
      "sweep --instruction vec_trans --max-cases 1 --sample ";
  Shell("for i in 0 1; do lanediff " + sweep +
        "--shard $i/2 --out shard$i; done");
  ASSERT_TRUE(fs::exists(In("shard1")));
  const std::string found[] = {
      "check wrong.json --json disk/old", "lint race.json --json disk/old",
      "lint race.json --junit disk/old",  "lint race.json --sarif disk/old",
      "lint race.json --html disk/page",  "lint race.json --out disk/cases"};
  const std::string others[] = {
      "check case.json --json disk/old",
      "check case.json --junit disk/old",
      "check case.json --sarif disk/old",
      "check case.json --html disk/page",
      "explain case.json --html disk/out",
      "export case.json -o disk/new",
      "convert case.json -o disk/new.json",
      "exec case.json --out disk/outcomes",
      "shrink tree.json --target mutant:rrs-left-fold -o disk/old",
      "lint case.json --json disk/old",
      "lint race.json --fix -o disk/old",
      sweep + "--json disk/old",
      sweep + "--shard 0/2 --out disk/out",
      "generate --check --max-cases 5 --json disk/old",
      "exhaust min-int16 --range 0..2 --out disk/out",
      "exhaust min-int16 --range 0..2 --json disk/old",
      "characterise --instruction vec_trans --json disk/old",
      "coverage --instruction vec_trans --corpus . --json disk/old",
      "coverage --instruction vec_trans --corpus . --out disk/out",
      "audit --instruction vec_trans --max-cases 1 --sample --no-character "
      "--out disk/out",
      "mutants vt-repeat-zero-accepted --checker sweep --json disk/old",
      "merge shard0 shard1 --out disk/out"};
  const auto expect = [&](const std::string& command, int status) {
    SCOPED_TRACE(command);
    const Result r = OnDisk(0, "echo old >disk/old", "lanediff " + command);
    ExpectReported(r);
    EXPECT_EQ(r.status, status) << r.err;
    EXPECT_EQ(FilesLeft(), "./old\n");
    EXPECT_EQ(Slurp(In("left/old")), "old\n");
  };
  for (const std::string& command : found) expect(command, 1);
  for (const std::string& command : others) expect(command, 2);
}

TEST_F(FullDisk, KeepsWhatAVerbWouldWriteOver) {
  const std::array<const char*, 3> rows[] = {
      {"race.json", "cp race.json disk",
       "lanediff lint disk/race.json --fix -o disk/race.json"},
      {"tree.json", "cp tree.json disk",
       "lanediff shrink disk/tree.json --target mutant:rrs-left-fold -o "
       "disk/tree.json"},
      {"state.json",
       "lanediff exhaust min-int16 --range 0..2 --state state.json >/dev/null; "
       "sed -i 's/\"next\": 2/\"next\": 1/' state.json; cp state.json disk",
       "lanediff exhaust min-int16 --range 0..2 --state disk/state.json"},
      {"stages.txt", "echo 'date today' >stages.txt; cp stages.txt disk",
       "lanediff index disk"},
      {"none", ":", "cd disk && lanediff target new --language c++ mine"},
  };
  for (const auto& [file, before, command] : rows) {
    SCOPED_TRACE(command);
    const Result r = OnDisk(0, before, command);
    EXPECT_EQ(r.status, 2) << r.out << r.err;
    ExpectReported(r);
    EXPECT_EQ(Slurp(In(std::string("left/") + file)), Slurp(In(file)));
  }
}

TEST_F(FullDisk, AFindingOfASweepIsNotLost) {
  const Result r =
      OnDisk(0, ":",
             "lanediff sweep --instruction vec_trans --target "
             "mutant:vt-repeat-zero-accepted --max-cases 3 --out disk");
  EXPECT_EQ(r.status, 1) << r.out << r.err;
  const auto first = r.err.find("; the case follows\n{");
  ASSERT_NE(first, std::string::npos) << r.err;
  const auto end = r.err.find("\n}\n", first);
  Spill(In("kept.json"),
        r.err.substr(r.err.find('{', first), end + 3 - r.err.find('{', first)));
  Expect(Lanediff("check kept.json --target mutant:vt-repeat-zero-accepted"),
         1);
}

TEST_F(FullDisk, AnAuditLeavesItsVerdictsBeforeItsCases) {
  const Result r =
      OnDisk(192, ":",
             "lanediff audit --instruction vec_trans --max-cases 1 --sample "
             "--no-character --out disk/out");
  EXPECT_EQ(r.status, 2) << r.err;
  ExpectReported(r);
  const std::string left = Slurp(In("left/out/audit.json"));
  EXPECT_TRUE(Json::accept(left)) << FilesLeft();
}

}  // namespace
}  // namespace lanediff::cli::test
