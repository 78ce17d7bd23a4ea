// What `exec --values`, `export` and `characterise` print.

#include <set>

#include "reports/schema_testing.h"
#include "tools/cli/testing.h"

namespace lanediff::cli::test {
namespace {

class ExecValues : public ProgramTest {
 protected:
  Result Values(const std::string& name, const std::string& options = "") {
    return Lanediff("exec '" LANEDIFF_SOURCE_DIR "/corpus/" + name +
                    ".json' --values " + options);
  }
};

TEST_F(ExecValues, ANumberItsBitsAndWhoWroteIt) {
  Expect(Values("repeat_reduce_sum/worked-saturates-at-65504-a2"), 0,
         {.out = {"UB 0 half, step 0 RepeatReduceSum dst: 35584 (0x7858)\n"}});
}

TEST_F(ExecValues, TheTrueSumAndHowFarItIs) {
  // 60000 + 60000 - 30000 + 100 is 90100; halves end at 65504, 32 apart.
  ExpectParts(
      Values("repeat_reduce_sum/worked-saturates-at-65504-a2", "--true").out,
      {"35584 (0x7858)  exact "});
  const Result sum =
      Values("repeat_reduce_sum/tree-128-random-halves", "--true --json -");
  const auto json = Json::parse(sum.out);
  const auto& element = json.at("values").at(0).at("elements").at(0);
  EXPECT_TRUE(reports::test::FitsSchema(sum.out, "values.schema.json"));
  ExpectMembers(element, {{"/value", -7696}, {"/bits", "0xef84"}});
  EXPECT_EQ(json.at("values").at(0).at("operand"), "dst");
}

TEST_F(ExecValues, WhatIsMovedIsPrintedWithAllItsDigits) {
  Spill(In("case.json"), R"({"format": "lanediff-case/1", "id": "c",
    "product": "atlas-a2", "memory": {"UB": {"regions": [{"at": 0,
      "dtype": "half", "values": [16.125, 0.1, "-inf", 5.9604644775390625e-8,
                                  {"from": 1, "step": 1, "count": 124}]}]}},
    "program": [{"op": "Min", "dtype": "half", "count": 128,
       "dst": {"position": "VECCALC", "at": 512, "bytes": 256},
       "src0": {"position": "VECCALC", "at": 0, "bytes": 256},
       "src1": {"position": "VECCALC", "at": 0, "bytes": 256}}]})");
  const Result r = Lanediff("exec case.json --values --true");
  ExpectParts(
      r.out,
      {"(0x4c08)  exact 16.125, 0 ULP\n",
       "(0x2e66)  exact 0.0999755859375, 0 ULP\n", "exact -65504, 0 ULP\n",
       "exact 5.960464477539062…e-8 (17 digits), 0 ULP\n", "    … 112 more\n"});
  EXPECT_EQ(std::ranges::count(r.out, '\n'), 19) << r.out;
  const auto lines = [&](const std::string& options) {
    return std::ranges::count(
        Lanediff("exec case.json --values " + options).out, '\n');
  };
  EXPECT_EQ(lines("--true --all"), 130);
  const std::string line = Lanediff("exec case.json --values").out;
  EXPECT_LT(line.size(), 300u);
  EXPECT_TRUE(Has(line, " more\n")) << line;
  ExpectParts(Lanediff("exec case.json --values --all").out, {"124 (0x57c0)"});
  ExpectParts(Lanediff("exec case.json --values --memory GM,L1").out,
              {"no byte is written"});
  EXPECT_EQ(Lanediff("exec case.json --values --memory UB").out, line);
  EXPECT_EQ(Lanediff("exec case.json --values --memory X").status, 2);
}

TEST_F(ExecValues, EqualElementsAreCounted) {
  WriteCaseAs("case.json", "[60000, 60000, -30000, 100]",
              "[{\"value\": 1, \"count\": 4}]");
  ExpectParts(Lanediff("exec case.json --values").out, {"4 (0x4400)\n"});
  const Result copied =
      Values("data_copy/worked-2-blocks-of-8-dst-gap-1", "--json -");
  const auto json = Json::parse(copied.out);
  std::int64_t all = 0;
  for (const auto& row : json.at("values")) {
    std::int64_t count = 0;
    for (const auto& e : row.at("elements")) {
      count += e.at("count").get<std::int64_t>();
    }
    EXPECT_EQ(count, row.at("count"));
    all += count;
  }
  EXPECT_EQ(all * 2, json.at("bytes")) << "halves";
  EXPECT_EQ(json.at("bytes"), 512);
}

TEST_F(ExecValues, WhatDoesNotGoTogetherIs2) {
  EXPECT_EQ(Values("min/count-129-halves-accepted", "--out o").status, 2);
  WriteCaseAs("case.json", "[35584]", "[35584]");
  ExpectStatus(2, {"exec case.json --true", "exec case.json --json",
                   "exec case.json --all", "exec case.json --memory UB"});
}

using Export = ProgramTest;

std::string Corpus(const std::string& name) {
  return LANEDIFF_SOURCE_DIR "/corpus/" + name + ".json";
}

TEST_F(Export, PrintsTheApiOfTheCase) {
  const std::string path = CorpusFile("worked-saturates-at-65504-a2.json");
  const Result r = Lanediff("export " + path);
  Expect(r, 0,
         {.out = {"AscendC::RepeatReduceSum<half, true>(",
                  "UB byte 0 half: 35584 (0x7858)"}});
  EXPECT_EQ(Lanediff("export --as ascendc " + path).out, r.out);
}

TEST_F(Export, AnotherApiIsRefusedInOneLine) {
  const Result other = Lanediff(
      "export --as tik " + CorpusFile("worked-saturates-at-65504-a2.json"));
  EXPECT_EQ(other.status, 2);
  EXPECT_EQ(other.out, "");
  EXPECT_TRUE(other.err.ends_with(": no program of tik; use --as ascendc\n"))
      << other.err;
  const Result mixed =
      Lanediff("export " + Corpus("program/product-of-minima"));
  EXPECT_EQ(mixed.status, 2);
  EXPECT_EQ(mixed.out, "");
  EXPECT_TRUE(mixed.err.ends_with(
      ": step 0 (Min) is ascendc and step 1 (TROWPROD) is pto: no API has "
      "both; export a case with the steps of one\n"))
      << mixed.err;
  ExpectStatus(2, {"export --as cuda " + Corpus("min/worked-count-512-half"),
                   "export nowhere.json"});
}

TEST_F(Export, WritesANewFileAndNoOther) {
  const std::string path = Corpus("vec_trans/worked-one-block");
  const Result r = Lanediff("export " + path + " -o case.py");
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_EQ(r.out, "");
  EXPECT_EQ(Slurp(In("case.py")), Lanediff("export " + path).out);
  Spill(In("case.py"), "mine");
  Expect(Lanediff("export " + path + " -o case.py"), 2);
  EXPECT_EQ(Slurp(In("case.py")), "mine");
  EXPECT_EQ(Lanediff("export " + path + " -o no/such/folder.py").status, 2);
}

TEST_F(Export, MuchDataIsLaidBesideTheFile) {
  std::string values;
  for (int i = 0; i < 9000; ++i) {
    values += (i > 0 ? ", " : "") + std::to_string(i * i % 2003);
  }
  WriteCaseAs("big.json", "[60000, 60000, -30000, 100]", "[" + values + "]");
  ExpectRefused(Lanediff("export big.json"), "18000 bytes");
  Spill(In("case.cc.UB.1024.bin"), "mine");
  EXPECT_EQ(Lanediff("export big.json -o case.cc").status, 2);
  EXPECT_FALSE(fs::exists(In("case.cc")));
  fs::remove(In("case.cc.UB.1024.bin"));
  Expect(Lanediff("export big.json -o case.cc"), 0);
  EXPECT_EQ(fs::file_size(In("case.cc.UB.1024.bin")), 18000U);
  ExpectParts(Slurp(In("case.cc")),
              {"Load(bytes + 1024, \"case.cc.UB.1024.bin\", 18000);"});
}

using Characterise = ProgramTest;

TEST_F(Characterise, ProbesNoIllegalCallWhereOnlyLegalOnesAreWanted) {
  const std::string min = "characterise --instruction min --json j.json";
  ASSERT_EQ(Lanediff(min).status, 0);
  EXPECT_TRUE(Has(Slurp(In("j.json")), "\"illegal\""));
  ASSERT_EQ(Lanediff(min + " --legal-only").status, 0);
  EXPECT_FALSE(Has(Slurp(In("j.json")), "\"illegal\""));
}

TEST_F(Characterise, ReportsInWhichOrderATargetAdds) {
  Expect(Lanediff("characterise --target mutant:rrs-left-fold --instruction "
                  "RepeatReduceSum --length 17 --length 64 --json j.json"),
         0, {.out = {"half left-fold (17, 64); float neighbours (17, 64)"}});
  const Json json = ReadJson("j.json");
  ExpectMembers(json,
                {{"/target", "mutant:rrs-left-fold"}, {"/complete", true}});
  std::set<std::string> questions;
  for (const Json& a : json.at("answers")) {
    questions.insert(a.at("question"));
    EXPECT_FALSE(a.at("cases").empty());
  }
  EXPECT_EQ(questions,
            (std::set<std::string>{
                "order", "accumulator", "rounding", "saturation", "subnormals",
                "zero-sign", "nan", "illegal", "iterations", "mask-after"}));
  const Json& first = json.at("answers").at(0);
  ExpectMembers(
      first,
      {{"/question", "order"}, {"/answer", "left-fold"}, {"/length", 17}});
  EXPECT_TRUE(Has(first.at("tree"), "((0 1) 2)"));
}

TEST_F(Characterise, ACaseOfAnAnswerReplays) {
  Expect(Lanediff("characterise --target mutant:min-half-zero-sign-by-order "
                  "--instruction min --json j.json"),
         0);
  const Json json = ReadJson("j.json");
  for (const Json& a : json.at("answers")) {
    if (a.at("question") != "min-ties" || a.at("dtype") != "half") continue;
    std::ofstream(In("case.json")) << a.at("cases").at(0).dump();
    Expect(Lanediff("check case.json --target "
                    "mutant:min-half-zero-sign-by-order"),
           1);
    return;
  }
  FAIL() << "no answer to min-ties";
}

TEST_F(Characterise, WhatIsNotAllowedIsOneLine) {
  const auto refused = [&](const std::string& words, const std::string& line) {
    const Result r = Lanediff("characterise " + words);
    Expect(r, 2, {.err = {line}});
    EXPECT_TRUE(r.out.empty()) << r.out;
  };
  refused("--target absent", "--target: no target \"absent\"");
  refused("--target recorded:.", "--target: ");
  refused("--instruction nothing", "--instruction: no instruction \"nothing\"");
  refused("--length 0", "--length: found \"0\"; 1 to 4096 are allowed");
  refused("--length 4097", "--length: found \"4097\"");
  refused("--length three", "--length: found \"three\"");
}

}  // namespace
}  // namespace lanediff::cli::test
