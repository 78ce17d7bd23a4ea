// Runs with targets in processes of their own, from start to end.

#include "tools/cli/outside_testing.h"

namespace lanediff::cli::test {
namespace {

class OutsideRun : public OutsideTest {};

const std::string kPlugin =
    " --target plugin:" LANEDIFF_TARGETS "/emulator_plugin.so";
const std::string kProgram =
    " --target exec:" LANEDIFF_TARGETS "/emulator_program";

TEST_F(OutsideRun, ASpaceIsExhaustedByALibraryAndByAProgram) {
  for (const std::string& target : {kPlugin, kProgram}) {
    Expect(Lanediff("exhaust min-int16 --range 5..9 --out out" +
                    std::to_string(target == kPlugin) + target),
           0, {.out = {" 0 disagree"}});
  }
}

/// A program that claims Min of int16 and int32 alone.
const std::string kMinOnly = " --target 'exec:python3 " LANEDIFF_SOURCE_DIR
                             "/docs/examples/targets/model.py'";

TEST_F(OutsideRun, ASpaceBeyondWhatIsClaimedIsRefused) {
  Expect(Lanediff("exhaust max-int16 --range 0..1 --out out" + kMinOnly), 2,
         {.err = {"max-int16: the target does not claim its instruction"}});
  Expect(Lanediff("exhaust min-half-ieee --range 0..1 --out out" + kMinOnly), 2,
         {.err = {"min-half-ieee: the target claims dtypes without half"}});
}

TEST_F(OutsideRun, AnAuditMakesNoCaseBeyondWhatIsClaimed) {
  Lanediff("audit --instruction min --product atlas-a2 --shard 0/64 --out out" +
           kMinOnly);
  const Json tally = ReadJson("out/audit.0-of-64.json").at("audit").at("tally");
  EXPECT_GT(tally.at("beyond").get<int>(), 0);
}

TEST_F(OutsideRun, TwoBesideEachOtherDontMeet) {
  const Result r = Shell(
      std::string("for i in 1 2; do lanediff generate --check --max-cases 300 "
                  "--instruction min --out out$i") +
      kPlugin +
      " > log$i 2>&1 & pids=\"$pids $!\"; done; for pid in $pids; do "
      "wait $pid || exit 9; done");
  EXPECT_EQ(r.status, 0) << Slurp(In("log1")) << Slurp(In("log2"));
}

TEST_F(OutsideRun, AnInterruptEndsItWithWhatWasCompared) {
  for (const std::string& target : {kPlugin, kProgram}) {
    Expect(Shell(std::string("lanediff generate --check --max-cases 10000000 "
                             "--instruction min --out out") +
                 Mark() + target + " > log 2> errors & pid=$!; " + kUntilBusy +
                 "kill -INT $pid; wait $pid"),
           2);
    ExpectParts(Slurp(In("errors")), {"interrupted after"});
    ExpectParts(Slurp(In("log")), {"legal"});
  }
  EXPECT_EQ(ProcessesWith(Mark()), 0);
}

TEST_F(OutsideRun, AGlobalMemoryOfMoreThan4MiBIsRunOrUnsupported) {
  const std::string begin =
      R"({"format": "lanediff-case/1", "id": "t/large", "product": "atlas-a2",
          "memory": {"GM": {"size": )";
  const std::string end =
      R"(, "regions": [{"at": 4194240, "dtype": "int16", "values": [5, -3]}]}},
          "program": [{"op": "DataCopy", "dtype": "int16",
            "dst": {"position": "VECIN", "at": 0, "bytes": 64},
            "src": {"position": "GM", "at": 4194240, "bytes": 64},
            "count": 32}]})";
  Spill(In("large.json"), begin + "8388608" + end);
  Spill(In("most.json"), begin + "4194304" + end);
  for (const std::string& target : {kPlugin, kProgram}) {
    Expect(Lanediff("check most.json" + target), 0);
  }
  Expect(Lanediff("check large.json" + kProgram), 0);
  Expect(
      Lanediff("check large.json" + kPlugin), 2,
      {.out = {
           "a memory of more than 4194304 bytes can't be shared with a plugin",
           "0 agree, 0 disagree, 1 unsupported"}});
}

/// What stands before `signature` in the list of findings; 0: nothing does.
int CasesOf(const std::string& text, const std::string& signature) {
  const auto at = text.find(" " + signature + "  ");
  if (at == std::string::npos) return 0;
  return std::stoi(text.substr(text.rfind('\n', at) + 1));
}

TEST_F(OutsideRun, ARareFailureIsKeptBehindAFrequentDisagreement) {
  for (const std::string verb :
       {"generate --check --max-cases 400", "sweep --max-cases 6"}) {
    fs::remove_all(In("out"));
    const Result r =
        Lanediff(verb + " --instruction min --json run.json " +
                 "--timeout 60 --out out --target " + Program("rarely"));
    EXPECT_EQ(r.status, 1) << r.out << r.err;
    const int crashes = CasesOf(r.out, "crash/min/target/int16/count");
    const int missing = CasesOf(r.out, "memory/min/missing/int16/count");
    EXPECT_GT(crashes, 0) << r.out;
    EXPECT_GT(missing, 10) << r.out;
    ExpectParts(r.out, {"protocol in " + std::to_string(crashes) + " cases"});
    int kept = 0;
    int kept_crashes = 0;
    for (const auto& file : fs::directory_iterator(In("out/findings"))) {
      ++kept;
      kept_crashes += Has(Slurp(file.path()), "\"crash/min/");
    }
    EXPECT_EQ(kept_crashes, std::min(crashes, 3)) << r.out;
    EXPECT_LE(kept, 20) << r.out;
  }
  EXPECT_EQ(ProcessesWith(Mark()), 0);
}

TEST_F(OutsideRun, ExplainNamesTheTargetWhoseBytesItShows) {
  WriteMinCases();
  const Result r = Lanediff("explain cases/a.json --target " + Program("well"));
  // The line is wrapped somewhere.
  std::string text = r.out;
  std::ranges::replace(text, '\n', ' ');
  ExpectParts(text, {"writes 32 bytes (lanediff exec CASE",
                     "--all --target 'exec:python3 "});
  ExpectParts(Lanediff("explain cases/a.json").out,
              {"emulator writes 32 bytes"});
}

TEST_F(OutsideRun, AFailureInABrokenRuleIsNotReportedAsOneOfALegalCase) {
  WriteCases(
      {{"a", Replaced(MinCase("trigger"), "\"count\": 16", "\"count\": 17")}});
  Expect(CheckProgram("exits"), 3,
         {.out = {"  witness: step 0 Min, MIN-",
                  "; no verdict on the rules that its cases break"}});
}

TEST_F(OutsideRun, AFullDiskIsOneLine) {
  Expect(Shell(std::string(
                   "lanediff generate --check --max-cases 50 --instruction "
                   "min --json /dev/full --out out") +
               kPlugin),
         2, {.err = {"/dev/full"}});
}

}  // namespace
}  // namespace lanediff::cli::test
