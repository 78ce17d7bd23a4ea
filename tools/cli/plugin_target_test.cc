// Libraries with the C ABI, most of them bad ones.

#include <nlohmann/json.hpp>

#include "tools/cli/outside_testing.h"

namespace lanediff::cli::test {
namespace {

using Json = nlohmann::json;

class Plugin : public OutsideTest {
 protected:
  void SetUp() override {
    OutsideTest::SetUp();
    WritePluginCases();
  }
};

TEST_F(Plugin, OurOwnEmulatorAgreesWithTheWholeCorpus) {
  const Result r = Lanediff("check " LANEDIFF_SOURCE_DIR
                            "/corpus --target plugin:" LANEDIFF_TARGETS
                            "/emulator_plugin.so");
  EXPECT_EQ(r.status, 0) << r.out << r.err;
  EXPECT_TRUE(Has(r.out, " 0 disagree")) << r.out;
}

struct Bad {
  const char* does;
  const char* kind;
  const char* words;
};

class HostilePlugin : public Plugin, public testing::WithParamInterface<Bad> {};

TEST_P(HostilePlugin, IsANamedFindingAndTheRunGoesOn) {
  const Bad& bad = GetParam();
  ExpectOneFailure(CheckPlugin(bad.does, TimeFor(bad.does)), bad.kind,
                   bad.words);
  const Json run = Json::parse(Slurp(In("run.json")));
  const Json& finding = run.at("cases").at(2).at("findings").at(0);
  EXPECT_EQ(finding.at("kind"), bad.kind);
  EXPECT_EQ(finding.at("op"), "SetVectorMask");
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
        Bad{"status-7", "protocol", "its status is 7"},
        Bad{"error", "crash", "answered with an error: out of registers"},
        Bad{"unknown-rule", "protocol", "outside the catalogue"}),
    [](const auto& one) {
      std::string name = one.param.does;
      std::erase(name, '-');
      return name;
    });

class HarmlessPlugin : public Plugin,
                       public testing::WithParamInterface<const char*> {};

TEST_P(HarmlessPlugin, DoesNoHarm) {
  const Result r = CheckPlugin(GetParam());
  EXPECT_EQ(r.status, 0) << r.out << r.err;
  EXPECT_TRUE(Has(r.out, "check: 5 cases: 5 agree, 0 disagree")) << r.out;
  EXPECT_FALSE(Has(r.out, "own words")) << r.out;
  EXPECT_EQ(ProcessesWith(Mark()), 0);
}

INSTANTIATE_TEST_SUITE_P(All, HarmlessPlugin,
                         testing::Values("well", "closes", "writes",
                                         "writes-much", "threads", "forks",
                                         "older"),
                         [](const auto& one) {
                           std::string name = one.param;
                           std::erase(name, '-');
                           return name;
                         });

TEST_F(Plugin, ThatCantBeLoadedIsOneLine) {
  const auto one_line = [](const Result& r, int status,
                           const std::string& words) {
    EXPECT_EQ(r.status, status) << r.out << r.err;
    EXPECT_EQ(r.out, "");
    EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << r.err;
    EXPECT_TRUE(Has(r.err, words)) << r.err;
  };
  const std::string check = "check cases --target plugin:";
  one_line(Lanediff(check), 2, "no library is named");
  one_line(Lanediff(check + "none.so"), 2, "No such file");
  one_line(Lanediff(check + "cases"), 2, "is no file");
  one_line(Lanediff(check + "cases/a.json"), 2, "invalid ELF header");
  one_line(Lanediff(check + LANEDIFF_TARGETS "/no_plugin.so"), 2,
           "exports no function lanediff_plugin_get");
  one_line(CheckPlugin("other-abi"), 2, "abi_version is not 1");
  one_line(CheckPlugin("small"), 2, "struct_size is too small");
  one_line(CheckPlugin("null"), 2, "returns null");
  one_line(CheckPlugin("capabilities"), 3, "/legality");
  one_line(CheckPlugin("dies-loading"), 3, "signal 6 (Aborted)");
  // Byte 18 of an ELF file is the machine.
  std::string library = Slurp(LANEDIFF_TARGETS "/no_plugin.so");
  library[18] = static_cast<char>(library[18] ^ 0x55);
  Spill(In("other.so"), library);
  one_line(Lanediff(check + "other.so"), 2, "other.so");
  EXPECT_EQ(ProcessesWith(Mark()), 0);
}

TEST_F(Plugin, WithoutASessionFailsAtEveryCase) {
  const Result r = CheckPlugin("open-null");
  EXPECT_EQ(r.status, 3) << r.out << r.err;
  EXPECT_TRUE(Has(r.out, "open returned null")) << r.out;
}

TEST_F(Plugin, ThatRemembersIsFoundOut) {
  fs::remove_all(In("cases"));
  fs::create_directories(In("cases"));
  for (int i = 0; i < 64; ++i) {
    const std::string id = "n" + std::to_string(100 + i);
    Spill(In("cases/" + id + ".json"), MinCase(id));
  }
  const Result r = CheckPlugin("stateful");
  EXPECT_EQ(r.status, 1) << r.out << r.err;
  EXPECT_TRUE(Has(r.out, "signature: memory/min/outside/int16")) << r.out;
}

TEST_F(Plugin, IsCheckedBeforeAllElse) {
  const Result r =
      Lanediff("target check plugin:" LANEDIFF_TARGETS "/emulator_plugin.so");
  EXPECT_TRUE(Has(r.out, "ok    handshake: lanediff's emulator 1: ")) << r.out;
  EXPECT_TRUE(Has(r.out, "ok    closing: ")) << r.out;
  EXPECT_EQ(r.status, 0) << r.out << r.err;
}

TEST_F(Plugin, IsSweptGeneratedAndShrunk) {
  const std::string plugin =
      " --target plugin:" LANEDIFF_TARGETS "/emulator_plugin.so";
  const Result made = Lanediff("generate --check --count 300" + plugin);
  EXPECT_EQ(made.status, 0) << made.out << made.err;
  const Result swept = Lanediff("sweep --instruction min" + plugin);
  EXPECT_EQ(swept.status, 0) << swept.out << swept.err;
}

}  // namespace
}  // namespace lanediff::cli::test
