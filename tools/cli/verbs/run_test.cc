// lanediff run: sources, kernels without a main, programs that are built.

#include "reports/schema_testing.h"
#include "tools/cli/testing.h"

namespace lanediff::cli::test {
namespace {

class Run : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
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
  /// A kernel with a buffer, in NAME.cpp.
  void WriteKernel(const std::string& name, const std::string& body) const {
    Spill(In(name + ".cpp"), R"(#include "kernel_operator.h"
using namespace AscendC;
__global__ __aicore__ void K(GM_ADDR x) {
  TPipe pipe;
  TBuf<> buf;
  pipe.InitBuffer(buf, 512);
)" + body + "}\n");
  }
  const std::string kArguments =
      " --kernel 'Twice<half>' --arg in:half:256:fill:1.5 --arg out:half:256 "
      "--arg int32:2";
};

TEST_F(Run, CompilesSourcesAndRunsThemWithTheirArguments) {
  const Result result = Lanediff("run twice.cpp main.cpp -- --word");
  Expect(result, 0, {.err = {"CHECKED launches=1 blocks=1 audited=3 "}});
  EXPECT_EQ(result.out, "4000 --word\n");
  EXPECT_TRUE(result.err.starts_with("lanediff run: atlas-a2, ")) << result.err;
}

TEST_F(Run, PrintsFindingsWhereTheSourceHasThem) {
  Expect(Lanediff("run -DFORGOTTEN twice.cpp main.cpp --json out.json"), 1,
         {.err = {"twice.cpp:19: racecheck SYNC-RAW: "}});
  ExpectParts(Slurp(In("out.json")), {"\"program\": \"twice.cpp main.cpp\""});
}

TEST_F(Run, WhatTheCompilerHidesIsALineAndFailsOnRequest) {
  const std::string run =
      "run " LANEDIFF_SOURCE_DIR
      "/corpus/kernels/bugs/01-min-without-barrier.cpp --json out.json";
  Expect(Lanediff(run), 0,
         {.err = {"01-min-without-barrier.cpp:21: hidden by --auto-sync on: "
                  "SYNC-RAW: Adds is ordered behind Min "}});
  EXPECT_TRUE(
      reports::test::FitsSchema(Slurp(In("out.json")), "kernel.schema.json"));
  ExpectMembers(ReadJson("out.json"),
                {{"/hidden/0/later/line", 21}, {"/hidden/0/earlier/line", 20}});
  Expect(Lanediff(run + " --fail-on approximate --fail-on hidden"), 1,
         {.err = {"lanediff run: --fail-on hidden: expected none, found "
                  "hidden-by-auto-sync=1\n"},
          .not_err = {"--fail-on approximate"}});
  Expect(Lanediff(run + " --fail-on some"), 2,
         {.err = {"--fail-on: \"some\"; allowed: by commas: not-checked, "
                  "hidden, approximate"}});
}

TEST_F(Run, AKernelWithoutMainIsFedFromTheCommandLine) {
  const Result result = Lanediff("run twice.cpp" + kArguments);
  Expect(result, 0);
  EXPECT_EQ(result.out,
            "argument 2: half[256] = 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 ...\n");
}

TEST_F(Run, ProductsAreChosenWhenCompiling) {
  const Result result =
      Lanediff("run twice.cpp main.cpp --product atlas-a3 --auto-sync off");
  Expect(result, 0);
  EXPECT_TRUE(result.err.starts_with("lanediff run: atlas-a3, auto-sync off"))
      << result.err;
}

TEST_F(Run, WhatDoesNotCompileIsStatus2WithTheCompilersWords) {
  Spill(In("wrong.cpp"), "\nint main() { return nothing; }\n");
  Expect(Lanediff("run wrong.cpp"), 2,
         {.err = {"wrong.cpp:2:", "lanediff: wrong.cpp doesn't compile\n"}});
  ExpectParts(
      Lanediff("run twice.cpp").err,
      {"the program doesn't link; a kernel without main needs --kernel"});
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
    Expect(Shell(std::string("CXX=") + compiler + " lanediff run wrong.cpp"), 2,
           {.err = {"lanediff: wrong.cpp:3: Silu" + known +
                    "lanediff: wrong.cpp:4: Sign" + known +
                    "lanediff: wrong.cpp doesn't compile\n"}});
  }
}

TEST_F(Run, ANameWithoutItsNamespaceNeedsCpp20) {
  Spill(In("short.cpp"),
        "#include \"kernel_operator.h\"\n"
        "void f(AscendC::LocalTensor<float>& t) {\n"
        "  ReduceSum<float>(t, t, t, 64);\n"
        "}\n"
        "int main() {}\n");
  Expect(Shell("CXX=g++ CXXFLAGS=-std=c++17 lanediff run short.cpp"), 2,
         {.err = {"lanediff: short.cpp:3: ReduceSum is a name of AscendC: put "
                  "AscendC:: before it; "}});
  for (const char* const how :
       {"CXX=g++", "CXX=clang++-19 CXXFLAGS=-std=c++17"}) {
    ExpectNone(Shell(std::string(how) + " lanediff run short.cpp").err,
               {"doesn't compile"});
  }
}

TEST_F(Run, WhatNeverUsesTheLibraryIsNotChecked) {
  Spill(In("none.cpp"), "int main() { return STATUS; }\n");
  Script("none.sh", "exit $1");
  Spill(In("garbage"), "garbage\n");
  Spill(In("expected"), "status 0\n");
  Shell("chmod +x garbage");
  const auto ends = [&](const std::string& words, int status,
                        const std::string& why) {
    const Result result = Lanediff("run --json o.json " + words);
    EXPECT_EQ(result.status, status) << words << result.err;
    EXPECT_TRUE(result.err.starts_with("lanediff run: atlas-a2, ")) << words;
    ExpectParts(result.err, {why, "\nCHECKED launches=0 "});
    EXPECT_TRUE(
        result.err.ends_with(" status=" + std::to_string(result.status) + "\n"))
        << result.err;
    EXPECT_TRUE(
        reports::test::FitsSchema(Slurp(In("o.json")), "kernel.schema.json"))
        << words;
    fs::remove(In("o.json"));
  };
  const std::string unused = "the program doesn't use liblanediff_kernel";
  ends("-DSTATUS=0 none.cpp", 2, "nothing was checked");
  ends("-DSTATUS=4 none.cpp", 3, "the program ended with status 4\n");
  ends("-DSTATUS=77 none.cpp --expect expected", 1, "expectation: ");
  ends("--program ./none.sh", 2, "nothing was checked: " + unused);
  ends("--program ./none.sh -- 5", 3, "status 5; " + unused);
  ends("--program ./none.sh --expect expected -- 77", 1, "expectation: ");
  ends("--program ./garbage", 3, "can't run ./garbage: Exec format error");
  Script("slow.sh", "exec sleep 60");
  ends("--program ./slow.sh --seconds 1", 3, "ended after 1 seconds");
}

TEST_F(Run, AReportThatCanNotBeWrittenIsInTheStatus) {
  const Result result =
      Lanediff("run twice.cpp main.cpp --json none/o.json --junit o.xml");
  Expect(result, 2,
         {.err = {"lanediff run: can't write none/o.json: No such file"}});
  EXPECT_TRUE(result.err.ends_with(" status=2\n")) << result.err;
}

TEST_F(Run, TheProgramAroundAKernelHasAName) {
  const auto reports = [&] {
    Expect(Lanediff("run -DFORGOTTEN twice.cpp" + kArguments +
                    " --json j --junit x --html h --sarif s"),
           1);
    std::string all;
    for (const char* const report : {"j", "x", "h/index.html", "s"}) {
      all += Slurp(In(report));
    }
    return all;
  };
  const std::string first = reports();
  ExpectParts(first, {"main of --kernel"});
  ExpectNone(first, {"main.cpp", "can't be read"});
  EXPECT_EQ(reports(), first);
}

TEST_F(Run, AProductOfTikHasNoSourceOfCpp) {
  for (const char* const verb : {"run", "weaken"}) {
    Expect(Lanediff(std::string(verb) +
                    " twice.cpp main.cpp --product atlas-200-300-500"),
           2, {.err = {"atlas-200-300-500 is for a script of TIK"}});
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
  ExpectParts(err("in:half:32:file:none"),
              {"can't read none: No such file or directory\n"});
  ExpectParts(err("in:half:32:file:six"),
              {"six has 6 bytes; 32 elements of 2 bytes need 64\n"});
}

TEST_F(Run, StrictFindingsComeAgainFromTheirCases) {
  WriteKernel("found",
              "  LocalTensor<float> t = buf.Get<float>(8);\n"
              "  Duplicate(t, 1.0f, 64);\n");
  const std::string run = "run found.cpp --kernel K --arg inout:half:16";
  EXPECT_EQ(Lanediff(run).status, 0);
  Expect(Lanediff(run + " --strict"), 1,
         {.err = {"found.cpp:8: memcheck KRN-DECLARED"}});
  Expect(Lanediff("check out/run/found-8-1.json"), 1,
         {.out = {"KRN-DECLARED"}});
}

TEST_F(Run, AThrowIsPrintedBehindTheCallBefore) {
  WriteKernel("throws", "  throw 7;\n");
  Expect(Lanediff("run throws.cpp --kernel K --arg out:half:16"), 3,
         {.err = {"after throws.cpp:6\n"}});
}

TEST_F(Run, OperatorsAreCallsWithoutAPlace) {
  WriteKernel("signs", R"(
  LocalTensor<float> a = buf.Get<float>(64), b = buf.GetWithOffset<float>(64, 256);
  GlobalTensor<float> to;
  to.SetGlobalBuffer((__gm__ float*)x);
  Duplicate(a, 3.0f, 64);
  b = a + a;
  b = b * a;
  b = b - a;
  SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
  DataCopy(to, b, 64);
)");
  for (const char* const compiler : {"g++", "clang++-19"}) {
    const std::string run = std::string("CXX=") + compiler +
                            " lanediff run signs.cpp --kernel K --arg "
                            "out:float:64 --auto-sync ";
    Expect(Shell(run + "on"), 0,
           {.out = {"= 15 15 15 "}, .err = {" audited=5 "}});
    ExpectParts(Shell(run + "off").err,
                {"after signs.cpp:11: racecheck SYNC-RAW: Add"});
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
  Expect(
      Lanediff(run + "--arg out:float:48"), 1,
      {.out = {"= 2 2 2 2 2 2 2 2 unwritten unwritten "},
       .err = {"initcheck INIT-OUTPUT: Rows leaves elements 8 to 11, elements "
               "20 to 23, elements 32 to 35, elements 44 to 47 of argument 2 "
               "unwritten, 16 of 48 elements; DataCopy rows.cpp:15 copies 32 "
               "of 48 bytes, whole DataBlocks of 32 alone (DC-COUNT-FLOOR)",
               "rows.cpp:15: note DC-COUNT-FLOOR: "}});
  Expect(Lanediff(run + "--arg inout:float:48"), 0, {.err = {"initcheck=0 "}});
  Expect(Lanediff(run + "--arg inout:float:48:fill:1"), 0,
         {.out = {"= 2 2 2 2 2 2 2 2 1 1 1 1 2 "}, .err = {"initcheck=0 "}});
}

TEST_F(Run, ADataBlockOfPaddingBehindAnOutputIsANote) {
  const std::string run =
      "run twice.cpp --kernel 'Twice<half>' --arg in:half:256:fill:1.5 ";
  Expect(Lanediff(run + "--arg out:half:272 --arg int32:2"), 0,
         {.err = {"note INIT-OUTPUT: "}});
  for (const char* const count : {"264", "288"}) {
    Expect(Lanediff(run + "--arg out:half:" + count + " --arg int32:2"), 1,
           {.err = {"leaves elements 256 to "}});
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
  Expect(Lanediff("run pto.cpp --kernel P --arg in:float:512:fill:1 --arg "
                  "out:float:512"),
         1,
         {.err = {"missing: set_flag/wait_flag MTE2_MTE3 between pto.cpp:7"},
          .not_err = {"EnQue"}});
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
  Expect(Lanediff("run lone.cpp --kernel P --arg out:float:512 --json o.json"),
         1, {.not_err = {"call 2"}});
  EXPECT_FALSE(Has(Slurp(In("o.json")), "\"call\": ")) << Slurp(In("o.json"));
}

TEST_F(Run, PrintsInALineWhatIsWrong) {
  const std::string either = "lanediff: expected either SOURCE or --program\n";
  ExpectAllRefused(
      {{"run", either},
       {"run --program x twice.cpp", either},
       {"run none.cpp", "none.cpp"},
       {"run --program /bin/true",
        "/bin/true is not linked with liblanediff_kernel.so, nothing would be "
        "checked"},
       {"run twice.cpp --kernel Twice --arg in:half:many:fill:1",
        "--arg: \"in:half:many:fill:1\"; allowed: in:TYPE:COUNT:"},
       {"run twice.cpp --arg int32:1", "--kernel names it"},
       {"weaken twice.cpp --arg int32:1",
        "--arg is of a kernel; --kernel names it"},
       {"run twice.cpp --seconds 0",
        "--seconds: \"0\"; allowed: a number from 1 to 1000000"}});
  Expect(Shell("CXX=no-such-compiler lanediff run twice.cpp"), 2,
         {.err = {"no-such-compiler"}});
  ExpectParts(Shell("LANEDIFF_PREFIX=/none lanediff run twice.cpp").err,
              {"/none has no lib/liblanediff_kernel.so; LANEDIFF_PREFIX names "
               "the folder that has it"});
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
  ExpectAllRefused(
      {{"run twice.cpp main.cpp --expect wrong.expect",
        "lanediff: --expect: wrong.expect:2: " + no_rule},
       {"run twice.cpp main.cpp --known-issues wrong.json",
        "lanediff: --known-issues: wrong.json: /suppressions/0/rule: " +
            no_rule + "\n"}});
}

TEST_F(Run, AnUnknownPlaceIsReportedAndNeverGreen) {
  ExpectRefused(Lanediff("run twice.cpp main.cpp --without SetFlag"),
                "lanediff: --without: \"SetFlag\"; allowed: FILE:LINE:NAME, as "
                "add.cpp:24:PipeBarrier\n");
  Expect(
      Lanediff("run twice.cpp main.cpp --without twice.cpp:19:SetFlag"), 2,
      {.err = {"--without twice.cpp:19:SetFlag: the run made no such call"}});
  // Findings beat it.
  Expect(Lanediff("run twice.cpp main.cpp --without twice.cpp:16:SetFlag "
                  "--without twice.cpp:1:SetFlag"),
         1, {.err = {"twice.cpp:19: racecheck SYNC-RAW"}});
}

TEST_F(Run, ExamplesOfHelpPass) {
  fs::create_directory_symlink(LANEDIFF_SOURCE_DIR "/docs", In("docs"));
  fs::create_directory_symlink(LANEDIFF_SOURCE_DIR "/corpus", In("corpus"));
  for (const std::string verb : {"run", "weaken"}) {
    const auto examples = ExamplesOf(Lanediff(verb + " --help").out);
    ASSERT_EQ(examples.size(), 2u) << verb;
    for (const Example& example : examples) {
      // The kernel of `run` lacks a barrier.
      Expect(Lanediff(example.words), verb == "run" ? 1 : 0);
    }
  }
}

TEST_F(Run, OlderSpellingsAreReadWithALine) {
  Spill(In("list"), R"({"format": "lanediff-suppressions/1",
                        "suppressions": []})");
  const Result r = Lanediff(
      "run twice.cpp main.cpp --mask-start ones --suppress list --html o.html");
  ExpectParts(r.err, {"lanediff: --mask-start is now --start-mask; ",
                      "lanediff: --suppress is now --known-issues; ",
                      "lanediff: --html FILE is now --html DIR, "});
  EXPECT_TRUE(fs::exists(In("o.html")));
  ExpectParts(Shell("LANEDIFF_OPTIONS='--mask-start ones' lanediff run "
                    "twice.cpp main.cpp")
                  .err,
              {"lanediff: LANEDIFF_OPTIONS: --mask-start is now --start-mask"});
}

TEST_F(Run, BothModesFailForWhatTheCompilerHides) {
  const std::string run =
      "run " LANEDIFF_SOURCE_DIR
      "/corpus/kernels/bugs/01-min-without-barrier.cpp --auto-sync ";
  EXPECT_EQ(Lanediff(run + "on").status, 0);
  EXPECT_EQ(Lanediff(run + "off").status, 1);
  Expect(Lanediff(run + "both"), 1, {.err = {"--fail-on hidden"}});
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
  Expect(Lanediff("run uneven.cpp --saturation off --kernel Uneven --blocks 2 "
                  "--arg inout:half:16 --json o.json --junit o.xml --html o"),
         1, {.err = {"uneven.cpp:6: synccheck KRN-SYNCALL"}});
  EXPECT_FALSE(Has(Slurp(In("o.json")), "\"file\": \"\""));
  EXPECT_FALSE(Has(Slurp(In("o.xml")), "\"lanediff.kernel.\""));
  EXPECT_FALSE(Has(Slurp(In("o/index.html")), ">:0<"));
}

TEST_F(Run, StacksAreOfTheUsersCalls) {
  const std::string err =
      Lanediff("run -DFORGOTTEN twice.cpp main.cpp --stack").err;
  ExpectParts(err, {"called from void Twice<"});
  ExpectNone(err, {"called from lanediff::", "lanediff/ascendc/"});
}

TEST_F(Run, AMaskThatIsLeftIsNotedAtItsCallOnceALaunch) {
  WriteKernel("left",
              "  LocalTensor<float> t = buf.Get<float>();\n"
              "  Duplicate(t, 1.0f, 64);\n"
              "  Adds(t, t, 1.0f, 64, 1, {1, 1, 8, 8});\n");
  Expect(
      Lanediff(
          "run left.cpp --notes --kernel K --blocks 3 --arg inout:half:16"),
      0,
      {.err = {"left.cpp:9: note KRN-MASK-LEFT: Adds leaves mask 0x0 "
               "0xffffffffffffffff to who comes next, not all ones; ResetMask "
               "sets them\n"}});
}

TEST_F(Run, WeakenTakesAKernelWithoutMainAndLeavesADocument) {
  Expect(Lanediff("weaken twice.cpp --product atlas-a3" + kArguments +
                  " --json out.json"),
         0,
         {.out = {"twice.cpp:16:SetFlag: orders, auto-sync on: reported: "
                  "SYNC-RAW at twice.cpp:19"}});
  const std::string json = Slurp(In("out.json"));
  EXPECT_TRUE(reports::test::FitsSchema(json, "weaken.schema.json"));
  ExpectParts(json, {"\"product\": \"atlas-a3\"", "\"missed\": 0"});
  Expect(
      Lanediff("weaken -DFORGOTTEN twice.cpp main.cpp"), 2,
      {.err = {"the kernel doesn't pass as it is: SYNC-RAW at twice.cpp:19"}});
}

}  // namespace
}  // namespace lanediff::cli::test
