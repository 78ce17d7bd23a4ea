#include <gtest/gtest.h>

#include <string>

#include "tools/cli/testing.h"

namespace lanediff::cli::test {
namespace {

class CoverageVerb : public ProgramTest {
 protected:
  Result Coverage(const std::string& options) {
    return Lanediff(
        "coverage --corpus " LANEDIFF_SOURCE_DIR "/corpus/program " + options);
  }
};

TEST_F(CoverageVerb, EveryBinOfAModuleHasACaseOrAReason) {
  const Result r = Coverage("--instruction vec_trans --json bins.json");
  EXPECT_EQ(r.status, 0) << r.out.substr(0, 2000) << r.err;
  EXPECT_TRUE(Has(r.out, ", 0 wrong")) << r.err;
  EXPECT_TRUE(Has(r.out, "layout src shifted half: never: VT-OVERLAP"));
  EXPECT_TRUE(Has(Slurp(In("bins.json")), "\"reachedBy\": \"corpus "));
}

TEST_F(CoverageVerb, SavedCaseReachesAndCanBeReplayed) {
  const Result r = Coverage("--instruction vec_trans --out filled");
  EXPECT_EQ(r.status, 0) << r.err;
  const Result replay = Lanediff("check filled");
  EXPECT_EQ(replay.status, 0) << replay.out.substr(0, 2000) << replay.err;
}

TEST_F(CoverageVerb, BadOptionsAreTwo) {
  EXPECT_EQ(Coverage("--instruction nothing").status, 2);
  EXPECT_EQ(Lanediff("coverage --corpus nowhere").status, 2);
  EXPECT_EQ(Coverage("--instruction vec_trans --json no/such/file").status, 2);
}

TEST_F(CoverageVerb, AnOlderEditionHasItsOwnBins) {
  const Result r = Coverage(
      "--instruction trowprod --generated 0 --edition 2024 --out "
      "filled --json bins.json");
  EXPECT_TRUE(Has(r.out, " wrong, edition 2024\n")) << r.err;
  EXPECT_FALSE(Has(r.out, "trowprod: dtype int32")) << r.out.substr(0, 2000);
  EXPECT_TRUE(Has(Slurp(In("bins.json")), "\"edition\": \"2024\""));
  const Result replay = Lanediff("check filled --quiet");
  EXPECT_EQ(replay.status, 0) << replay.out.substr(0, 2000) << replay.err;
  EXPECT_TRUE(Has(replay.out, "against oracle, edition 2024\n")) << replay.out;
}

}  // namespace
}  // namespace lanediff::cli::test
