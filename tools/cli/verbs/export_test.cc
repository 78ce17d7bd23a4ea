// Runs `lanediff export` as a user does.

#include "tools/cli/testing.h"

namespace lanediff::cli::test {
namespace {

using Export = ProgramTest;

std::string Corpus(const std::string& name) {
  return LANEDIFF_SOURCE_DIR "/corpus/" + name + ".json";
}

TEST_F(Export, PrintsTheApiOfTheCase) {
  const std::string path = CorpusFile("worked-saturates-at-65504-a2.json");
  const Result r = Lanediff("export " + path);
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_TRUE(Has(r.out, "AscendC::RepeatReduceSum<half, true>(")) << r.out;
  EXPECT_TRUE(Has(r.out, "UB byte 0 half: 35584 (0x7858)")) << r.out;
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
  EXPECT_EQ(Lanediff("export --as cuda " + Corpus("min/worked-count-512-half"))
                .status,
            2);
  EXPECT_EQ(Lanediff("export nowhere.json").status, 2);
}

TEST_F(Export, WritesANewFileAndNoOther) {
  const std::string path = Corpus("vec_trans/worked-one-block");
  const Result r = Lanediff("export " + path + " -o case.py");
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_EQ(r.out, "");
  EXPECT_EQ(Slurp(In("case.py")), Lanediff("export " + path).out);
  Spill(In("case.py"), "mine");
  const Result again = Lanediff("export " + path + " -o case.py");
  EXPECT_EQ(again.status, 2);
  EXPECT_EQ(Slurp(In("case.py")), "mine");
  EXPECT_EQ(Lanediff("export " + path + " -o no/such/folder.py").status, 2);
}

TEST_F(Export, MuchDataIsLaidBesideTheFile) {
  std::string values;
  for (int i = 0; i < 9000; ++i) {
    values += (i > 0 ? ", " : "") + std::to_string(i * i % 2003);
  }
  WriteCaseAs("big.json", "[60000, 60000, -30000, 100]", "[" + values + "]");
  const Result without = Lanediff("export big.json");
  EXPECT_EQ(without.status, 2);
  EXPECT_EQ(without.out, "");
  EXPECT_TRUE(Has(without.err, "18000 bytes")) << without.err;
  Spill(In("case.cc.UB.1024.bin"), "mine");
  EXPECT_EQ(Lanediff("export big.json -o case.cc").status, 2);
  EXPECT_FALSE(fs::exists(In("case.cc")));
  fs::remove(In("case.cc.UB.1024.bin"));
  const Result r = Lanediff("export big.json -o case.cc");
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_EQ(fs::file_size(In("case.cc.UB.1024.bin")), 18000U);
  EXPECT_TRUE(Has(Slurp(In("case.cc")),
                  "Load(bytes + 1024, \"case.cc.UB.1024.bin\", 18000);"));
}

}  // namespace
}  // namespace lanediff::cli::test
