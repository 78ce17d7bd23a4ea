// lanediff run: sources, kernels without a main, programs that are built.

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "reports/schema_testing.h"
#include "tools/cli/testing.h"

namespace lanediff::cli {
namespace {

using test::Has;
using test::Result;
using test::Slurp;
using test::Spill;

class Run : public test::ProgramTest {
 protected:
  void SetUp() override {
    test::ProgramTest::SetUp();
    Spill(In("twice.h"), "constexpr int kCount = 128;\n");
    Spill(In("twice.cpp"), kKernel);
    Spill(In("main.cpp"), kMain);
  }

  /// Doubles `count` tiles of 128 elements.
  const std::string kKernel = R"(#include "kernel_operator.h"
#include "twice.h"
using namespace AscendC;
template <class T>
__global__ __aicore__ void Twice(GM_ADDR x, GM_ADDR z, int count) {
  TPipe pipe;
  TBuf<> buf;
  pipe.InitBuffer(buf, kCount * sizeof(T));
  GlobalTensor<T> from, to;
  from.SetGlobalBuffer((__gm__ T*)x);
  to.SetGlobalBuffer((__gm__ T*)z);
  LocalTensor<T> t = buf.Get<T>();
  for (int i = 0; i < count; ++i) {
    DataCopy(t, from[i * kCount], kCount);
#ifndef FORGOTTEN
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
#endif
    Add(t, t, t, kCount);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(to[i * kCount], t, kCount);
    SetFlag<HardEvent::MTE3_MTE2>(EVENT_ID0);
    WaitFlag<HardEvent::MTE3_MTE2>(EVENT_ID0);
  }
}
void Start(GM_ADDR x, GM_ADDR z) { Twice<half><<<1, nullptr, nullptr>>>(x, z, 1); }
)";
  const std::string kMain = R"(#include <cstdio>
#include "acl/acl.h"
void Start(unsigned char* x, unsigned char* z);
int main(int argc, char** argv) {
  void *x, *z;
  aclrtMalloc(&x, 256, ACL_MEM_MALLOC_HUGE_FIRST);
  aclrtMalloc(&z, 256, ACL_MEM_MALLOC_HUGE_FIRST);
  for (int i = 0; i < 128; ++i) static_cast<unsigned short*>(x)[i] = 0x3c00;
  Start(static_cast<unsigned char*>(x), static_cast<unsigned char*>(z));
  std::printf("%x %s\n", static_cast<unsigned short*>(z)[127], argv[argc - 1]);
}
)";
  const std::string kArguments =
      " --kernel 'Twice<half>' --arg in:half:256:fill:1.5 --arg out:half:256 "
      "--arg int32:2";
};

TEST_F(Run, CompilesSourcesAndRunsThemWithTheirArguments) {
  const Result result = Lanediff("run twice.cpp main.cpp -- --word");
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.out, "4000 --word\n");
  EXPECT_TRUE(result.err.starts_with("lanediff run: atlas-a2, ")) << result.err;
  EXPECT_TRUE(Has(result.err, "CHECKED launches=1 blocks=1 audited=3 "));
}

TEST_F(Run, PrintsFindingsWhereTheSourceHasThem) {
  const Result result =
      Lanediff("run -DFORGOTTEN twice.cpp main.cpp --json out.json");
  EXPECT_EQ(result.status, 1) << result.err;
  EXPECT_TRUE(Has(result.err, "twice.cpp:19: racecheck SYNC-RAW: "))
      << result.err;
  EXPECT_TRUE(
      Has(Slurp(In("out.json")), "\"program\": \"twice.cpp main.cpp\""));
}

TEST_F(Run, WhatTheCompilerHidesIsALineAndFailsOnRequest) {
  const std::string run =
      "run " LANEDIFF_SOURCE_DIR
      "/corpus/kernels/bugs/01-min-without-barrier.cpp --json out.json";
  const Result plain = Lanediff(run);
  EXPECT_EQ(plain.status, 0) << plain.err;
  EXPECT_TRUE(Has(plain.err,
                  "01-min-without-barrier.cpp:21: hidden by "
                  "--auto-sync on: SYNC-RAW: Adds is ordered "
                  "behind Min "))
      << plain.err;
  EXPECT_TRUE(
      reports::test::FitsSchema(Slurp(In("out.json")), "kernel.schema.json"));
  const auto json = nlohmann::json::parse(Slurp(In("out.json")));
  EXPECT_EQ(json.at("hidden").at(0).at("later").at("line"), 21);
  EXPECT_EQ(json.at("hidden").at(0).at("earlier").at("line"), 20);
  const Result failed =
      Lanediff(run + " --fail-on approximate --fail-on hidden");
  EXPECT_EQ(failed.status, 1) << failed.err;
  EXPECT_TRUE(Has(failed.err,
                  "lanediff run: --fail-on hidden: expected none, "
                  "found hidden-by-auto-sync=1\n"))
      << failed.err;
  EXPECT_FALSE(Has(failed.err, "--fail-on approximate")) << failed.err;
  const Result words = Lanediff(run + " --fail-on some");
  EXPECT_EQ(words.status, 2);
  EXPECT_TRUE(Has(words.err,
                  "--fail-on: \"some\"; allowed: by commas: "
                  "not-checked, hidden, approximate"))
      << words.err;
}

TEST_F(Run, AKernelWithoutMainIsFedFromTheCommandLine) {
  const Result result = Lanediff("run twice.cpp" + kArguments);
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.out,
            "argument 2: half[256] = 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 ...\n");
}

TEST_F(Run, ProductsAreChosenWhenCompiling) {
  const Result result =
      Lanediff("run twice.cpp main.cpp --product atlas-a3 --auto-sync off");
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_TRUE(result.err.starts_with("lanediff run: atlas-a3, auto-sync off"))
      << result.err;
}

TEST_F(Run, WhatDoesNotCompileIsStatus2WithTheCompilersWords) {
  Spill(In("wrong.cpp"), "\nint main() { return nothing; }\n");
  const Result result = Lanediff("run wrong.cpp");
  EXPECT_EQ(result.status, 2);
  EXPECT_TRUE(Has(result.err, "wrong.cpp:2:")) << result.err;
  EXPECT_TRUE(Has(result.err, "lanediff: wrong.cpp doesn't compile\n"))
      << result.err;
  EXPECT_TRUE(Has(Lanediff("run twice.cpp").err,
                  "the program doesn't link; a kernel without main needs "
                  "--kernel"));
}

TEST_F(Run, AMissingNameIsPrintedWithAFix) {
  Spill(In("wrong.cpp"),
        "#include \"kernel_operator.h\"\n"
        "void f(AscendC::LocalTensor<half>& t) {\n"
        "  AscendC::Silu(t, t, 64);\n"
        "  Sign<half>(t, t, 64);\n"
        "  int typo = nothing;\n"
        "}\n");
  const std::string known =
      " is not among the names that lanediff knows (docs/own-kernel.md, \"What "
      "compiles\"): define it from calls that are, or leave it out where "
      "ASCENDC_CPU_DEBUG is defined\n";
  for (const char* const compiler : {"g++", "clang++-19"}) {
    const Result result =
        Shell(std::string("CXX=") + compiler + " lanediff run wrong.cpp");
    EXPECT_EQ(result.status, 2);
    EXPECT_TRUE(Has(result.err, "lanediff: wrong.cpp:3: Silu" + known +
                                    "lanediff: wrong.cpp:4: Sign" + known +
                                    "lanediff: wrong.cpp doesn't compile\n"))
        << result.err;
  }
}

TEST_F(Run, ANameWithoutItsNamespaceNeedsCpp20) {
  Spill(In("short.cpp"),
        "#include \"kernel_operator.h\"\n"
        "void f(AscendC::LocalTensor<float>& t) {\n"
        "  ReduceSum<float>(t, t, t, 64);\n"
        "}\n"
        "int main() {}\n");
  const Result result =
      Shell("CXX=g++ CXXFLAGS=-std=c++17 lanediff run short.cpp");
  EXPECT_EQ(result.status, 2);
  EXPECT_TRUE(Has(result.err,
                  "lanediff: short.cpp:3: ReduceSum is a name of AscendC: put "
                  "AscendC:: before it; "))
      << result.err;
  for (const char* const how :
       {"CXX=g++", "CXX=clang++-19 CXXFLAGS=-std=c++17"}) {
    EXPECT_FALSE(Has(Shell(std::string(how) + " lanediff run short.cpp").err,
                     "doesn't compile"))
        << how;
  }
}

TEST_F(Run, WhatNeverUsesTheLibraryIsNotChecked) {
  Spill(In("none.cpp"), "int main() { return STATUS; }\n");
  Spill(In("none.sh"), "#!/bin/sh\nexit $1\n");
  Spill(In("garbage"), "garbage\n");
  Spill(In("expected"), "status 0\n");
  Shell("chmod +x none.sh garbage");
  const auto ends = [&](const std::string& words, int status,
                        const std::string& why) {
    const Result result = Lanediff("run --json o.json " + words);
    EXPECT_EQ(result.status, status) << words << result.err;
    EXPECT_TRUE(result.err.starts_with("lanediff run: atlas-a2, ")) << words;
    EXPECT_TRUE(Has(result.err, why)) << result.err;
    EXPECT_TRUE(Has(result.err, "\nCHECKED launches=0 ")) << result.err;
    EXPECT_TRUE(
        result.err.ends_with(" status=" + std::to_string(result.status) + "\n"))
        << result.err;
    EXPECT_TRUE(
        reports::test::FitsSchema(Slurp(In("o.json")), "kernel.schema.json"))
        << words;
    std::filesystem::remove(In("o.json"));
  };
  const std::string unused = "the program doesn't use liblanediff_kernel";
  ends("-DSTATUS=0 none.cpp", 2, "nothing was checked");
  ends("-DSTATUS=4 none.cpp", 3, "the program ended with status 4\n");
  ends("-DSTATUS=77 none.cpp --expect expected", 1, "expectation: ");
  ends("--program ./none.sh", 2, "nothing was checked: " + unused);
  ends("--program ./none.sh -- 5", 3, "status 5; " + unused);
  ends("--program ./none.sh --expect expected -- 77", 1, "expectation: ");
  ends("--program ./garbage", 3, "can't run ./garbage: Exec format error");
  Spill(In("slow.sh"), "#!/bin/sh\nexec sleep 60\n");
  Shell("chmod +x slow.sh");
  ends("--program ./slow.sh --seconds 1", 3, "ended after 1 seconds");
}

TEST_F(Run, AReportThatCanNotBeWrittenIsInTheStatus) {
  const Result result =
      Lanediff("run twice.cpp main.cpp --json none/o.json --junit o.xml");
  EXPECT_EQ(result.status, 2);
  EXPECT_TRUE(
      Has(result.err, "lanediff run: can't write none/o.json: No such file"))
      << result.err;
  EXPECT_TRUE(result.err.ends_with(" status=2\n")) << result.err;
}

TEST_F(Run, TheProgramAroundAKernelHasAName) {
  const auto reports = [&] {
    const Result result = Lanediff("run -DFORGOTTEN twice.cpp" + kArguments +
                                   " --json j --junit x --html h --sarif s");
    EXPECT_EQ(result.status, 1) << result.err;
    std::string all;
    for (const char* const report : {"j", "x", "h", "s"}) {
      all += Slurp(In(report));
    }
    return all;
  };
  const std::string first = reports();
  EXPECT_TRUE(Has(first, "main of --kernel")) << first;
  EXPECT_FALSE(Has(first, "main.cpp")) << first;
  EXPECT_FALSE(Has(first, "can't be read")) << first;
  EXPECT_EQ(reports(), first);
}

TEST_F(Run, AProductOfTikHasNoSourceOfCpp) {
  for (const char* const verb : {"run", "weaken"}) {
    const Result result = Lanediff(
        std::string(verb) + " twice.cpp main.cpp --product atlas-200-300-500");
    EXPECT_EQ(result.status, 2);
    EXPECT_TRUE(Has(result.err, "atlas-200-300-500 is for a script of TIK"))
        << result.err;
  }
}

TEST_F(Run, ArgumentsThatTheirTypeDoesNotHaveAreRefused) {
  Spill(In("show.cpp"), R"(#include "kernel_operator.h"
template <class T> __global__ __aicore__ void Show(GM_ADDR x) {}
)");
  Spill(In("six"), "123456");
  const auto err = [&](const std::string& argument) {
    return Lanediff("run show.cpp --kernel 'Show<half>' --arg " + argument).err;
  };
  for (const char* const wrong :
       {"in:int8:32:fill:300", "in:int8:32:fill:-129", "in:uint8:32:fill:-1",
        "uint32:4294967296", "uint64:18446744073709551616"}) {
    EXPECT_TRUE(Has(err(wrong), "allowed: in:TYPE:COUNT:fill:V")) << wrong;
  }
  for (const char* const right :
       {"in:uint64:32:fill:18446744073709551615", "in:int8:32:fill:-128",
        "in:uint8:4:ramp:9:-1", "in:half:3:file:six"}) {
    EXPECT_TRUE(Has(err(right), "nothing was checked")) << err(right);
  }
  EXPECT_TRUE(Has(err("in:half:32:file:none"),
                  "can't read none: No such file or directory\n"));
  EXPECT_TRUE(Has(err("in:half:32:file:six"),
                  "six has 6 bytes; 32 elements of 2 bytes need 64\n"));
}

TEST_F(Run, StrictFindingsComeAgainFromTheirCases) {
  Spill(In("found.cpp"), R"(#include "kernel_operator.h"
using namespace AscendC;
__global__ __aicore__ void Found(GM_ADDR x) {
  TPipe pipe;
  TBuf<> buf;
  pipe.InitBuffer(buf, 256);
  LocalTensor<float> t = buf.Get<float>(8);
  Duplicate(t, 1.0f, 64);
}
)");
  const std::string run = "run found.cpp --kernel Found --arg inout:half:16";
  EXPECT_EQ(Lanediff(run).status, 0);
  const Result result = Lanediff(run + " --strict");
  EXPECT_EQ(result.status, 1);
  EXPECT_TRUE(Has(result.err, "found.cpp:8: memcheck KRN-DECLARED"))
      << result.err;
  const Result again = Lanediff("check out/run/found-8-1.json");
  EXPECT_EQ(again.status, 1) << again.out;
  EXPECT_TRUE(Has(again.out, "KRN-DECLARED")) << again.out;
}

TEST_F(Run, AThrowIsPrintedBehindTheCallBefore) {
  Spill(In("throws.cpp"), R"(#include "kernel_operator.h"
using namespace AscendC;
__global__ __aicore__ void Throws(GM_ADDR x) {
  TPipe pipe;
  TBuf<> buf;
  pipe.InitBuffer(buf, 256);
  throw 7;
}
)");
  const Result result =
      Lanediff("run throws.cpp --kernel Throws --arg out:half:16");
  EXPECT_EQ(result.status, 3) << result.err;
  EXPECT_TRUE(Has(result.err, "after throws.cpp:6\n")) << result.err;
}

TEST_F(Run, OperatorsAreCallsWithoutAPlace) {
  Spill(In("signs.cpp"), R"(#include "kernel_operator.h"
using namespace AscendC;
__global__ __aicore__ void Signs(GM_ADDR z) {
  TPipe pipe;
  TBuf<> buf;
  pipe.InitBuffer(buf, 512);
  LocalTensor<float> a = buf.Get<float>(64), b = buf.GetWithOffset<float>(64, 256);
  GlobalTensor<float> to;
  to.SetGlobalBuffer((__gm__ float*)z);
  Duplicate(a, 3.0f, 64);
  b = a + a;
  b = b * a;
  b = b - a;
  SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
  DataCopy(to, b, 64);
}
)");
  for (const char* const compiler : {"g++", "clang++-19"}) {
    const std::string run = std::string("CXX=") + compiler +
                            " lanediff run signs.cpp --kernel Signs --arg "
                            "out:float:64 --auto-sync ";
    Result result = Shell(run + "on");
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_TRUE(Has(result.out, "= 15 15 15 ")) << result.out;
    EXPECT_TRUE(Has(result.err, " audited=4 ")) << result.err;
    result = Shell(run + "off");
    EXPECT_TRUE(Has(result.err, "after signs.cpp:10: racecheck SYNC-RAW: Add"))
        << result.err;
  }
}

TEST_F(Run, WhatNoBlockWritesOfAnOutputIsAFinding) {
  Spill(In("rows.cpp"), R"(#include "kernel_operator.h"
using namespace AscendC;
__global__ __aicore__ void Rows(GM_ADDR x, GM_ADDR z) {
  TPipe pipe;
  TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
  pipe.InitBuffer(queue, 1, 64);
  GlobalTensor<float> from, to;
  from.SetGlobalBuffer((__gm__ float*)x);
  to.SetGlobalBuffer((__gm__ float*)z);
  for (int row = 0; row < 4; ++row) {
    auto t = queue.AllocTensor<float>();
    DataCopy(t, from, 16);
    queue.EnQue(t);
    t = queue.DeQue<float>();
    DataCopy(to[row * 12], t, 12);
    queue.FreeTensor(t);
  }
}
)");
  const std::string run =
      "run rows.cpp --kernel Rows --arg in:float:16:fill:2 ";
  Result result = Lanediff(run + "--arg out:float:48");
  EXPECT_EQ(result.status, 1) << result.err;
  EXPECT_TRUE(Has(result.err,
                  "initcheck INIT-OUTPUT: Rows leaves elements 8 to 11, "
                  "elements 20 to 23, elements 32 to 35, elements 44 to 47 of "
                  "argument 2 unwritten, 16 of 48 elements; DataCopy "
                  "rows.cpp:15 copies 32 of 48 bytes, whole DataBlocks of 32 "
                  "alone (DC-COUNT-FLOOR)"))
      << result.err;
  EXPECT_TRUE(Has(result.err, "rows.cpp:15: note DC-COUNT-FLOOR: "))
      << result.err;
  EXPECT_TRUE(Has(result.out, "= 2 2 2 2 2 2 2 2 unwritten unwritten "))
      << result.out;
  for (const char* const in_out : {"inout:float:48", "inout:float:48:fill:1"}) {
    result = Lanediff(run + "--arg " + in_out);
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_TRUE(Has(result.err, "initcheck=0 ")) << result.err;
  }
  EXPECT_TRUE(Has(result.out, "= 2 2 2 2 2 2 2 2 1 1 1 1 2 ")) << result.out;
}

TEST_F(Run, ADataBlockOfPaddingBehindAnOutputIsANote) {
  const std::string run =
      "run twice.cpp --kernel 'Twice<half>' --arg in:half:256:fill:1.5 ";
  Result result = Lanediff(run + "--arg out:half:272 --arg int32:2");
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_TRUE(Has(result.err, "note INIT-OUTPUT: ")) << result.err;
  for (const char* const count : {"264", "288"}) {
    result = Lanediff(run + "--arg out:half:" + count + " --arg int32:2");
    EXPECT_EQ(result.status, 1) << result.err;
    EXPECT_TRUE(Has(result.err, "leaves elements 256 to ")) << result.err;
  }
}

TEST_F(Run, PtoIsPrintedInItsOwnWords) {
  Spill(In("pto.cpp"), R"(#include <pto/pto-inst.hpp>
using namespace pto;
__global__ AICORE void P(__gm__ float* x, __gm__ float* z) {
  using G = GlobalTensor<float, Shape<1, 1, 1, 8, 64>, Stride<1, 1, 1, 64, 1>>;
  G from(x), to(z);
  Tile<TileType::Vec, float, 8, 64> t; TASSIGN(t, 0);
  TLOAD(t, from);
  TSTORE(to, t);
}
)");
  const Result result = Lanediff(
      "run pto.cpp --kernel P --arg in:float:512:fill:1 --arg out:float:512");
  EXPECT_EQ(result.status, 1) << result.err;
  EXPECT_TRUE(Has(result.err,
                  "missing: set_flag/wait_flag MTE2_MTE3 between pto.cpp:7"))
      << result.err;
  EXPECT_FALSE(Has(result.err, "EnQue")) << result.err;
}

TEST_F(Run, ALoneCallIsTheFirstOfItsLine) {
  Spill(In("lone.cpp"), R"(#include <pto/pto-inst.hpp>
using namespace pto;
__global__ AICORE void P(__gm__ float* z) {
  Tile<TileType::Vec, float, 8, 64> src, tmp;
  Tile<TileType::Vec, float, 8, 1, BLayout::ColMajor> dst;
  TROWPROD(dst, src, tmp);
}
)");
  const Result result =
      Lanediff("run lone.cpp --kernel P --arg out:float:512 --json o.json");
  EXPECT_EQ(result.status, 1) << result.err;
  EXPECT_FALSE(Has(result.err, "call 2")) << result.err;
  EXPECT_FALSE(Has(Slurp(In("o.json")), "\"call\": ")) << Slurp(In("o.json"));
}

TEST_F(Run, ProgramsThatAreBuiltRunLikewise) {
  Result result = Lanediff("run --program /bin/true");
  EXPECT_EQ(result.status, 2);
  EXPECT_TRUE(Has(result.err,
                  "/bin/true is not linked with "
                  "liblanediff_kernel.so, nothing would be checked"))
      << result.err;
}

TEST_F(Run, PrintsInALineWhatIsWrong) {
  const auto err = [&](const std::string& words) {
    const Result result = Lanediff("run " + words);
    EXPECT_EQ(result.status, 2) << words;
    return result.err;
  };
  const std::string either = "expected either SOURCE or --program";
  EXPECT_EQ(err(""), "lanediff: " + either + "\n");
  EXPECT_EQ(err("--program x twice.cpp"), "lanediff: " + either + "\n");
  EXPECT_TRUE(Has(err("none.cpp"), "none.cpp"));
  EXPECT_TRUE(Has(err("twice.cpp --kernel Twice --arg in:half:many:fill:1"),
                  "--arg: \"in:half:many:fill:1\"; allowed: in:TYPE:COUNT:"));
  EXPECT_TRUE(Has(err("twice.cpp --arg int32:1"), "--kernel names it"));
  EXPECT_TRUE(Has(err("twice.cpp --seconds 0"),
                  "--seconds: \"0\"; allowed: a number from 1 to 1000000"));
  const Result result = Shell("CXX=no-such-compiler lanediff run twice.cpp");
  EXPECT_EQ(result.status, 2);
  EXPECT_TRUE(Has(result.err, "no-such-compiler")) << result.err;
  EXPECT_TRUE(Has(Shell("LANEDIFF_PREFIX=/none lanediff run twice.cpp").err,
                  "/none has no lib/liblanediff_kernel.so; LANEDIFF_PREFIX "
                  "names the folder that has it"));
}

TEST_F(Run, WrongListsAreNamedByTheirOptionAndPlace) {
  Spill(In("wrong.expect"), "# x\nfinding SYNC-RWA twice.cpp:19\n");
  Spill(In("wrong.json"),
        R"({"format": "lanediff-suppressions/1", "suppressions": [{"rule":
        "SYNC-RWA", "file": "a", "line": 1, "reason": "b",
        "expires": "2999-01-01"}]})");
  const std::string no_rule =
      "found \"SYNC-RWA\", which is no rule; VALUE or one that `lanediff list "
      "rules` has is allowed";
  Result result = Lanediff("run twice.cpp main.cpp --expect wrong.expect");
  EXPECT_EQ(result.status, 2);
  EXPECT_TRUE(
      result.err.starts_with("lanediff: --expect: wrong.expect:2: " + no_rule))
      << result.err;
  result = Lanediff("run twice.cpp main.cpp --suppress wrong.json");
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.err,
            "lanediff: --suppress: wrong.json: /suppressions/0/rule: " +
                no_rule + "\n");
}

TEST_F(Run, AnUnknownPlaceIsReportedAndNeverGreen) {
  Result result = Lanediff("run twice.cpp main.cpp --without SetFlag");
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.err,
            "lanediff: --without: \"SetFlag\"; allowed: FILE:LINE:NAME, as "
            "add.cpp:24:PipeBarrier\n");
  result = Lanediff("run twice.cpp main.cpp --without twice.cpp:19:SetFlag");
  EXPECT_EQ(result.status, 2);
  EXPECT_TRUE(Has(result.err,
                  "--without twice.cpp:19:SetFlag: the run made no such call"))
      << result.err;
  result = Lanediff(
      "run twice.cpp main.cpp --without twice.cpp:16:SetFlag --without "
      "twice.cpp:1:SetFlag");
  EXPECT_EQ(result.status, 1) << "findings beat it";
  EXPECT_TRUE(Has(result.err, "twice.cpp:19: racecheck SYNC-RAW"))
      << result.err;
}

TEST_F(Run, NoPlaceIsWithoutAName) {
  Spill(In("uneven.cpp"), R"(#include "kernel_operator.h"
using namespace AscendC;
__global__ __aicore__ void Uneven(GM_ADDR x) {
  if (GetBlockIdx() == 1) return;
  TPipe pipe;
  SyncAll();
}
)");
  const Result result = Lanediff(
      "run uneven.cpp --saturation off --kernel Uneven --blocks 2 --arg "
      "inout:half:16 --json o.json --junit o.xml --html o.html");
  EXPECT_EQ(result.status, 1) << result.err;
  EXPECT_TRUE(Has(result.err, "uneven.cpp:6: synccheck KRN-SYNCALL"));
  EXPECT_FALSE(Has(Slurp(In("o.json")), "\"file\": \"\""));
  EXPECT_FALSE(Has(Slurp(In("o.xml")), "\"lanediff.kernel.\""));
  EXPECT_FALSE(Has(Slurp(In("o.html")), ">:0<"));
}

TEST_F(Run, StacksAreOfTheUsersCalls) {
  const Result result = Lanediff("run -DFORGOTTEN twice.cpp main.cpp --stack");
  EXPECT_TRUE(Has(result.err, "called from void Twice<")) << result.err;
  EXPECT_FALSE(Has(result.err, "called from lanediff::")) << result.err;
  EXPECT_FALSE(Has(result.err, "lanediff/ascendc/")) << result.err;
}

TEST_F(Run, AMaskThatIsLeftIsNotedAtItsCallOnceALaunch) {
  Spill(In("left.cpp"), R"(#include "kernel_operator.h"
using namespace AscendC;
__global__ __aicore__ void Left(GM_ADDR x) {
  TPipe pipe;
  TBuf<> buf;
  pipe.InitBuffer(buf, 256);
  LocalTensor<float> t = buf.Get<float>();
  Duplicate(t, 1.0f, 64);
  Adds(t, t, 1.0f, 64, 1, {1, 1, 8, 8});
}
)");
  const Result result = Lanediff(
      "run left.cpp --notes --kernel Left --blocks 3 --arg inout:half:16");
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_TRUE(Has(result.err,
                  "left.cpp:9: note KRN-MASK-LEFT: Adds leaves mask 0x0 "
                  "0xffffffffffffffff to who comes next, not all ones; "
                  "ResetMask sets them\n"))
      << result.err;
}

TEST_F(Run, WeakenTakesAKernelWithoutMainAndLeavesADocument) {
  const Result result = Lanediff("weaken twice.cpp --product atlas-a3" +
                                 kArguments + " --json out.json");
  EXPECT_EQ(result.status, 0) << result.out << result.err;
  EXPECT_TRUE(Has(result.out,
                  "twice.cpp:16:SetFlag: orders, auto-sync on: reported: "
                  "SYNC-RAW at twice.cpp:19"))
      << result.out;
  const std::string json = Slurp(In("out.json"));
  EXPECT_TRUE(reports::test::FitsSchema(json, "weaken.schema.json"));
  EXPECT_TRUE(Has(json, "\"product\": \"atlas-a3\"")) << json;
  EXPECT_TRUE(Has(json, "\"missed\": 0"));
  EXPECT_TRUE(Has(Lanediff("weaken twice.cpp --arg int32:1").err,
                  "--arg is of a kernel; --kernel names it"));
  const Result fails = Lanediff("weaken -DFORGOTTEN twice.cpp main.cpp");
  EXPECT_EQ(fails.status, 2);
  EXPECT_TRUE(Has(fails.err,
                  "the kernel doesn't pass as it is: SYNC-RAW at "
                  "twice.cpp:19"))
      << fails.err;
}

}  // namespace
}  // namespace lanediff::cli
