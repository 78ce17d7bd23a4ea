// What the program reads and writes that is no plain file, or can't grow.

#include <algorithm>
#include <nlohmann/json.hpp>

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
    const Result r = Lanediff(std::string(arguments) + " >/dev/full");
    EXPECT_EQ(r.status, 2) << arguments;
    EXPECT_EQ(r.err,
              "lanediff: standard output: can't be written: No space left on "
              "device\n")
        << arguments;
  }
  EXPECT_EQ(Lanediff("exec case.json >&-").status, 2);
}

TEST_F(FilesTest, ReportsAreLeftThoughStandardOutputIsFull) {
  const Result r = Lanediff("check . --json report.json >/dev/full");
  EXPECT_EQ(r.status, 1) << r.err;
  EXPECT_EQ(nlohmann::json::parse(Slurp(In("report.json")))
                .at("summary")
                .at("disagree"),
            1);
  const Result closed = Lanediff("check case.json --json closed.json >&-");
  EXPECT_EQ(closed.status, 2) << closed.err;
  EXPECT_TRUE(nlohmann::json::accept(Slurp(In("closed.json"))));
}

TEST_F(FilesTest, StandardErrorThatTakesNothingChangesNothing) {
  for (const char* to : {"2>/dev/full", "2>&-"}) {
    EXPECT_EQ(Lanediff(std::string("check none.json ") + to).status, 2);
    EXPECT_EQ(Lanediff(std::string("check --nothing ") + to).status, 2);
    EXPECT_EQ(Lanediff(std::string("check case.json --shard 0/2 ") + to).status,
              0);
  }
}

TEST_F(FilesTest, AReaderThatWentAwayEndsNothingAndIsNotReported) {
  const Result r = Shell(
      "mkfifo pipe && exec 3<>pipe 4>pipe 3>&- && lanediff check case.json "
      "--json report.json >&4");
  EXPECT_EQ(r.status, 2);
  EXPECT_EQ(r.err, "");
  EXPECT_TRUE(nlohmann::json::accept(Slurp(In("report.json"))));
}

TEST_F(FilesTest, ReportsGoWhereTheirNamesLead) {
  const Result r = Shell(
      "ln -s real.json link.json && lanediff check case.json --json link.json "
      "--junit /dev/fd/3 --sarif /dev/fd/1 3>fd.xml");
  ASSERT_EQ(r.status, 0) << r.err;
  EXPECT_TRUE(fs::is_symlink(In("link.json")));
  EXPECT_TRUE(nlohmann::json::accept(Slurp(In("real.json"))));
  EXPECT_TRUE(Has(Slurp(In("fd.xml")), "</testsuites>"));
  EXPECT_TRUE(Has(r.out, "check: 1 cases: 1 agree")) << r.out;
  EXPECT_TRUE(Has(r.out, "sarif-schema-2.1.0.json")) << r.out;
  const Result piped =
      Shell("lanediff check case.json --json /dev/stdout | tail -n 1");
  EXPECT_EQ(piped.out, "}\n");
}

TEST_F(FilesTest, AFileThatMayNotGrowIsAnErrorOfOneLine) {
  const Result r = Shell(
      "echo old >report.json && ulimit -f 1 && lanediff check case.json "
      "--junit "
      "report.json --sarif report.sarif >/dev/null");
  EXPECT_EQ(r.status, 2);
  EXPECT_EQ(r.err,
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

}  // namespace
}  // namespace lanediff::cli::test
