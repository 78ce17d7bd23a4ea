// Numbers out of range, too little memory, too few threads, and signals: the
// output, files and exit status of a run that one interrupts.

#include "reports/schema_testing.h"
#include "tools/cli/progress.h"
#include "tools/cli/testing.h"

namespace lanediff::cli::test {
namespace {

using Numbers = ProgramTest;

TEST(Progress, StatesWhatIsDoneAndHowLongItWillTake) {
  const Progress progress(100, "hunts by sweep");
  EXPECT_EQ(progress.Text(0, 0, 10),
            "0 of 100 hunts by sweep, 0/s, 0 found, time left unknown");
  EXPECT_EQ(progress.Text(25, 3, 10),
            "25 of 100 hunts by sweep, 2/s, 3 found, 30 s left");
  EXPECT_EQ(Progress(0, "probes").Text(40, 0, 12.4),
            "40 probes for 12 s, time left unknown");
  EXPECT_EQ(Progress(0, "drawing the page").Text(0, 0, 12),
            "drawing the page for 12 s, time left unknown");
  EXPECT_TRUE(Progress(7).Text(7, 0, 1).starts_with("7 of 7 cases, 7/s"));
}

TEST(Progress, IsLeftOutWhereItIsNotWanted) {
  for (const auto& [given, shown] :
       {std::pair("0", false), {"1", true}, {"", true}}) {
    setenv("LANEDIFF_PROGRESS", given, 1);
    EXPECT_EQ(ShowsProgress(), shown) << given;
  }
}

TEST(Progress, HasLinesAfterTenSecondsThenEachThirty) {
  const auto at = [](int s) { return Schedule::Time(std::chrono::seconds(s)); };
  Schedule schedule;
  EXPECT_FALSE(schedule.IsDue(at(1000)));  // no phase
  schedule.Begin(at(0));
  schedule.Begin(at(9));  // a second phase defers no line
  const std::pair<int, bool> rows[] = {
      {9, false}, {10, true}, {11, false}, {39, false}, {40, true}};
  for (const auto& [second, due] : rows) {
    EXPECT_EQ(schedule.IsDue(at(second)), due) << second;
  }
  schedule.Begin(at(41));  // a new phase has its first line sooner
  EXPECT_FALSE(schedule.IsDue(at(50)));
  EXPECT_TRUE(schedule.IsDue(at(51)));
}

TEST_F(Numbers, OutOfRangeIsOneLine) {
  WriteCaseAs("case.json");
  const Refusal rows[] = {
      {"check case.json --jobs", "0 to 1024"},
      {"sweep --jobs", "0 to 1024"},
      {"exhaust min-int16 --jobs", "0 to 1024"},
      {"audit --out out --jobs", "0 to 1024"},
      {"fuzz --jobs", "0 to 1024"},
      {"fuzz --seconds", "1 to 10000000"},
      {"fuzz --seed", "0 to 18446744073709551615"},
      {"generate --max-cases", "1 to 1000000000"},
      {"generate --seed", "0 to 18446744073709551615"},
      {"coverage --max-cases", "0 to 1000000000"},
      {"mutants --jobs", "0 to 1024"},
      {"mutants --seconds", "0 to "},
      {"mutants --max-cases", "1 to 1000000000"},
      {"mutants --seed", "0 to 18446744073709551615"},
      {"mutants --seeds", "1 to 1000"},
      {"shrink case.json --max-cases", "0 to 10000000"},
      {"shrink case.json --seconds", "0 to 1000000"},
  };
  for (const auto& [arguments, allowed] : rows) {
    for (const char* number :
         {"-1", "nan", "1e30", "99999999999999999999999", "x"}) {
      ExpectRefused(Lanediff(arguments + "=" + number), allowed);
    }
  }
}

TEST_F(Numbers, WrongUsageIsOneLine) {
  for (const char* arguments : {"",
                                "nothing",
                                "check",
                                "exec",
                                "exec none.json",
                                "exec .",
                                "explain",
                                "convert",
                                "convert in",
                                "fuzz --target no",
                                "list colours",
                                "check --nothing x",
                                "check x --jobs",
                                "list 'a\nb'",
                                "'a\nb'",
                                "check x --json same --junit same",
                                "coverage --instruction nothing",
                                "mutants --instruction nothing",
                                "mutants --checker corpus nothing",
                                "completion tcsh",
                                "completion"}) {
    ExpectRefused(Lanediff(arguments), "lanediff: ");
  }
  ExpectAllRefused(
      {{"nothing", "no verb \"nothing\""},
       {"mutants --checker corpus nothing", "no mutant \"nothing\""},
       {"check x --json same --junit same",
        "two reports can't be one file: same"},
       {"fuzz --fuzzers /nonexistent --seconds 1 --out out",
        "no fuzz programs in /nonexistent; build them with \"cmake "
        "--preset fuzz"}});
  EXPECT_FALSE(fs::exists(In("out")));
}

// A sanitizer's shadow alone is more than these tests allow.
#if defined(__SANITIZE_ADDRESS__)
constexpr bool kSanitized = true;
#elif defined(__has_feature)
constexpr bool kSanitized = __has_feature(address_sanitizer);
#else
constexpr bool kSanitized = false;
#endif

class TooLittleMemory : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    if (kSanitized) GTEST_SKIP();
    WriteCaseAs("case.json");
    std::string big = "{\"format\": [0";
    for (int i = 0; i < 7'000'000; ++i) big += ",0";
    Spill(In("big.json"), big + "]}");
  }
};

TEST_F(TooLittleMemory, CostsCheckAndExecOneCase) {
  Expect(Shell("ulimit -v 100000; lanediff check big.json case.json --jobs 1 "
               "--json out.json"),
         2,
         {.out = {"malformed big.json: not enough memory\n",
                  "agree case.json\n"}});
  EXPECT_TRUE(Json::accept(Slurp(In("out.json"))));
  Expect(Shell("ulimit -v 100000; lanediff exec big.json case.json --out rec"),
         2,
         {.out = {"failed big.json: not enough memory\n",
                  "2 cases on emulator: 1 executed"}});
}

TEST_F(TooLittleMemory, EndsOtherVerbsWithOneLine) {
  for (const char* verb :
       {"explain", "shrink", "export", "convert -o new.bin"}) {
    ExpectRefused(
        Shell(std::string("ulimit -v 100000; lanediff ") + verb + " big.json"),
        "lanediff: not enough memory\n");
  }
}

TEST_F(TooLittleMemory, EndsASweepWhichLeavesItsReports) {
  const Result r = Shell(
      "ulimit -v 40000; lanediff sweep --jobs 64 --instruction data_copy "
      "--json out.json --junit out.xml");
  EXPECT_EQ(r.status, 2) << r.out << r.err;
  EXPECT_EQ(std::ranges::count(r.err, '\n'), 1) << r.err;
  const Json json = ReadJson("out.json");
  EXPECT_EQ(json.at("complete"), false);
  EXPECT_TRUE(Has(r.err, json.at("unfinished"))) << r.err;
  EXPECT_TRUE(Has(Slurp(In("out.xml")), "name=\"complete\""));
}

TEST_F(TooLittleMemory, FewerThreadsDoItToo) {
  Expect(Shell("mkdir many && for i in $(seq 99); do ln case.json "
               "many/$i.json; done"),
         0);
  Expect(Shell("ulimit -v 200000; lanediff check many --jobs 64"), 0,
         {.out = {"check: 99 cases: 99 agree"}});
}

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

TEST_F(Interrupt, SweepAndGenerateAre2) {
  const std::pair<std::string, std::string> rows[] = {
      {"sweep --instruction cast --shard 0/2", "/summary/agree"},
      {"generate --check --max-cases 100000000", "/instructions/0/cases"}};
  for (const auto& [verb, done] : rows) {
    Expect(Interrupted(verb + " --json out.json --junit out.xml", "TERM"), 2,
           {.err = {"lanediff: interrupted after "}});
    EXPECT_EQ(Left().at("complete"), false) << verb;
    EXPECT_GT(Left().at(Json::json_pointer(done)), 0) << verb;
    ExpectParts(Slurp(In("out.xml")), {"<error message=\"interrupted after "});
  }
  EXPECT_EQ(Left("out/sweep.0-of-2.json").at("complete"), false);
  EXPECT_EQ(Lanediff("merge out --out all").status, 2);
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
