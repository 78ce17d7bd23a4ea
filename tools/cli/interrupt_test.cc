// The output, files and exit status of a run that a signal interrupts.

#include "reports/schema_testing.h"
#include "tools/cli/testing.h"

namespace lanediff::cli::test {
namespace {

const std::string kWholeCorpus = LANEDIFF_SOURCE_DIR "/corpus";

class Interrupt : public ProgramTest {
 protected:
  /// Sends `signal` to a run as soon as it is at work, at the earliest when
  /// `begun` holds, a condition of the shell; its whole work would take much
  /// longer.
  Result Interrupted(const std::string& arguments,
                     const std::string& signal = "INT",
                     const std::string& begun = "true") const {
    return Shell("lanediff " + arguments + " & pid=$!; until " + begun +
                 "; do kill -0 $pid || exit 99; done; " + kUntilBusy +
                 "kill -" + signal + " $pid; wait $pid");
  }
  /// As above, for a check of many cases: its threads begin when it has found
  /// all files.
  Result InterruptedCheck(const std::string& arguments,
                          const std::string& signal = "INT") const {
    return Interrupted("check --jobs 2 " + arguments, signal,
                       "[ \"$(ls /proc/$pid/task | wc -l)\" -gt 1 ]");
  }
  Json Left(const std::string& name = "out.json") const {
    return ReadJson(name);
  }
  /// Arguments that name the worked example 200,000 times.
  std::string ManyCases() const {
    WriteCaseAs("case.json");
    fs::create_directories(In("many"));
    for (int i = 0; i < 2000; ++i) {
      fs::create_hard_link(In("case.json"),
                           In("many/" + std::to_string(i) + ".json"));
    }
    std::string paths;
    for (int i = 0; i < 100; ++i) paths += " many";
    return paths;
  }
};

TEST_F(Interrupt, CheckIs2AndEveryReportIsIncomplete) {
  const std::string many = ManyCases();
  for (const char* signal : {"INT", "TERM"}) {
    Expect(InterruptedCheck(
               many + " --json out.json --junit out.xml --sarif out.sarif "
                      "--html html",
               signal),
           2,
           {.out = {"; not complete: interrupted after "},
            .err = {"lanediff: interrupted after "}});
    const std::string printed = Slurp(In("../out"));
    EXPECT_TRUE(Has(printed.substr(0, printed.find('\n')),
                    "NOT compared: the rest: interrupted after "));
    EXPECT_EQ(Left().at("complete"), false);
    EXPECT_GT(Left().at("summary").at("agree"), 0)
        << "the finished part is reported";
    EXPECT_TRUE(
        reports::test::FitsSchema(Slurp(In("out.json")), "run.schema.json"));
    const std::string junit = Slurp(In("out.xml"));
    EXPECT_TRUE(reports::test::FitsJunit(junit));
    EXPECT_TRUE(Has(junit, "<error message=\"interrupted after "));
    ExpectMembers(Left("out.sarif"),
                  {{"/runs/0/invocations/0/executionSuccessful", false}});
    EXPECT_TRUE(
        Has(Slurp(In("html/index.html")), "\"reasons\":[\"interrupted after "));
  }
}

TEST_F(Interrupt, ADisagreementIs1AllTheSame) {
  WriteCaseAs("wrong.json", "[35584]", "[1]");
  Expect(InterruptedCheck("wrong.json" + ManyCases() +
                          " --json out.json --sarif out.sarif"),
         1);
  EXPECT_EQ(Left().at("complete"), false);
  ExpectMembers(Left("out.sarif"),
                {{"/runs/0/invocations/0/executionSuccessful", false}});
}

TEST_F(Interrupt, AShardOfCheckIsNotMerged) {
  Expect(InterruptedCheck(ManyCases() + " --shard 0/2 --out parts"), 2);
  EXPECT_EQ(Left("parts/check.0-of-2.json").at("complete"), false);
  fs::copy(In("parts/check.0-of-2.json"), In("parts/check.1-of-2.json"));
  Expect(Lanediff("merge parts --out all"), 2,
         {.err = {"check.0-of-2.json: shard 0/2 was interrupted"}});
}

TEST_F(Interrupt, LintAgainstTheModelHearsItWithinACase) {
  // Every pair of its steps is a race: the model takes minutes.
  const std::string tensor = R"({"position": "VECIN", "bytes": 65536, "at": )";
  std::string step = R"({"op": "Add", "dtype": "half", "mask": 1,
    "repeatTimes": 255, "repeatParams": {"dstBlkStride": 1, "dstRepStride": 8,
    "src0BlkStride": 1, "src0RepStride": 8, "src1BlkStride": 1,
    "src1RepStride": 8}, "dst": )" +
                     tensor + R"(65536}, "src0": )" + tensor +
                     R"(0}, "src1": )" + tensor + "0}}";
  std::string program = step;
  for (int i = 1; i < 900; ++i) program += "," + step;
  Spill(In("races.json"),
        R"({"format": "lanediff-case/2", "id": "races", "product": "atlas-a2",
            "sync": {"auto": false}, "memory": {"UB": {}}, "program": [)" +
            program + "]}");
  for (const char* const signal : {"INT", "TERM", "HUP"}) {
    const Result r = Interrupted("lint --compare races.json", signal);
    EXPECT_EQ(r.status, 2) << signal << r.err;
    EXPECT_EQ(r.err, "lanediff: interrupted after 0 of 1 cases\n") << signal;
  }
}

TEST_F(Interrupt, SweepIs2) {
  Expect(
      Interrupted("sweep --json out.json --junit out.xml --shard 0/2", "TERM"),
      2, {.err = {"lanediff: interrupted after "}});
  EXPECT_EQ(Left().at("complete"), false);
  EXPECT_GT(Left().at("summary").at("agree"), 0);
  EXPECT_TRUE(Has(Slurp(In("out.xml")), "<error message=\"interrupted after "));
  EXPECT_EQ(Left("out/sweep.0-of-2.json").at("complete"), false);
  EXPECT_EQ(Lanediff("merge out --out all").status, 2);
}

TEST_F(Interrupt, GenerateIs2) {
  Expect(Interrupted("generate --check --max-cases 100000000 --json out.json",
                     "TERM"),
         2, {.err = {"lanediff: interrupted after "}});
  EXPECT_EQ(Left().at("complete"), false);
  EXPECT_GT(Left().at("instructions")[0].at("cases"), 0);
}

TEST_F(Interrupt, ExecIs2) {
  // Of the first it leaves the outcome, and prints why not of the others, which
  // have the same name.
  const Result r = Interrupted("exec" + ManyCases() + " --out rec", "INT",
                               "[ -n \"$(ls -A rec 2>/dev/null)\" ]");
  Expect(r, 2,
         {.out = {"outcomes in rec, edition 2026\n"},
          .err = {"lanediff: interrupted after "}});
  EXPECT_TRUE(r.out.starts_with("NOT complete: interrupted after ")) << r.out;
}

TEST_F(Interrupt, ASignalToAllProcessesOfAnAuditIsNoCrash) {
  for (const char* signal : {"INT", "TERM", "HUP"}) {
    for (const char* seconds : {"0", "0.1", "0.2"}) {
      fs::remove_all(In("out"));
      Expect(
          Shell("setsid lanediff audit --instruction trowprod --out out & "
                "pid=$!; until [ -n \"$(cat /proc/$pid/task/$pid/children)\" "
                "]; do kill -0 $pid || exit 99; done; sleep " +
                std::string(seconds) + "; kill -" + signal +
                " -$pid; wait $pid"),
          2);
      ExpectMembers(Left("out/audit.json"),
                    {{"/interrupted", true}, {"/crashed", 0}});
    }
  }
}

TEST_F(Interrupt, CoverageIs2AndBlamesNoBin) {
  Expect(Interrupted("coverage --corpus " + kWholeCorpus +
                     "/program --max-cases 1000000000 --json out.json"),
         2, {.not_out = {"WRONG"}});
  EXPECT_EQ(Left().at("complete"), false);
}

}  // namespace
}  // namespace lanediff::cli::test
