// Runs `lanediff generate` as a user does.

#include <nlohmann/json.hpp>

#include "isa/catalogue.h"
#include "tools/cli/testing.h"

namespace lanediff::cli::test {
namespace {

using Generate = ProgramTest;
using Json = nlohmann::json;

TEST_F(Generate, ReportsWhatTheCasesAreWorth) {
  const Result r = Lanediff("generate --instruction min --count 500");
  EXPECT_EQ(r.status, 0) << r.err;
  for (const char* part :
       {"min: 500 cases, ", "% legal; a legal case has ", "MIN-OVERLAP-COUNT",
        "min-exception-near-miss", "signed-zeros"}) {
    EXPECT_TRUE(Has(r.out, part)) << part << "\n" << r.out;
  }
  EXPECT_FALSE(Has(r.out, "checked:"));
}

TEST_F(Generate, ChecksEveryInstructionAndLeavesJson) {
  const Result r = Lanediff("generate --count 60 --check --json f.json");
  EXPECT_EQ(r.status, 0) << r.err << r.out;
  const Json json = Json::parse(Slurp(In("f.json")));
  EXPECT_EQ(json.at("format"), "lanediff-generate/1");
  EXPECT_EQ(json.at("target"), "emulator");
  ASSERT_EQ(json.at("instructions").size(), isa::Instructions().size() + 1);
  for (const Json& one : json.at("instructions")) {
    const Json& check = one.at("check");
    EXPECT_EQ(one.at("cases"), 60);
    EXPECT_EQ(check.at("legal"), one.at("legal"));
    EXPECT_EQ(check.at("legal").get<int>() + check.at("illegal").get<int>(),
              60);
    EXPECT_EQ(check.at("findings"), 0);
    EXPECT_FALSE(one.at("data").empty());
  }
  EXPECT_FALSE(fs::exists(In("out")));
}

TEST_F(Generate, SameSeedSameFigures) {
  const auto figures = [&](const std::string& arguments) {
    EXPECT_EQ(Lanediff("generate --count 50 --json f.json " + arguments).status,
              0);
    Json json = Json::parse(Slurp(In("f.json")));
    for (Json& one : json.at("instructions")) one.erase("generateSeconds");
    return json.at("instructions");
  };
  EXPECT_EQ(figures("--seed 3"), figures("--seed 3"));
  EXPECT_NE(figures("--seed 3"), figures("--seed 4"));
  EXPECT_NE(figures("--seed 3"), figures("--seed 3 --style uniform"));
}

TEST_F(Generate, StopsAtTheFirstFinding) {
  const Result r = Lanediff(
      "generate --instruction min --count 5000 --until-found"
      " --target mutant:min-last-repeat-skipped --json f.json");
  EXPECT_EQ(r.status, 1) << r.err;
  const Json json = Json::parse(Slurp(In("f.json")));
  const Json& one = json.at("instructions").at(0);
  EXPECT_EQ(one.at("check").at("findings"), 1);
  EXPECT_LT(one.at("cases"), 5000);
  EXPECT_TRUE(Has(r.out, "disagree min case " +
                             std::to_string(one.at("cases").get<int>()) +
                             ": step "))
      << r.out;
}

TEST_F(Generate, WrongUsageIs2) {
  const Result style = Lanediff("generate --style fast");
  EXPECT_EQ(style.status, 2);
  EXPECT_TRUE(Has(style.err, "\"fast\"; by-intent and uniform are allowed"));
  const Result slug = Lanediff("generate --instruction div");
  EXPECT_EQ(slug.status, 2);
  EXPECT_TRUE(Has(slug.err, "\"div\"; repeat_reduce_sum, min, ")) << slug.err;
  EXPECT_EQ(Lanediff("generate --count 0").status, 2);
  EXPECT_EQ(Lanediff("generate --count 1 --target none").status, 2);
  EXPECT_EQ(Lanediff("generate --count 1 --check --target oracle").status, 2);
  EXPECT_EQ(Lanediff("generate --count 1 --json none/f").status, 2);
}

}  // namespace
}  // namespace lanediff::cli::test
