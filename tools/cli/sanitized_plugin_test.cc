// Libraries that were built with a sanitizer: it sees what no guard can, and
// its report is part of the finding.

#include "tools/cli/outside_testing.h"

namespace lanediff::cli::test {
namespace {

struct Flaw {
  const char* does;
  const char* library;
  const char* report;
};

class SanitizedPlugin : public OutsideTest,
                        public testing::WithParamInterface<Flaw> {
 protected:
  void SetUp() override {
    OutsideTest::SetUp();
    WritePluginCases();
  }
  Result Check(const std::string& before, const std::string& library) const {
    return Shell(before +
                 " lanediff check cases --jobs 1 --json run.json --target "
                 "plugin:" LANEDIFF_TARGETS "/" +
                 library + ".so");
  }
};

TEST_P(SanitizedPlugin, HasItsReportKeptWithTheFinding) {
  const Flaw& flaw = GetParam();
  const Result r =
      Check(std::string("LANEDIFF_TEST_DOES=") + flaw.does, flaw.library);
  ExpectOneFailure(
      r, "crash",
      "its sanitizer reports: \"SUMMARY: " + std::string(flaw.report));
  const Json run = ReadJson("run.json");
  const std::string report =
      run.at("cases").at(2).at("findings").at(0).at("stderr");
  EXPECT_TRUE(Has(report, "hostile_plugin.cc") || Has(report, "Misbehave"))
      << report;
}

TEST_P(SanitizedPlugin, AgreesWhereNothingIsWrong) {
  Expect(Check("LANEDIFF_TEST_DOES=well", GetParam().library), 0,
         {.out = {"check: 5 cases: 5 agree, 0 disagree"}});
}

TEST_P(SanitizedPlugin, OptionsOfTheSanitizerAreKept) {
  Expect(Check("ASAN_OPTIONS=detect_leaks=0:exitcode=77 "
               "UBSAN_OPTIONS=halt_on_error=1:exitcode=77 LANEDIFF_TEST_DOES=" +
                   std::string(GetParam().does),
               GetParam().library),
         3, {.out = {"it ended with status 77"}});
}

INSTANTIATE_TEST_SUITE_P(
    All, SanitizedPlugin,
    testing::Values(Flaw{"overruns", "hostile_address",
                         "AddressSanitizer: heap-buffer-overflow"},
                    Flaw{"shifts", "hostile_undefined",
                         "UndefinedBehaviorSanitizer: "}),
    [](const auto& one) { return std::string(one.param.does); });

}  // namespace
}  // namespace lanediff::cli::test
