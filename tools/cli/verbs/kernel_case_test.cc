// Cases of kernels: what check, lint, exec and explain make of them. Their
// suites have the verbs' names, by which they are run.

#include <nlohmann/json.hpp>

#include "tools/cli/testing.h"

namespace lanediff::cli {
namespace {

using test::Has;
using test::Result;
using test::Slurp;
using test::Spill;
using Json = nlohmann::json;

const std::string kCases = LANEDIFF_SOURCE_DIR "/corpus/machine/";

/// A case of the corpus without the findings that it expects.
std::string Unexpected(const std::string& name) {
  Json c = Json::parse(Slurp(kCases + name + ".json"));
  c["expect"].erase("findings");
  return c.dump();
}

class CheckKernel : public test::ProgramTest {};
class LintKernel : public test::ProgramTest {};
class ExplainKernel : public test::ProgramTest {};

TEST_F(CheckKernel, AgreesWhereTheFindingsAreThoseThatAreExpected) {
  const Result result = Lanediff("check " + kCases);
  EXPECT_EQ(result.status, 0) << result.out;
  EXPECT_TRUE(Has(result.out, "  notes: KRN-QUEUE-LEFT 1\n")) << result.out;
}

TEST_F(CheckKernel, PrintsAFindingWithRuleStepsAndPlaces) {
  Spill(In("twice.json"), Unexpected("queue-gets-a-tensor-back-twice"));
  const Result result = Lanediff("check twice.json --json out.json");
  EXPECT_EQ(result.status, 1);
  EXPECT_TRUE(
      Has(result.out,
          "  kernel: program against KRN-QUEUE: KRN-QUEUE: step 10 FreeTensor "
          "gives back the tensor at 0, which was given back already (by step 9 "
          "FreeTensor) [step 10 is add.cpp:33; step 9 is add.cpp:32]\n"
          "  signature: kernel/resource/KRN-QUEUE/none\n"))
      << result.out;
}

TEST_F(CheckKernel, FailsWhereOtherFindingsAreExpected) {
  Json c = Json::parse(Slurp(kCases + "queue-carries-a-tensor-through.json"));
  c["expect"]["findings"] = {"KRN-QUEUE"};
  Spill(In("none.json"), c.dump());
  const Result result = Lanediff("check none.json");
  EXPECT_EQ(result.status, 1);
  EXPECT_TRUE(Has(result.out, "expected findings of KRN-QUEUE, found none\n"))
      << result.out;
}

TEST_F(CheckKernel, ARejectedCallIsRejectedByBothSides) {
  const Result result =
      Lanediff("exec " + kCases + "carried-call-between-32-bytes.json");
  EXPECT_TRUE(Has(result.out, "\"rules\": [\"KRN-ALIGN\"]")) << result.out;
}

TEST_F(CheckKernel, AnUnexpectedRejectedCallIsAFinding) {
  Json c = Json::parse(Slurp(kCases + "carried-call-between-32-bytes.json"));
  c.erase("expect");
  c.erase("requirement");
  Spill(In("between.json"), c.dump());
  const Result result = Lanediff("check between.json");
  EXPECT_EQ(result.status, 1);
  EXPECT_TRUE(Has(result.out,
                  "  kernel: program against KRN-ALIGN: KRN-ALIGN: step 0 "
                  "Carried is rejected ["))
      << result.out;
}

TEST_F(LintKernel, PrintsTheSame) {
  const Result result =
      Lanediff("lint " + kCases + "queue-that-is-left-out.json");
  EXPECT_EQ(result.status, 1);
  EXPECT_TRUE(Has(result.out,
                  "SYNC-RAW: step 6 Carried src iteration 0 on MTE3 reads UB "
                  "bytes 0 to 29 that step 5 Carried dst iteration 0 on MTE2 "
                  "writes, and nothing orders the two"))
      << result.out;
  EXPECT_TRUE(Has(result.out,
                  " [step 6 is DataCopyPad, add.cpp:31; step 5 is "
                  "DataCopyPad, add.cpp:21]"))
      << result.out;
  EXPECT_TRUE(Has(result.out, "  note: KRN-QUEUE-LEFT: step ")) << result.out;
}

TEST_F(LintKernel, PrintsWhatACarriedCallNeeds) {
  const auto text = [&](const std::string& name) {
    return Lanediff("lint " + kCases + name + ".json").out;
  };
  const std::string align = text("carried-call-between-32-bytes");
  EXPECT_TRUE(Has(align,
                  "step 0 Carried is rejected: KRN-ALIGN [Adds, "
                  "adds.cpp:12]\n"))
      << align;
  EXPECT_TRUE(Has(align, "dst.at is 16; a multiple of 32 is allowed\n"));
  EXPECT_TRUE(Has(text("carried-call-repeated-256-times"),
                  "repeatTime is 256; 0 to 255 is allowed\n"));
  const std::string bounds = text("carried-call-beyond-its-window");
  EXPECT_TRUE(Has(bounds,
                  "iteration 0 writes 32 bytes at 0 of UB; dst has 31 "
                  "bytes at 0, src has 32 bytes at 1024\n"))
      << bounds;
}

TEST_F(ExplainKernel, ShowsACarriedCallByNameOperandsAndBytes) {
  const Result result =
      Lanediff("explain " + kCases + "carried-call-writes-its-bytes.json");
  EXPECT_EQ(result.status, 0) << result.err;
  for (const char* part : {"Adds", "repeatTime", "255 (of 0 to 255)",
                           "VECOUT at 0", "UB 0 to 31", "KRN-BOUNDS"}) {
    EXPECT_TRUE(Has(result.out, part)) << part << "\n" << result.out;
  }
}

TEST_F(ExplainKernel, LeadsWithTheRuleOfAHazard) {
  Spill(In("left-out.json"), Unexpected("queue-that-is-left-out"));
  const Result result = Lanediff("explain left-out.json");
  EXPECT_EQ(result.status, 1);
  EXPECT_TRUE(Has(result.out.substr(0, result.out.find('\n')),
                  " on atlas-a2, edition 2026: SYNC-RAW; values:"))
      << result.out;
  EXPECT_TRUE(Has(result.out, "\nSYNC-RAW: step 6 Carried src iteration 0"));
  EXPECT_FALSE(Has(result.out, "lint finds"));
}

class ShrinkKernel : public test::ProgramTest {};

TEST_F(ShrinkKernel, KeepsTheRuleThatCheckReports) {
  for (const std::string name :
       {"queue-that-is-left-out", "queue-gets-a-tensor-back-twice",
        "carried-call-between-32-bytes"}) {
    Json c = Json::parse(Unexpected(name));
    if (c["expect"]["outcome"] == "rejected") c.erase("expect");
    Spill(In("c.json"), c.dump());
    const Result shrunk = Lanediff("shrink c.json -o small.json");
    EXPECT_EQ(shrunk.status, 0) << name << shrunk.err;
    const auto signature = [](const std::string& out) {
      const std::size_t at = out.find("signature: ");
      return out.substr(at, out.find('\n', at) - at);
    };
    const Result check = Lanediff("check small.json");
    EXPECT_EQ(check.status, 1) << name << check.out;
    EXPECT_EQ(signature(check.out), signature(shrunk.out)) << name;
    EXPECT_EQ(signature(check.out), signature(Lanediff("check c.json").out));
    const std::size_t steps = c["program"].size();
    const std::size_t left =
        Json::parse(Slurp(In("small.json")))["program"].size();
    EXPECT_TRUE(left < steps || steps == 1) << name << " keeps " << left;
  }
}

TEST_F(ShrinkKernel, PrintsALineIfThereIsNothing) {
  Spill(In("fine.json"), Unexpected("queue-carries-a-tensor-through"));
  const Result result = Lanediff("shrink fine.json");
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.err,
            "lanediff: fine.json: both sides agree; there is nothing to "
            "shrink\n");
}

}  // namespace
}  // namespace lanediff::cli
