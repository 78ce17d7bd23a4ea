// The verb lint: what it prints of rejected steps, and --fix.

#include <nlohmann/json.hpp>

#include "tools/cli/testing.h"

namespace lanediff::cli {
namespace {

using test::Has;
using test::Result;
using test::Slurp;
using test::Spill;
using Json = nlohmann::json;

/// A copy in, a Min whose stride is in bytes, a copy out, and no flag.
constexpr std::string_view kKernel = R"({
  "format": "lanediff-case/1", "id": "kernel", "product": "atlas-a2",
  "sync": {"auto": false},
  "memory": {"GM": {"size": 65536}, "UB": {}},
  "program": [
    {"op": "DataCopy", "dtype": "half",
     "dst": {"position": "VECIN", "at": 0, "bytes": 1024},
     "src": {"position": "GM", "at": 0, "bytes": 1024}, "count": 512},
    {"op": "Min", "dtype": "half",
     "dst": {"position": "VECOUT", "at": 2048, "bytes": 1024},
     "src0": {"position": "VECIN", "at": 0, "bytes": 1024},
     "src1": {"position": "VECIN", "at": 0, "bytes": 1024},
     "mask": 128, "repeatTimes": 4, "repeatParams": {
       "dstBlkStride": 1, "src0BlkStride": 1, "src1BlkStride": 1,
       "dstRepStride": 8, "src0RepStride": 256, "src1RepStride": 8}},
    {"op": "DataCopy", "dtype": "half",
     "dst": {"position": "GM", "at": 8192, "bytes": 1024},
     "src": {"position": "VECOUT", "at": 2048, "bytes": 1024}, "count": 512}]})";

class LintVerb : public test::ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    Spill(In("kernel.json"), std::string(kKernel));
  }
};

TEST_F(LintVerb, NamesMemoriesThatWereTakenAsWritten) {
  const std::string took =
      "initcheck took every byte as written from the start: GM in 1 program, "
      "UB "
      "in 1 program; ";
  EXPECT_TRUE(Has(Lanediff("lint kernel.json").out, took));
  std::string text(kKernel);
  const std::string_view ub = R"("UB": {})";
  text.replace(text.find(ub), ub.size(), R"("UB": {"initialised": false})");
  Spill(In("kernel.json"), text);
  const std::string out = Lanediff("lint kernel.json").out;
  EXPECT_TRUE(Has(out, "from the start: GM in 1 program; ")) << out;
}

TEST_F(LintVerb, ATableCountsOneHazardAsOne) {
  std::string text(kKernel);
  text.replace(text.find("256, \"src1Rep"), 3, "8");
  const std::string_view to = R"("VECIN", "at": 0)";
  text.replace(text.find(to), to.size(), R"("VECIN", "at": 4096)");
  Spill(In("kernel.json"), text);
  const std::string out =
      Lanediff("lint kernel.json --product atlas-a2,atlas-a3").out;
  EXPECT_TRUE(Has(out, " 1 hazard\n")) << out;
  EXPECT_FALSE(Has(out, "1 hazards")) << out;
}

TEST_F(LintVerb, PrintsWhatIsWrongAndWhatWouldBeRight) {
  const Result result = Lanediff("lint kernel.json --json out.json");
  EXPECT_EQ(result.status, 1);
  EXPECT_TRUE(Has(result.out,
                  "  step 1 Min is rejected: MIN-STRIDE-RANGE\n"
                  "    MIN-STRIDE-RANGE: The six strides are in "
                  "their ranges.\n"
                  "      src0RepStride is 256; 0 to 255 is "
                  "allowed\n"
                  "    repair: src0RepStride is in DataBlocks of "
                  "32 bytes: you wrote 256; 8 makes the call legal "
                  "and reads what 256 bytes would\n"))
      << result.out;
  const Json rejected =
      Json::parse(Slurp(In("out.json")))["cases"][0]["rejected"];
  EXPECT_EQ(rejected["step"], 1);
  EXPECT_EQ(rejected["witness"][0]["field"], "src0RepStride");
  EXPECT_EQ(rejected["witness"][0]["found"], "src0RepStride is 256");
  EXPECT_EQ(rejected["witness"][0]["needed"], "0 to 255 is allowed");
  EXPECT_EQ(
      rejected["repair"]["changes"],
      Json::parse(R"([{"field": "src0RepStride", "from": 256, "to": 8}])"));
}

TEST_F(LintVerb, IsHeldAgainstItsModel) {
  const Result result = Lanediff("lint --compare kernel.json");
  EXPECT_EQ(result.status, 0) << result.out << result.err;
  EXPECT_EQ(result.out,
            "agree kernel.json\ncompared lint with the model of bytes on 1 "
            "case: 1 agree, 0 disagree, 0 beyond the model, 0 malformed\n");
  Spill(In("none.json"), "{");
  EXPECT_EQ(Lanediff("lint --compare kernel.json none.json").status, 2);
  const auto refused = [&](const std::string& options, const std::string& why) {
    const Result r = Lanediff("lint --compare " + options);
    EXPECT_EQ(r.status, 2);
    EXPECT_TRUE(Has(r.err, why)) << r.err;
  };
  refused("none.json", "nothing was compared");
  refused("kernel.json -o small.json", "the two agree");
  refused("kernel.json kernel.json -o small.json",
          "--compare -o shrinks one file, and 2 are given");
  refused("kernel.json --json out.json", "as they stand; leave --json out");
}

TEST_F(LintVerb, FixesAProgramUntilItIsClean) {
  const Result result = Lanediff("lint --fix kernel.json -o fixed.json");
  EXPECT_EQ(result.status, 0) << result.out;
  EXPECT_TRUE(Has(result.out, "fixed step 1 Min: src0RepStride")) << result.out;
  EXPECT_TRUE(Has(result.out,
                  "3 changes to kernel.json, written to "
                  "fixed.json\nclean fixed.json"))
      << result.out;
  EXPECT_EQ(Slurp(In("kernel.json")), kKernel);
  EXPECT_EQ(Lanediff("lint fixed.json").status, 0);
  EXPECT_EQ(Lanediff("lint --fix kernel.json -o kernel.json").status, 0);
  EXPECT_EQ(Slurp(In("kernel.json")), Slurp(In("fixed.json")));
}

TEST_F(LintVerb, LeavesAndReportsWhatNothingRepairs) {
  std::string text(kKernel);
  text.replace(text.find("atlas-a2"), 8, "atlas-200-300-500");
  Spill(In("none.json"), text);
  const Result result = Lanediff("lint --fix none.json -o fixed.json");
  EXPECT_EQ(result.status, 1);
  EXPECT_TRUE(Has(result.out, "no change of up to 3 fields makes this legal\n"))
      << result.out;
}

TEST_F(LintVerb, RefusesAFixInOneLine) {
  const auto refused = [&](const std::string& arguments,
                           const std::string& why) {
    const Result result = Lanediff("lint " + arguments);
    EXPECT_EQ(result.status, 2) << arguments;
    EXPECT_EQ(result.err, "lanediff: " + why + "\n") << arguments;
  };
  refused("--fix kernel.json", "--fix needs -o FILE for what is repaired");
  refused("kernel.json -o x.json",
          "-o is where --fix and --compare write; add one of them");
  refused("--fix kernel.json kernel.json -o x.json",
          "--fix repairs one file, and 2 are given");
  refused("--fix . -o x.json", "--fix repairs one file, and . is a folder");
  refused("--fix kernel.json -o x.json --product atlas-a3",
          "--fix repairs for the case's product; leave --product out");
  EXPECT_FALSE(std::filesystem::exists(In("x.json")));
  EXPECT_EQ(Lanediff("lint --fix absent.json -o x.json").status, 2);
  EXPECT_EQ(Lanediff("lint --fix kernel.json -o no/such/x.json").status, 2);
}

TEST_F(LintVerb, ExplainHasTheWitnessOfAlignment) {
  std::string text(kKernel);
  text.replace(text.find("\"at\": 2048"), 10, "\"at\": 2052");
  Spill(In("odd.json"), text);
  const Result result = Lanediff("explain odd.json");
  EXPECT_TRUE(Has(result.out, "dst.at is 2052, 4 bytes past a multiple of 32"))
      << result.out;
}

/// Names that would clear a screen and end a line.
constexpr std::string_view kEscapes =
    R"({"format": "lanediff-case/2", "id": "a/b", "product": "atlas-a2",
  "memory": {"UB": {}}, "program": [{"op": "Carried",
    "name": "Adds\u001b]0;pwned\u0007\u001b[31m", "pipe": "V",
    "source": {"file": "k.cpp\u001b[2J\rclean\nSUMMARY status=0", "line": 7},
    "operands": {"dst": {"position": "VECCALC", "at": 1, "bytes": 32}},
    "writes": [{"memory": "UB", "at": 1, "hex": "00"}]}]})";

TEST_F(LintVerb, NamesAndFilesOfACaseAreEscaped) {
  Spill(In("escapes.json"), std::string(kEscapes));
  for (const char* const verb :
       {"lint", "lint --cases alone", "explain", "check", "shrink"}) {
    const Result r = Lanediff(std::string(verb) + " escapes.json");
    const std::string all = r.out + r.err;
    EXPECT_TRUE(Has(all, "\\x1b[2J\\rclean\\nSUMMARY")) << verb << all;
    EXPECT_FALSE(Has(all, "\x1b")) << verb;
    EXPECT_FALSE(Has(all, "\nSUMMARY")) << verb;
  }
}

/// Tiles of half a GiB each, in a memory that holds them.
constexpr std::string_view kLargeTiles =
    R"({"format": "lanediff-case/1", "id": "a/b", "product": "atlas-a2",
  "memory": {"UB": {}, "GM": {"size": 1073741824}}, "program": [
    {"op": "TROWPROD", "dtype": "half",
     "dst": {"position": "GM", "at": 0, "rows": 16777216, "cols": 16,
             "validRow": 16777216, "validCol": 1, "layout": "ND"},
     "src": {"position": "GM", "at": 16, "rows": 16777216, "cols": 16,
             "validRow": 16777216, "validCol": 16, "layout": "ND"},
     "tmp": {"position": "GM", "at": 536870912, "rows": 16777216, "cols": 16,
             "validRow": 16777216, "validCol": 16, "layout": "ND"}}]})";

TEST_F(LintVerb, ARejectedCallCostsWhatItTouches) {
  Spill(In("tiles.json"), std::string(kLargeTiles));
  // Of the processor: where rows are listed, it takes minutes.
  const Result lint = Shell("ulimit -t 10; lanediff lint tiles.json");
  EXPECT_EQ(lint.status, 1) << lint.err;
  EXPECT_TRUE(Has(lint.out, "TRP-ALIGN, TRP-LOCATION")) << lint.out;
  const Result explain = Shell("ulimit -t 10; lanediff explain tiles.json");
  EXPECT_TRUE(Has(explain.out, "TRP-LOCATION")) << explain.out << explain.err;
}

}  // namespace
}  // namespace lanediff::cli
