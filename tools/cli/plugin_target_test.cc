// Libraries with the C ABI, most of them bad ones; bugs are found in a library
// as they are in this process.

#include <fmt/format.h>

#include <cstddef>
#include <sstream>

#include "tools/cli/outside_testing.h"

namespace lanediff::cli::test {
namespace {

class Plugin : public OutsideTest {
 protected:
  void SetUp() override {
    OutsideTest::SetUp();
    WritePluginCases();
  }
};

TEST_F(Plugin, OurOwnEmulatorAgreesWithTheWholeCorpus) {
  Expect(Lanediff("check " LANEDIFF_SOURCE_DIR
                  "/corpus --target plugin:" LANEDIFF_TARGETS
                  "/emulator_plugin.so"),
         0, {.out = {" 0 disagree"}});
}

TEST_F(Plugin, HasCallsByNameIfItsFlagStatesIt) {
  Expect(Lanediff("check " LANEDIFF_SOURCE_DIR
                  "/corpus/adds --target plugin:" LANEDIFF_TARGETS
                  "/emulator_plugin.so"),
         0, {.out = {" 0 disagree, 0 unsupported"}});
  fs::copy_file(LANEDIFF_SOURCE_DIR "/corpus/adds/scalar-by-its-bits.json",
                In("cases/adds.json"));
  Expect(CheckPlugin("well"), 0, {.out = {"6 agree, 0 disagree"}});
  // It ends itself at such a step.
  Expect(CheckPlugin("older"), 0,
         {.out = {"5 agree, 0 disagree, 1 unsupported",
                  "beyond what the target claims: 1 cases"}});
  Expect(Shell("LANEDIFF_TEST_DOES=older lanediff exec cases/adds.json "
               "--target plugin:" LANEDIFF_TARGETS "/hostile_plugin.so"),
         2, {.err = {"can't do step 0"}});
}

class HostilePlugin : public Plugin, public testing::WithParamInterface<Bad> {};

TEST_P(HostilePlugin, IsANamedFindingAndTheRunGoesOn) {
  const Bad& bad = GetParam();
  if (std::string_view(bad.does) == "writes-tail") {
    WritePluginCases("\"size\": 2000, ");
  }
  ExpectOneFailure(CheckPlugin(bad.does, TimeFor(bad.does)), bad.kind,
                   bad.words);
  ExpectMembers(ReadJson("run.json").at("cases").at(2).at("findings").at(0),
                {{"/kind", bad.kind}, {"/op", "SetVectorMask"}, {"/step", 1}});
}

INSTANTIATE_TEST_SUITE_P(
    All, HostilePlugin,
    testing::Values(
        Bad{"exits", "crash", "it ended with status 0"},
        Bad{"aborts", "crash", "signal 6 (Aborted)"},
        Bad{"throws", "crash", "exception escape: a model's own error"},
        Bad{"overflows", "crash", "signal 11 (Segmentation fault)"},
        Bad{"writes-behind", "crash", "of UB, which has "},
        Bad{"writes-before", "crash", "it touched byte 1 before UB"},
        Bad{"hangs", "timeout", "it gave no answer within 3 s"},
        Bad{"spins", "timeout", "it gave no answer within 3 s"},
        Bad{"eats", "crash", "more than 256 MiB of memory"},
        Bad{"forks-and-dies", "crash", "signal 9 (Killed)"},
        Bad{"writes-tail", "protocol", "behind the last byte of UB"},
        Bad{"status-7", "protocol", "its status is 7"},
        Bad{"error", "crash", "answered with an error: out of registers"},
        Bad{"unknown-rule", "protocol", "outside the catalogue"}),
    [](const auto& one) { return NameOf(one.param.does); });

// Steps that only set something are handed over with the call behind them.

TEST_F(Plugin, WritingWhereAStepOnlySetsIsThatStepsFinding) {
  for (const char* const does :
       {"writes-elsewhere", "writes-elsewhere-and-stops"}) {
    Expect(CheckPlugin(does), 1,
           {.out = {"4 agree, 1 disagree", "memory: ", "step 1 SetVectorMask"},
            .not_out = {"step 3 Min"}});
  }
}

TEST_F(Plugin, ThatCantDoAStepThatOnlySetsIsUnsupportedThere) {
  Expect(CheckPlugin("unsupported", "--allow-unsupported"), 0,
         {.out = {"4 agree, 0 disagree, 1 unsupported"}});
  const auto text = Slurp(In("run.json"));
  EXPECT_TRUE(Has(text, R"("instruction": "SetVectorMask")")) << text;
}

TEST_F(Plugin, EachCallHasTheMaskThatWasSetLastBeforeIt) {
  const auto mask = [](int lanes) {
    return fmt::format(
        R"({{"op": "SetVectorMask", "high": "0x0", "low": "{:#x}"}},)", lanes);
  };
  const auto add = [](int at) {
    return fmt::format(
        R"({{"op": "Add", "dtype": "half", "isSetMask": false,
             "dst": {{"position": "VECOUT", "at": {}, "bytes": 32}},
             "src0": {{"position": "VECIN", "at": 0, "bytes": 32}},
             "src1": {{"position": "VECIN", "at": 32, "bytes": 32}},
             "mask": 0, "repeatTimes": 1, "repeatParams": {{
             "dstBlkStride": 1, "src0BlkStride": 1, "src1BlkStride": 1,
             "dstRepStride": 8, "src0RepStride": 8, "src1RepStride": 8}}}})",
        at);
  };
  std::string text = MinCase("masks");
  text.resize(text.find("\"program\""));
  std::string many;  // more than are handed over at once
  for (int i = 1; i < 20; ++i) many += mask(i);
  fs::create_directories(In("masks"));
  Spill(In("masks/masks.json"),
        text + "\"program\": [" + mask(1) + add(64) + "," + mask(4) + mask(2) +
            add(96) + "," + add(128) + "," + many + mask(8) + add(160) + "]}");
  Expect(Lanediff("check masks --target plugin:" LANEDIFF_TARGETS
                  "/emulator_plugin.so"),
         0, {.out = {"1 agree, 0 disagree", "compared 27 steps"}});
}

class HarmlessPlugin : public Plugin,
                       public testing::WithParamInterface<const char*> {};

TEST_P(HarmlessPlugin, DoesNoHarm) {
  Expect(CheckPlugin(GetParam()), 0,
         {.out = {"check: 5 cases: 5 agree, 0 disagree"},
          .not_out = {"own words"}});
  EXPECT_EQ(ProcessesWith(Mark()), 0);
}

INSTANTIATE_TEST_SUITE_P(All, HarmlessPlugin,
                         testing::Values("well", "closes", "writes",
                                         "writes-much", "threads", "forks",
                                         "older"),
                         [](const auto& one) { return NameOf(one.param); });

TEST_F(Plugin, ThatCantBeLoadedIsOneLine) {
  // Byte 18 of an ELF file is the machine.
  std::string library = Slurp(LANEDIFF_TARGETS "/no_plugin.so");
  library[18] = static_cast<char>(library[18] ^ 0x55);
  Spill(In("other.so"), library);
  const std::string check = "check cases --target plugin:";
  ExpectAllRefused({{check, "no library is named"},
                    {check + "none.so", "No such file"},
                    {check + "cases", "is no file"},
                    {check + "cases/a.json", "invalid ELF header"},
                    {check + LANEDIFF_TARGETS "/no_plugin.so",
                     "exports no function lanediff_plugin_get"},
                    {check + "other.so", "other.so"}});
  ExpectRefused(CheckPlugin("other-abi"), "abi_version is not 1");
  ExpectRefused(CheckPlugin("small"), "struct_size is too small");
  ExpectRefused(CheckPlugin("null"), "returns null");
  ExpectRefused(CheckPlugin("capabilities"), "/legality", 3);
  ExpectRefused(CheckPlugin("dies-loading"), "signal 6 (Aborted)", 3);
  EXPECT_EQ(ProcessesWith(Mark()), 0);
}

TEST_F(Plugin, ThatRemembersIsFoundOut) {
  Expect(CheckPlugin("open-null"), 3, {.out = {"open returned null"}});
  WriteMinCases("n", 100, 64);
  Expect(CheckPlugin("stateful"), 1,
         {.out = {"signature: memory/min/outside/int16"}});
  // It keeps state only after the ninth repeated case, the process of which
  // runs the next one, too.
  WriteMinCases("n", 100, 640);
  Expect(CheckPlugin("stateful-late"), 1,
         {.out = {"state/min/fresh-process/int16/count"}});
}

TEST_F(Plugin, IsCheckedBeforeAllElse) {
  Expect(
      Lanediff("target check plugin:" LANEDIFF_TARGETS "/emulator_plugin.so"),
      0,
      {.out = {"ok    handshake: lanediff's emulator 1: ", "ok    closing: "}});
}

TEST_F(Plugin, ThatFailsIsTheStatusOfProcessAndReport) {
  for (const char* const source :
       {"random --check --instruction min --max-cases 20",
        "exhaustive min-int16 --range 0..2"}) {
    Expect(Shell(std::string("LANEDIFF_TEST_DOES=open-null lanediff test "
                             "--source ") +
                 source +
                 " --sarif out.sarif --target "
                 "plugin:" LANEDIFF_TARGETS "/hostile_plugin.so"),
           3);
    ExpectMembers(ReadJson("out.sarif"),
                  {{"/runs/0/invocations/0/exitCode", 3}});
  }
}

TEST_F(Plugin, IsSweptGeneratedAndShrunk) {
  const std::string plugin =
      " --target plugin:" LANEDIFF_TARGETS "/emulator_plugin.so";
  Expect(Lanediff("generate --check --max-cases 60" + plugin), 0);
  Expect(Lanediff("sweep --instruction min --max-cases 20 --sample" + plugin),
         0);
}

/// A library that was built with a sanitizer: it sees what no guard can, and
/// its report is part of the finding.
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
#ifdef LANEDIFF_HAS_SANITIZED_PLUGINS
    WritePluginCases();
#else
    GTEST_SKIP() << "the compiler has no sanitizers";
#endif
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

constexpr std::size_t kMutants = 20;
constexpr std::size_t kMostFactor = 3;

struct Mutant {
  std::string name;
  std::string slug;
};

/// The number of the case that found it, 0 if none did, and what was found.
struct Found {
  std::size_t number = 0;
  std::string message;
};

class MutantPlugin : public OutsideTest {
 protected:
  /// Some of all, from each part of the list.
  std::vector<Mutant> SomeMutants() const {
    const Result r = Lanediff("list mutants");
    std::vector<Mutant> all;
    std::istringstream lines(r.out);
    for (std::string line; std::getline(lines, line);) {
      std::istringstream words(line);
      Mutant mutant;
      words >> mutant.name >> mutant.slug;
      all.push_back(mutant);
    }
    std::vector<Mutant> some;
    for (std::size_t i = 0; i < kMutants && !all.empty(); ++i) {
      some.push_back(all[i * all.size() / kMutants]);
    }
    return some;
  }

  Found Hunt(const Mutant& mutant, const std::string& target) const {
    const Result r = Shell(
        "LANEDIFF_TEST_MUTANT=" + mutant.name +
        " lanediff generate --until-found --max-cases 2000 --instruction " +
        mutant.slug + " --target " + target);
    const std::string begin = "disagree " + mutant.slug + " case ";
    const std::size_t at = r.out.find(begin);
    if (at == std::string::npos) return {};
    std::istringstream rest(r.out.substr(at + begin.size()));
    Found found;
    rest >> found.number;
    std::getline(rest, found.message);
    return found;
  }
};

TEST_F(MutantPlugin, IsFoundAsSoonAndAsTheSameBugAsInThisProcess) {
  std::size_t found = 0;
  for (const Mutant& mutant : SomeMutants()) {
    SCOPED_TRACE(mutant.name);
    const Found here = Hunt(mutant, "mutant:" + mutant.name);
    const Found there =
        Hunt(mutant, "plugin:" LANEDIFF_TARGETS "/mutant_plugin.so");
    EXPECT_EQ(here.number == 0, there.number == 0);
    EXPECT_LE(there.number, kMostFactor * here.number);
    EXPECT_EQ(here.message, there.message);
    found += here.number > 0;
  }
  EXPECT_GE(found, kMutants * 3 / 4);
}

}  // namespace
}  // namespace lanediff::cli::test
