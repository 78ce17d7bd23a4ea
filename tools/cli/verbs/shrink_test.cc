// The verb `shrink`, on an emulator without saturation.

#include "differential/compare/check.h"
#include "differential/targets/find_target.h"
#include "differential/testcase/case_reader.h"
#include "differential/testcase/case_writer.h"
#include "tools/cli/testing.h"

namespace lanediff::cli::test {
namespace {

class ShrinkVerb : public ProgramTest {
 protected:
  Result Shrink(const std::string& arguments) const {
    return Lanediff("shrink " + arguments +
                    " --target mutant:rrs-saturation-missing");
  }
};

TEST_F(ShrinkVerb, WritesASmallerCaseBesideTheOldOne) {
  WriteCaseAs("case.json");
  const std::string before = Slurp(In("case.json"));
  const Result r = Shrink("case.json");
  ASSERT_EQ(r.status, 0) << r.err;
  EXPECT_EQ(Slurp(In("case.json")), before);
  const std::string out = "case.shrunk.json";
  for (const std::string& part :
       {std::string("\nsignature: memory/repeat_reduce_sum/saturation/half\n"),
        std::string("\nbefore: 1 step, 1 iteration, 196608 bytes, 4 non-zero "),
        std::string("\nafter: 1 step, 1 iteration, "), std::string("\nran "),
        std::string(" candidates in "), "\nsaved: " + out + "\n",
        "\nreproduce: lanediff check " + out +
            " --target mutant:rrs-saturation-missing\n"}) {
    EXPECT_TRUE(Has(r.out, part)) << part << "\n" << r.out;
  }
  const auto c = ReadCaseFile(In(out));
  ASSERT_TRUE(c) << c.error();
  EXPECT_EQ(c->origin->signature, "memory/repeat_reduce_sum/saturation/half");
  EXPECT_EQ(Lanediff("check case.shrunk.json").status, 0)
      << "the sound emulator does what is expected";
  const auto findings =
      diff::CheckCase(*c, **diff::FindTarget("mutant:rrs-saturation-missing"),
                      **diff::FindTarget("oracle"))
          .findings;
  ASSERT_FALSE(findings.empty());
  EXPECT_EQ(findings.front().signature, c->origin->signature);
}

TEST_F(ShrinkVerb, WritesToItsOutputEvenOverTheOldOne) {
  WriteCaseAs("case.json");
  EXPECT_EQ(Shrink("case.json -o new.json").status, 0);
  EXPECT_TRUE(fs::exists(In("new.json")));
  EXPECT_FALSE(fs::exists(In("case.shrunk.json")));
  EXPECT_EQ(Shrink("case.json -o case.json").status, 0);
  EXPECT_EQ(Slurp(In("case.json")), Slurp(In("new.json")));
}

TEST_F(ShrinkVerb, ReportsWhenTheLimitEndedIt) {
  WriteCaseAs("case.json");
  const Result r = Shrink("case.json --candidates 3");
  EXPECT_EQ(r.status, 0);
  EXPECT_TRUE(Has(r.out, "\nran 3 candidates in ")) << r.out;
  EXPECT_TRUE(Has(r.out, "; the limit ended it\n")) << r.out;
}

TEST_F(ShrinkVerb, ACaseWithoutAFindingIs2AndOneLine) {
  WriteCaseAs("case.json");
  WriteCaseAs("expect.json", "[35584]", "[1]");
  WriteCaseAs("bad.json", "\"repeat\"", "\"repeats\"");
  const std::vector<std::pair<std::string, std::string>> rows = {
      {"case.json", "case.json: both sides agree; there is nothing to shrink"},
      {"expect.json",
       "expect.json: both sides agree and only the expectation "},
      {"bad.json", "bad.json: /program/0"},
      {"none.json", "none.json: can't be read: No such file or directory"},
      {"case.json --target oracle", "can't differ"},
      {"case.json --target no", "--target: no target \"no\""},
      {"case.json --reference no", "--reference: no target \"no\""},
      {"case.json --candidates -1", "--candidates"},
      {"", "CASE is required"},
  };
  for (const auto& [arguments, message] : rows) {
    const Result r = Lanediff("shrink " + arguments);
    EXPECT_EQ(r.status, 2) << arguments;
    EXPECT_EQ(r.out, "") << arguments;
    EXPECT_TRUE(Has(r.err, message)) << arguments << ": " << r.err;
  }
  EXPECT_FALSE(fs::exists(In("case.shrunk.json")));
  EXPECT_FALSE(fs::exists(In("expect.shrunk.json")));
}

TEST_F(ShrinkVerb, APlaceThatCantBeWrittenIs2) {
  WriteCaseAs("case.json");
  const Result r = Shrink("case.json -o none/new.json");
  EXPECT_EQ(r.status, 2);
  EXPECT_EQ(r.out, "");
  EXPECT_TRUE(Has(r.err, "new.json")) << r.err;
}

TEST_F(ShrinkVerb, SavesTheEditionByWhichTheCaseIsJudged) {
  Spill(In("min.json"), R"({"format": "lanediff-case/1", "id": "min/a3",
    "product": "atlas-a3", "memory": {"UB": {"fill": "00", "regions": []}},
    "program": [{"op": "Min", "dtype": "half", "count": 64,
      "dst": {"position": "VECOUT", "at": 512, "bytes": 128},
      "src0": {"position": "VECIN", "at": 0, "bytes": 128},
      "src1": {"position": "VECIN", "at": 256, "bytes": 128}}]})");
  const std::string planted = " --target mutant:min-edition-ignored";
  EXPECT_EQ(Lanediff("shrink min.json" + planted).status, 2);
  const Result r =
      Lanediff("shrink min.json -o s.json --edition 2024" + planted);
  ASSERT_EQ(r.status, 0) << r.err;
  EXPECT_TRUE(Has(r.out, "\nedition: 2024\n")) << r.out;
  EXPECT_TRUE(Has(Slurp(In("s.json")), "\"edition\": \"2024\""));
  EXPECT_EQ(Lanediff("check s.json" + planted).status, 1);
  // Of a file of the other edition the command has the option.
  const Result check = Lanediff("check min.json --edition 2024" + planted);
  EXPECT_EQ(check.status, 1);
  EXPECT_TRUE(Has(check.out, "reproduce: lanediff check min.json" + planted +
                                 " --edition 2024\n"))
      << check.out;
}

}  // namespace
}  // namespace lanediff::cli::test
