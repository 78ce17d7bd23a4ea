// The verb lint: what it prints of rejected steps, and --fix; and what check,
// lint, exec and explain make of cases of kernels.

#include "tools/cli/testing.h"

namespace lanediff::cli::test {
namespace {

/// A copy in, a Min whose stride is in bytes, a copy out, and no flag.
const std::string kKernel = R"({
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

class LintVerb : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    Spill(In("kernel.json"), kKernel);
  }
  /// The kernel with `now` for `old`.
  void WriteAs(const std::string& name, const std::string& old,
               const std::string& now) const {
    Spill(In(name), Replaced(kKernel, old, now));
  }
};

TEST_F(LintVerb, NamesMemoriesThatWereTakenAsWritten) {
  const std::string took =
      "initcheck took every byte as written from the start: GM in 1 program, "
      "UB "
      "in 1 program; ";
  EXPECT_TRUE(Has(Lanediff("lint kernel.json").out, took));
  WriteAs("kernel.json", R"("UB": {})", R"("UB": {"initialised": false})");
  ExpectParts(Lanediff("lint kernel.json").out,
              {"from the start: GM in 1 program; "});
}

TEST_F(LintVerb, ATableCountsOneHazardAsOne) {
  Spill(In("kernel.json"),
        Replaced(Replaced(kKernel, "256, \"src1Rep", "8, \"src1Rep"),
                 R"("VECIN", "at": 0)", R"("VECIN", "at": 4096)"));
  Expect(Lanediff("lint kernel.json --product atlas-a2,atlas-a3"), 1,
         {.out = {" 1 hazard\n"}, .not_out = {"1 hazards"}});
}

TEST_F(LintVerb, PrintsWhatIsWrongAndWhatWouldBeRight) {
  Expect(Lanediff("lint kernel.json --json out.json"), 1,
         {.out = {"  step 1 Min is rejected: MIN-STRIDE-RANGE\n"
                  "    MIN-STRIDE-RANGE: The six strides are in "
                  "their ranges.\n"
                  "      src0RepStride is 256; 0 to 255 is "
                  "allowed\n"
                  "    repair: src0RepStride is in DataBlocks of "
                  "32 bytes: you wrote 256; 8 makes the call legal and reads "
                  "what 256 bytes would\n"}});
  const Json rejected = ReadJson("out.json")["cases"][0]["rejected"];
  ExpectMembers(
      rejected,
      {{"/step", 1},
       {"/witness/0/field", "src0RepStride"},
       {"/witness/0/found", "src0RepStride is 256"},
       {"/witness/0/needed", "0 to 255 is allowed"},
       {"/repair/changes",
        Json::parse(R"([{"field": "src0RepStride", "from": 256, "to": 8}])")}});
}

TEST_F(LintVerb, IsHeldAgainstItsModel) {
  const Result result = Lanediff("lint --compare kernel.json");
  Expect(result, 0);
  EXPECT_EQ(result.out,
            "agree kernel.json\ncompared lint with the model of bytes on 1 "
            "case: 1 agree, 0 disagree, 0 beyond the model, 0 malformed\n");
  Spill(In("none.json"), "{");
  EXPECT_EQ(Lanediff("lint --compare kernel.json none.json").status, 2);
  const std::pair<std::string, std::string> refused[] = {
      {"none.json", "nothing was compared"},
      {"kernel.json -o small.json", "the two agree"},
      {"kernel.json kernel.json -o small.json",
       "--out: expected one file as PATH, which is shrunk"},
      {"kernel.json --json out.json",
       "lint --compare has no option \"--json\""}};
  for (const auto& [options, why] : refused) {
    Expect(Lanediff("lint --compare " + options), 2, {.err = {why}});
  }
}

TEST_F(LintVerb, FixesAProgramUntilItIsClean) {
  Expect(Lanediff("lint --fix kernel.json -o fixed.json"), 0,
         {.out = {"fixed step 1 Min: src0RepStride",
                  "3 changes to kernel.json, written to fixed.json\nclean "
                  "fixed.json"}});
  EXPECT_EQ(Slurp(In("kernel.json")), kKernel);
  Lanediff("lint --fix kernel.json -o a3.json --product atlas-a3");
  EXPECT_EQ(ReadJson("a3.json").at("product"), "atlas-a3");
  ExpectStatus(0, {"lint fixed.json", "lint --fix kernel.json -o kernel.json"});
  EXPECT_EQ(Slurp(In("kernel.json")), Slurp(In("fixed.json")));
}

TEST_F(LintVerb, LeavesAndReportsWhatNothingRepairs) {
  WriteAs("none.json", "atlas-a2", "atlas-200-300-500");
  Expect(Lanediff("lint --fix none.json -o fixed.json"), 1,
         {.out = {"repair: none found\n"}});
}

TEST_F(LintVerb, RefusesAFixInOneLine) {
  const std::string fix = "lint --fix kernel.json";
  ExpectAllRefused(
      {{fix, "--out is required; see lanediff lint --fix --help\n"},
       {"lint kernel.json -o x.json",
        "lanediff: --out: x.json: expected a folder for the cases of "
        "findings; it is a file with --fix and --compare\n"},
       {fix + " kernel.json -o x.json",
        "lanediff: lint --fix: expected one file as PATH\n"},
       {"lint --fix . -o x.json", "lanediff: .: "},
       {fix + " -o x.json --known-issues list.json",
        "lint --fix has no option \"--known-issues\""},
       {fix + " -o x.json --auto-sync both",
        "expected on, off, found \"both\""},
       {"lint --fix absent.json -o x.json", "absent.json"},
       {fix + " -o no/such/x.json", "no/such/x.json"}});
  EXPECT_FALSE(fs::exists(In("x.json")));
}

TEST_F(LintVerb, ExplainHasTheWitnessOfAlignment) {
  WriteAs("odd.json", "\"at\": 2048", "\"at\": 2052");
  ExpectParts(Lanediff("explain odd.json").out,
              {"dst.at is 2052, 4 bytes past a multiple of 32"});
}

/// Names that would clear a screen and end a line.
const std::string kEscapes =
    R"({"format": "lanediff-case/2", "id": "a/b", "product": "atlas-a2",
  "memory": {"UB": {}}, "program": [{"op": "Carried",
    "name": "Adds\u001b]0;pwned\u0007\u001b[31m", "pipe": "V",
    "source": {"file": "k.cpp\u001b[2J\rclean\nSUMMARY status=0", "line": 7},
    "operands": {"dst": {"position": "VECCALC", "at": 1, "bytes": 32}},
    "writes": [{"memory": "UB", "at": 1, "hex": "00"}]}]})";

TEST_F(LintVerb, NamesAndFilesOfACaseAreEscaped) {
  Spill(In("escapes.json"), kEscapes);
  for (const char* const verb :
       {"lint", "lint --out alone", "explain", "check", "shrink"}) {
    const Result r = Lanediff(std::string(verb) + " escapes.json");
    const std::string all = r.out + r.err;
    ExpectParts(all, {"\\x1b[2J\\rclean\\nSUMMARY"});
    ExpectNone(all, {"\x1b", "\nSUMMARY"});
  }
}

/// Tiles of 128 MiB each, in a memory that holds them.
const std::string kLargeTiles =
    R"({"format": "lanediff-case/1", "id": "a/b", "product": "atlas-a2",
  "memory": {"UB": {}, "GM": {"size": 268435456}}, "program": [
    {"op": "TROWPROD", "dtype": "half",
     "dst": {"position": "GM", "at": 0, "rows": 4194304, "cols": 16,
             "validRow": 4194304, "validCol": 1, "layout": "ND"},
     "src": {"position": "GM", "at": 16, "rows": 4194304, "cols": 16,
             "validRow": 4194304, "validCol": 16, "layout": "ND"},
     "tmp": {"position": "GM", "at": 134217728, "rows": 4194304, "cols": 16,
             "validRow": 4194304, "validCol": 16, "layout": "ND"}}]})";

TEST_F(LintVerb, ARejectedCallCostsWhatItTouches) {
  Spill(In("tiles.json"), kLargeTiles);
  // Of the processor: where rows are listed, it takes a minute. 128 MiB are
  // read, which takes 4 s where pages are slow.
  Expect(Shell("ulimit -t 20; lanediff lint tiles.json"), 1,
         {.out = {"TRP-ALIGN, TRP-LOCATION"}});
  ExpectParts(Shell("ulimit -t 20; lanediff explain tiles.json").out,
              {"TRP-LOCATION"});
}

const std::string kCases = LANEDIFF_SOURCE_DIR "/corpus/machine/";

/// A case of the corpus without the findings that it expects.
std::string Unexpected(const std::string& name) {
  Json c = Json::parse(Slurp(kCases + name + ".json"));
  c["expect"].erase("findings");
  return c.dump();
}

using CheckKernel = ProgramTest;
using LintKernel = ProgramTest;
using ExplainKernel = ProgramTest;

TEST_F(CheckKernel, AgreesWhereTheFindingsAreThoseThatAreExpected) {
  Expect(Lanediff("check " + kCases), 0,
         {.out = {"  notes: KRN-QUEUE-LEFT 1\n"}});
}

TEST_F(CheckKernel, PrintsAFindingWithRuleStepsAndPlaces) {
  Spill(In("twice.json"), Unexpected("queue-gets-a-tensor-back-twice"));
  Expect(
      Lanediff("check twice.json --json out.json"), 1,
      {.out = {
           "  kernel: program against KRN-QUEUE: KRN-QUEUE: step 10 FreeTensor "
           "gives back the tensor at 0, which was given back already (by step "
           "9 FreeTensor) [step 10 is add.cpp:33; step 9 is add.cpp:32]\n"
           "  signature: kernel/resource/KRN-QUEUE/none\n"}});
}

TEST_F(CheckKernel, FailsWhereOtherFindingsAreExpected) {
  Json c = Json::parse(Slurp(kCases + "queue-carries-a-tensor-through.json"));
  c["expect"]["findings"] = {"KRN-QUEUE"};
  Spill(In("none.json"), c.dump());
  Expect(Lanediff("check none.json"), 1,
         {.out = {"expected findings of KRN-QUEUE, found none\n"}});
}

TEST_F(CheckKernel, ARejectedCallIsRejectedByBothSides) {
  ExpectParts(
      Lanediff("exec " + kCases + "carried-call-between-32-bytes.json").out,
      {"\"rules\": [\"KRN-ALIGN\"]"});
}

TEST_F(CheckKernel, AnUnexpectedRejectedCallIsAFinding) {
  Json c = Json::parse(Slurp(kCases + "carried-call-between-32-bytes.json"));
  c.erase("expect");
  c.erase("requirement");
  Spill(In("between.json"), c.dump());
  Expect(Lanediff("check between.json"), 1,
         {.out = {"  kernel: program against KRN-ALIGN: KRN-ALIGN: step 0 "
                  "Carried is rejected ["}});
}

TEST_F(LintKernel, PrintsTheSame) {
  Expect(Lanediff("lint " + kCases + "queue-that-is-left-out.json"), 1,
         {.out = {"SYNC-RAW: step 6 Carried src iteration 0 on MTE3 reads UB "
                  "bytes 0 to 29 that step 5 Carried dst iteration 0 on MTE2 "
                  "writes, and nothing orders the two",
                  " [step 6 is DataCopyPad, add.cpp:31; step 5 is DataCopyPad, "
                  "add.cpp:21]",
                  "  note: KRN-QUEUE-LEFT: step "}});
}

TEST_F(LintKernel, PrintsWhatACarriedCallNeeds) {
  const auto lint = [&](const std::string& name, const Strings& parts) {
    ExpectParts(Lanediff("lint " + kCases + name + ".json").out, parts);
  };
  lint("carried-call-between-32-bytes",
       {"step 0 Carried is rejected: KRN-ALIGN [Adds, adds.cpp:12]\n",
        "dst.at is 16; a multiple of 32 is allowed\n"});
  lint("carried-call-repeated-256-times",
       {"repeatTime is 256; 0 to 255 is allowed\n"});
  lint("carried-call-beyond-its-window",
       {"iteration 0 writes 32 bytes at 0 of UB; dst has 31 bytes at 0, src "
        "has 32 bytes at 1024\n"});
}

TEST_F(ExplainKernel, ShowsACarriedCallByNameOperandsAndBytes) {
  Expect(Lanediff("explain " + kCases + "carried-call-writes-its-bytes.json"),
         0,
         {.out = {"Adds", "repeatTime", "255 (of 0 to 255)", "VECOUT at 0",
                  "UB 0 to 31", "KRN-BOUNDS"}});
}

TEST_F(ExplainKernel, LeadsWithTheRuleOfAHazard) {
  Spill(In("left-out.json"), Unexpected("queue-that-is-left-out"));
  const Result r = Lanediff("explain left-out.json");
  Expect(r, 1,
         {.out = {"\nSYNC-RAW: step 6 Carried src iteration 0"},
          .not_out = {"lint finds"}});
  ExpectParts(r.out.substr(0, r.out.find('\n')),
              {" on atlas-a2, edition 2026: SYNC-RAW; values:"});
}

using ShrinkKernel = ProgramTest;

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
      return LineBehind(out, "signature: ");
    };
    const Result check = Lanediff("check small.json");
    EXPECT_EQ(check.status, 1) << name << check.out;
    EXPECT_EQ(signature(check.out), signature(shrunk.out)) << name;
    EXPECT_EQ(signature(check.out), signature(Lanediff("check c.json").out));
    const std::size_t steps = c["program"].size();
    const std::size_t left = ReadJson("small.json")["program"].size();
    EXPECT_TRUE(left < steps || steps == 1) << name << " keeps " << left;
  }
}

TEST_F(ShrinkKernel, PrintsALineIfThereIsNothing) {
  Spill(In("fine.json"), Unexpected("queue-carries-a-tensor-through"));
  ExpectRefused(Lanediff("shrink fine.json"),
                "lanediff: fine.json: both sides agree; there is nothing to "
                "shrink\n");
}

}  // namespace
}  // namespace lanediff::cli::test
