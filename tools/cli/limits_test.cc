// Numbers out of range, too little memory and too few threads.

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
  struct Row {
    const char* arguments;
    const char* allowed;
  };
  const Row rows[] = {
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
  for (const Row& row : rows) {
    for (const char* number :
         {"-1", "nan", "1e30", "99999999999999999999999", "x"}) {
      const Result r = Lanediff(std::string(row.arguments) + "=" + number);
      EXPECT_EQ(r.status, 2) << row.arguments << number;
      EXPECT_EQ(std::ranges::count(r.err, '\n'), 1) << r.err;
      EXPECT_TRUE(Has(r.err, row.allowed)) << row.arguments << number << r.err;
    }
  }
}

TEST_F(Numbers, WrongUsageIsOneLine) {
  for (const char* arguments :
       {"", "nothing", "check", "exec", "exec none.json", "exec .", "explain",
        "convert", "convert in", "fuzz --target no", "list colours",
        "check --nothing x", "check x --jobs", "list 'a\nb'", "'a\nb'",
        "check x --json same --junit same", "coverage --instruction nothing",
        "mutants --instruction nothing", "mutants --checker corpus nothing"}) {
    const Result r = Lanediff(arguments);
    EXPECT_EQ(r.status, 2) << arguments;
    EXPECT_TRUE(r.err.starts_with("lanediff: ")) << r.err;
    EXPECT_EQ(std::ranges::count(r.err, '\n'), 1) << r.err;
  }
  EXPECT_TRUE(Has(Lanediff("nothing").err, "no verb \"nothing\""));
  ExpectParts(Lanediff("mutants --checker corpus nothing").err,
              {"no mutant \"nothing\""});
  ExpectParts(Lanediff("check x --json same --junit same").err,
              {"two reports can't be one file: same"});
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
    const Result r =
        Shell(std::string("ulimit -v 100000; lanediff ") + verb + " big.json");
    EXPECT_EQ(r.status, 2) << verb;
    EXPECT_EQ(r.err, "lanediff: not enough memory\n") << verb;
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

}  // namespace
}  // namespace lanediff::cli::test
