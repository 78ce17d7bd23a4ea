#include <gtest/gtest.h>

#include <string>

#include "sanitizer/program_text.h"

namespace lanediff::lint {
namespace {

/// Programs whose hazards are worked out by hand, byte by byte.
struct Worked {
  std::string name;
  std::string program;
  std::string options;
  std::string found;
};

void PrintTo(const Worked& worked, std::ostream* out) { *out << worked.name; }

class WorkedPrograms : public testing::TestWithParam<Worked> {};

bool Has(const Worked& worked, std::string_view option) {
  return worked.options.find(option) != std::string::npos;
}

TEST_P(WorkedPrograms, ComesOutToTheLetter) {
  const Worked& worked = GetParam();
  Case c = test::CaseOf(worked.program);
  c.lint.sync->automatic = Has(worked, "auto");
  c.lint.start_unknown = Has(worked, "start unknown");
  if (Has(worked, "atlas-training")) {
    c.product = isa::Product::kAtlasTraining;
  }
  c.memory[static_cast<std::size_t>(isa::Memory::kUb)]->initialised =
      !Has(worked, "UB uninitialised");
  EXPECT_EQ(test::FoundIn(c), worked.found);
}

INSTANTIATE_TEST_SUITE_P(
    Each, WorkedPrograms,
    testing::Values(
        Worked{"1a", "IN 0 0 1024; MINR 2048 0 0 4; OUT 8192 2048 1024", "",
               "RAW 0→1 UB 0+256/1024 ×4 MTE2_V 0; RAW 1→2 UB 2048+256/1024 ×4 "
               "V_MTE3 0"},
        Worked{"1b",
               "IN 0 0 1024; +MTE2_V 0; -MTE2_V 0; MINR 2048 0 0 4; +V_MTE3 0; "
               "-V_MTE3 0; OUT 8192 2048 1024",
               "", "none"},
        Worked{"1c",
               "IN 0 0 1024; |MTE2; MINR 2048 0 0 4; |V; OUT 8192 2048 1024",
               "",
               "RAW 0→2 UB 0+256/1024 ×4 MTE2_V 0; RAW 2→4 UB 2048+256/1024 ×4 "
               "V_MTE3 0"},
        Worked{"1d",
               "IN 0 0 1024; |ALL; MINR 2048 0 0 4; |ALL; OUT 8192 2048 1024",
               "", "none"},
        Worked{"2a",
               "IN 0 0 256; +MTE2_V 0; -MTE2_V 0; +V_MTE3 0; -V_MTE3 0; OUT "
               "8192 0 256",
               "", "none"},
        Worked{"2b",
               "IN 0 0 256; +V_MTE3 0; -V_MTE3 0; +MTE2_V 0; -MTE2_V 0; OUT "
               "8192 0 256",
               "", "RAW 0→5 UB 0+256/256 ×1 MTE2_MTE3 0"},
        Worked{
            "3a",
            "MIN 1024 0 512 256; MIN 2048 1024 0 256; GET 2048; SET 2048; OUT "
            "8192 2048 256",
            "",
            "RAW 0→1 UB 1024+256/256 ×1 |V; RAW 1→2 UB 2048+2/2 ×1 V_S 0; RAW "
            "1→4 UB 2050+254/254 ×1 V_MTE3 0; RAW 3→4 UB 2048+2/2 ×1 S_MTE3 0"},
        Worked{"3b",
               "MIN 1024 0 512 256; MIN 2048 1024 0 256; GET 2048; SET 2048; "
               "OUT 8192 2048 256",
               "auto", "RAW 1→4 UB 2050+254/254 ×1 V_MTE3 0"},
        Worked{"4a", "MINB 0 512 1024 0x5555; MINB 0 512 1024 0xaaaa", "",
               "none"},
        Worked{"4b", "MINB 0 512 1024 0x3; MINB 0 512 1024 0x6", "",
               "WAW 0→1 UB 2+2/2 ×1 |V"},
        Worked{"5a", "INGAP 0 0 4 1 1; INGAP 32 4096 4 1 1", "", "none"},
        Worked{"5b", "INGAP 0 0 4 2 0; INGAP 32 4096 4 1 1", "",
               "WAW 0→1 UB 32+32/128 ×4 |MTE2"},
        Worked{"6a",
               "+V_MTE2 0; +V_MTE2 1; +MTE3_V 0; +MTE3_V 1; 3×[-V_MTE2 {e}; IN "
               "{1024*e} {256*i} 256; +MTE2_V {e}; -MTE2_V {e}; -MTE3_V {e}; "
               "MIN {4096+1024*e} {1024*e} {1024*e} 256; +V_MTE2 {e}; +V_MTE3 "
               "{e}; -V_MTE3 {e}; OUT {8192+256*i} {4096+1024*e} 256; +MTE3_V "
               "{e}]; -V_MTE2 0; -V_MTE2 1; -MTE3_V 0; -MTE3_V 1",
               "", "none"},
        Worked{"6b",
               "3×[IN {1024*e} {256*i} 256; +MTE2_V {e}; -MTE2_V {e}; MIN "
               "{4096+1024*e} {1024*e} {1024*e} 256; +V_MTE3 {e}; -V_MTE3 {e}; "
               "OUT {8192+256*i} {4096+1024*e} 256]",
               "",
               "WAR 3→14 UB 0+256/256 ×1 V_MTE2 0; WAR 6→17 UB 4096+256/256 ×1 "
               "MTE3_V 0"},
        Worked{"7a", "IN 0 0 256; IN 0 0 256", "",
               "WAW 0→1 UB 0+256/256 ×1 |MTE2"},
        Worked{"7b", "MIN 1024 0 0 256; MIN 2048 0 0 256; IN 0 0 256", "",
               "WAR 1→2 UB 0+256/256 ×1 V_MTE2 0"},
        Worked{"8a", "VT 0 0 2; VT 0 0 2", "", "RAW 0→1 UB 0+512/1024 ×2 |V"},
        Worked{"8b", "VT 0 0 1; VT 1024 0 1; VT 0 2048 1", "",
               "RAW 0→1 UB 0+512/512 ×1 |V; WAR 1→2 UB 0+512/512 ×1 |V"},
        Worked{"9a",
               "IN 0 0 256; +MTE2_V 0; +MTE2_V 0; -MTE2_V 0; -MTE2_V 0; "
               "+V_MTE3 1; +V_MTE3 8; +M_V 0; |S; MIN 512 0 0 256",
               "",
               "FLAG-TWICE 2 (1); FLAG-UNSET 4; FLAG-UNWAITED 5; FLAG-ID 6; "
               "FLAG-PIPE 7; BARRIER-PIPE 8"},
        Worked{"9b", "IN 0 0 256; +MTE2_V 4; -MTE2_V 4; |FIX; MIN 512 0 0 256",
               "atlas-training",
               "FLAG-ID 1; FLAG-ID 2; BARRIER-PIPE 3; RAW 0→4 UB 0+256/256 ×1 "
               "MTE2_V 0"},
        Worked{"10a", "MIN 1024 0 512 256; +V_S 0; -V_S 0; OUT 8192 1024 256",
               "", "none"},
        Worked{
            "10b",
            "MIN 1024 0 512 256; +V_S 0; -V_S 0; SET 1024; OUT 8192 1024 256",
            "", "RAW 3→4 UB 1024+2/2 ×1 S_MTE3 0"},
        Worked{"11a", "IN 0 0 128; MIN 1024 0 0 256", "auto, UB uninitialised",
               "INIT-READ 1 src0 UB 128+128/128 ×1; INIT-READ 1 src1 UB "
               "128+128/128 ×1; RAW 0→1 UB 0+128/128 ×1 MTE2_V 0"},
        Worked{"11b", "PROD 0 512 1024; GET 1024", "auto",
               "INIT-READ 1 src UB 1024+2/2 ×1"},
        Worked{"12a", "RRSF 1024 0; RRS 1026 0 64; RRSF 1028 0",
               "auto, start unknown",
               "MASK-UNKNOWN 0; MODE-UNKNOWN 0; MODE-UNKNOWN 1; MASK-LEFTOVER "
               "2 (1); MODE-UNKNOWN 2"},
        Worked{"12b", "RRS 1024 0 64; RRSF 1026 0; RRS 1028 0 128; RRSF 1030 0",
               "auto", "MASK-LEFTOVER 1 (0)"},
        Worked{"12c", "COUNT; MIN 1024 0 512 256; RRS 1280 0 128", "auto",
               "none"},
        Worked{"12d", "COUNT; MINF 1024 0 512; IN 0 0 256", "auto",
               "MASK-COUNTER 1 (0)"}),
    [](const auto& worked) { return "P" + worked.param.name; });

}  // namespace
}  // namespace lanediff::lint
