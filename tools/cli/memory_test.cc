// Too little memory, or too few threads, is reported as such.

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tools/cli/testing.h"

namespace lanediff::cli::test {
namespace {

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
  const Result r = Shell(
      "ulimit -v 100000; lanediff check big.json case.json --jobs 1 --json "
      "out.json");
  EXPECT_EQ(r.status, 2) << r.err;
  EXPECT_TRUE(Has(r.out, "malformed big.json: not enough memory\n")) << r.out;
  EXPECT_TRUE(Has(r.out, "agree case.json\n")) << r.out;
  EXPECT_TRUE(nlohmann::json::accept(Slurp(In("out.json"))));
  const Result exec =
      Shell("ulimit -v 100000; lanediff exec big.json case.json --out rec");
  EXPECT_EQ(exec.status, 2) << exec.err;
  EXPECT_TRUE(Has(exec.out, "failed big.json: not enough memory\n"));
  EXPECT_TRUE(Has(exec.out, "2 cases on emulator: 1 executed")) << exec.out;
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
  const auto json = nlohmann::json::parse(Slurp(In("out.json")));
  EXPECT_EQ(json.at("complete"), false);
  EXPECT_TRUE(Has(r.err, json.at("unfinished"))) << r.err;
  EXPECT_TRUE(Has(Slurp(In("out.xml")), "name=\"complete\""));
}

TEST_F(TooLittleMemory, FewerThreadsDoItToo) {
  EXPECT_EQ(Shell("mkdir many && for i in $(seq 99); do ln case.json "
                  "many/$i.json; done")
                .status,
            0);
  const Result r = Shell("ulimit -v 200000; lanediff check many --jobs 64");
  EXPECT_EQ(r.status, 0) << r.out << r.err;
  EXPECT_TRUE(Has(r.out, "check: 99 cases: 99 agree")) << r.out;
}

}  // namespace
}  // namespace lanediff::cli::test
