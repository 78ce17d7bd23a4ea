// Kernels, and programs around them, that do what would hide a finding, lose a
// report or last for ever: what `run` reports all the same.

#include <set>

#include "tools/cli/testing.h"

namespace lanediff::cli::test {
namespace {

class HostileKernel : public ProgramTest {
 protected:
  /// A kernel with a race, which does `in_kernel` behind it, and a main that
  /// does `behind` when the kernel has ended.
  void Racy(const std::string& in_kernel, const std::string& behind = "",
            const std::string& name = "k.cpp") const {
    Spill(In(name), R"(#include "tikicpulib.h"
#include "kernel_operator.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <string>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <unistd.h>
using namespace AscendC;
template <class Do> void SharedPages(Do what) {
  FILE* f = fopen("/proc/self/maps", "r");
  unsigned long from[64], to[64];
  int n = 0;
  for (char line[400]; fgets(line, 400, f) && n < 64;) {
    char access[8];
    if (sscanf(line, "%lx-%lx %7s", &from[n], &to[n], access) == 3 &&
        access[1] == 'w' && access[3] == 's') ++n;
  }
  fclose(f);
  for (int i = 0; i < n; ++i) what((char*)from[i], to[i] - from[i]);
}
pid_t ParentOf(pid_t process) {
  pid_t parent = 0;
  FILE* f = fopen(("/proc/" + std::to_string(process) + "/stat").c_str(), "r");
  fscanf(f, "%*d %*s %*c %d", &parent);
  fclose(f);
  return parent;
}
extern "C" __global__ __aicore__ void k(GM_ADDR x) {
  GlobalTensor<half> gx;
  gx.SetGlobalBuffer((__gm__ half*)x, 256);
  TPipe pipe;
  TBuf<TPosition::VECCALC> t;
  pipe.InitBuffer(t, 512);
  auto a = t.Get<half>();
  DataCopy(a, gx, 256);
  Add(a, a, a, 256);
)" + in_kernel + R"(
}
int main() {
  SetKernelMode(KernelMode::AIV_MODE);
  auto* x = (half*)GmAlloc(512);
  for (int i = 0; i < 256; ++i) x[i] = half(i);
  ICPU_RUN_KF(k, 1, (uint8_t*)x);
)" + behind + R"(
  return 0;
}
)");
  }
  /// The last line is the report's, and the only one that is not marked.
  static void ExpectLastSummary(const std::string& err, int status) {
    const auto last = err.rfind("\nSUMMARY ");
    ASSERT_NE(last, std::string::npos) << err;
    EXPECT_EQ(err.find('\n', last + 1), err.size() - 1) << err;
    EXPECT_TRUE(err.ends_with(" status=" + std::to_string(status) + "\n"))
        << err;
    EXPECT_EQ(err.find("\nSUMMARY "), last) << err;
  }
  /// `lanediff run ARGUMENTS`, or another command, ends so and reports it.
  void ExpectEnd(const std::string& arguments, int status,
                 const Printed& printed = {}) const {
    ExpectEnd(Lanediff("run " + arguments), status, printed);
  }
  static void ExpectEnd(const Result& r, int status,
                        const Printed& printed = {}) {
    Expect(r, status, printed);
    ExpectLastSummary(r.err, status);
  }
  /// `lanediff run k.cpp` does not pass.
  void ExpectFails() const {
    const Result r = Lanediff("run k.cpp --seconds 2");
    EXPECT_NE(r.status, 0) << r.err;
    ExpectLastSummary(r.err, r.status);
  }
  /// The program that one by hand makes of NAME.cpp.
  void Build(const std::string& name) const {
    Spill(In("build.sh"),
          "P=$(dirname $(dirname $(readlink -f $(command -v lanediff))))\n"
          "g++ -std=c++20 -O1 -isystem $P/include "
          "-isystem $P/include/lanediff/ascendc -isystem "
          "$P/include/lanediff/acl_host $1.cpp -o $1 "
          "$P/lib/liblanediff_kernel.so -Wl,-rpath,$P/lib -pthread\n");
    ASSERT_EQ(Shell("sh build.sh " + name).status, 0);
  }
};

TEST_F(HostileKernel, WhatItWritesToSharedPagesLosesNothingInSilence) {
  // The page alone: its content is known elsewhere.
  Racy("SharedPages([](char* at, unsigned long) { memset(at, 0xff, 4096); });");
  Expect(Lanediff("run k.cpp"), 1, {.err = {"racecheck SYNC-RAW"}});
  // All messages: that they are lost is a failure.
  for (const char* const byte : {"0xff", "0", "' '"}) {
    Racy(
        std::string("SharedPages([](char* at, unsigned long n) { memset(at, ") +
        byte + ", n); });");
    ExpectEnd("k.cpp", 3, {.err = {"messages of the run are lost"}});
  }
  // And ends at once.
  Racy(
      "SharedPages([](char* at, unsigned long n) { memset(at, 0, n); }); "
      "_exit(0);");
  EXPECT_NE(Lanediff("run k.cpp").status, 0);
}

TEST_F(HostileKernel, AWatcherThatIsStoppedOrKilledHidesNothing) {
  Racy("kill(getppid(), SIGSTOP);");
  ExpectEnd("k.cpp --seconds 20", 1);
  // Its own parent, the run.
  Racy("kill(ParentOf(getppid()), SIGSTOP);");
  Expect(Lanediff("run k.cpp --seconds 20"), 1);
  Racy("kill(getppid(), SIGKILL); for (;;) pause();");
  ExpectEnd("k.cpp --seconds 20", 3);
}

TEST_F(HostileKernel, AWatcherThatIsTracedHidesNothing) {
  // In a process that the kernel may leave behind, too.
  for (const char* const left : {"", "if (fork() == 0) setsid(); "}) {
    Racy(std::string(left) +
         "pid_t run = ParentOf(getppid()); "
         "ptrace(PTRACE_ATTACH, getppid(), 0, 0); "
         "ptrace(PTRACE_ATTACH, run, 0, 0); for (;;) pause();");
    ExpectFails();
  }
}

TEST_F(HostileKernel, AKernelTracedByWhatItLeavesBehindEnds) {
  // Its end is seen by its tracer first.
  for (const char* const end : {"for (;;) pause();", "_exit(0);", ""}) {
    Racy(
        std::string("int ready[2]; ::pipe(ready); if (fork() == 0) { setsid(); "
                    "ptrace(PTRACE_SEIZE, getppid(), 0, 0); "
                    "write(ready[1], \"\", 1); for (;;) pause(); } char c; "
                    "read(ready[0], &c, 1); ") +
        end);
    ExpectFails();
  }
}

TEST_F(HostileKernel, CasesLieWhereTheRunBegan) {
  Racy("", "", "k.cpp");
  Racy("chdir(\"elsewhere\");", "", "l.cpp");
  Build("k");
  fs::create_directories(In("elsewhere"));
  Script("around.sh", "cd elsewhere\n../k");
  for (const char* const run :
       {"run l.cpp", "run --program ./around.sh", "run --program ./k"}) {
    fs::remove_all(In("out"));
    Expect(Lanediff(std::string(run) + " --json o.json"), 1);
    const Json json = ReadJson("o.json");
    for (const auto& finding : json.at("findings")) {
      EXPECT_TRUE(fs::exists(In(finding.at("case").get<std::string>()))) << run;
    }
  }
}

TEST_F(HostileKernel, AScriptThatStopsTheRunHidesNothing) {
  Spill(In("stops.py"),
        "import os, signal\nos.kill(os.getppid(), signal.SIGSTOP)\n");
  Expect(Lanediff("run stops.py --seconds 20"), 2, {.err = {"ran no kernel"}});
}

TEST_F(HostileKernel, AScriptImportsNothingFromWhereItRuns) {
  Spill(In("json.py"), "print('of the folder')\n");
  Spill(In("in.py"), "print('script')\n");
  fs::create_directories(In("s"));
  fs::rename(In("in.py"), In("s/in.py"));
  Spill(In("s/tik.py"), "print('of the script')\n");
  fs::create_directories(In("more"));
  for (const char* const name : {"re", "runpy", "subprocess", "lanediff_tik"}) {
    Spill(In("more/" + std::string(name) + ".py"), "print('of the path')\n");
  }
  Spill(In("sitecustomize.py"), "print('of the folder')\n");
  Spill(In("more/mine.py"), "print('mine')\n");
  for (const char* const path : {"", "PYTHONPATH= ", "PYTHONPATH=:: ",
                                 "PYTHONPATH=more ", "PYTHONPATH=:more: "}) {
    const bool more = std::string_view(path).contains("more");
    Spill(In("s/in.py"),
          std::string("print('script')\n") + (more ? "import mine\n" : ""));
    const Result r = Shell(std::string(path) + "lanediff run s/in.py");
    EXPECT_EQ(r.out, more ? "script\nmine\n" : "script\n") << path << r.err;
  }
}

TEST_F(HostileKernel, ASummaryOfItsOwnIsMarkedAndNotTheLast) {
  Racy(
      "",
      R"(fprintf(stderr, "SUMMARY racecheck=0 status=0\n"); puts("CHECKED all");
  if (fork() == 0) {
    setsid();
    usleep(300000);
    fprintf(stderr, "SUMMARY racecheck=0 status=0\n");
    sleep(100);
  })");
  const Result r = Lanediff("run k.cpp");
  ExpectEnd(r, 1, {.err = {"kernel: SUMMARY racecheck=0 status=0\n"}});
  EXPECT_EQ(r.out, "kernel: CHECKED all\n");
  // The same without `lanediff run`.
  Build("k");
  ExpectEnd(Shell("./k"), 1, {.err = {"kernel: SUMMARY "}});
}

TEST_F(HostileKernel, BehindAScriptAllProgramsAreInOneReport) {
  Racy("");
  Racy("Mul(a, a, a, 256);", "", "l.cpp");
  Build("k");
  Build("l");
  Script("both.sh", "./k\n./l\necho SUMMARY status=0 >&2\nexit 0");
  ExpectEnd("--program ./both.sh --json o.json", 1);
  const Json json = ReadJson("o.json");
  std::set<std::string> files, cases;
  for (const auto& finding : json.at("findings")) {
    files.insert(finding.at("later").at("site").at("file"));
    cases.insert(finding.value("case", ""));
  }
  EXPECT_EQ(files.size(), 2) << json;
  EXPECT_EQ(cases.size(), json.at("findings").size()) << json;
  EXPECT_EQ(json.at("counts").at("launches"), 2);
  // Without its environment, and in a run of its own.
  for (const char* const inner :
       {"env -i ./k", "lanediff run --program ./k",
        "env -u LANEDIFF_HANDOVER "
        "lanediff run --program ./k --json inner.json"}) {
    Script("both.sh", std::string(inner) + "\nexit 0");
    ExpectEnd("--program ./both.sh --json o.json", 1);
  }
}

TEST_F(HostileKernel, AFindingWithAMemberOfAnotherVersionIsNotDropped) {
  Racy("");
  Shell(
      "sed -i 's/  Add(/  SetFlag<HardEvent::MTE2_V>(0); "
      "WaitFlag<HardEvent::MTE2_V>(0);\\n  Add(/' k.cpp");
  Build("k");
  Script("both.sh", "./k");
  Expect(Lanediff("run --program ./both.sh"), 0);
  Script("both.sh",
         "./k\nprintf '7 begins\\n7 finding 0 {\"speed\":1}\\n7 complete\\n'"
         " >>$LANEDIFF_HANDOVER");
  ExpectEnd("--program ./both.sh", 3,
            {.err = {"messages of the run are not readable"}});
}

TEST_F(HostileKernel, FindingsOfFilesOfOneNameHaveCasesOfTheirOwn) {
  Spill(In("k.h"), R"(
using namespace AscendC;
inline void First(LocalTensor<half> a, GlobalTensor<half> gx) {

  DataCopy(a, gx, 256);

  Add(a, a, a, 256);
}
)");
  Spill(In("k.cpp"), R"(#include "kernel_operator.h"
#include "k.h"
extern "C" __global__ __aicore__ void k(GM_ADDR x) {
  GlobalTensor<half> gx; gx.SetGlobalBuffer((__gm__ half*)x, 256); TPipe p; TBuf<TPosition::VECCALC> t;
  p.InitBuffer(t, 1024); auto a = t.Get<half>(); First(a, gx);
  auto b = t.GetWithOffset<half>(256, 512); DataCopy(b, gx, 256);
  Mul(b, b, b, 256);
}
)");
  Expect(
      Lanediff("run k.cpp --kernel k --arg in:half:256:fill:1 --json o.json"),
      1);
  std::set<std::string> cases;
  const Json json = ReadJson("o.json");
  for (const auto& finding : json.at("findings")) {
    EXPECT_EQ(finding.at("later").at("site").at("line"), 7);
    cases.insert(finding.at("case"));
  }
  EXPECT_EQ(json.at("findings").size(), 2) << json;
  EXPECT_EQ(cases.size(), 2) << json;
}

TEST_F(HostileKernel, APageShowsNoFileThatADirectiveNames) {
  Spill(In("secret.txt"), "one\ntwo\nthree\nword of honour\n");
  Spill(In("k.cpp"), R"(#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void k(GM_ADDR x) {
  TPipe p; TBuf<TPosition::VECCALC> t; p.InitBuffer(t, 512);
  auto a = t.Get<half>();
#line 4 "secret.txt"
  Duplicate(a, half(1), 256);
}
)");
  const std::string run = " --kernel k --arg out:half:16 --html page";
  Lanediff("run k.cpp" + run);
  const std::string page = Slurp(In("page/index.html"));
  ExpectParts(page, {"secret.txt", "InitBuffer(t, 512)"});
  ExpectNone(page, {"honour"});
}

TEST_F(HostileKernel, AnInterruptWhileItCompilesLeavesNothing) {
  Racy("");
  Script("slow", "touch $TMPDIR/of-the-compiler\necho $$ >pid\nsleep 60");
  for (const char* const signal : {"TERM", "INT"}) {
    const Result r =
        Shell(std::string("mkdir -p t; rm -f pid; "
                          "TMPDIR=$PWD/t CXX=./slow env --default-signal=INT "
                          "lanediff run k.cpp & p=$!; until [ -s pid ]; do "
                          "sleep 0.05; done; kill -") +
              signal +
              " $p; wait $p; status=$?; ls t; "
              "! kill -0 $(cat pid) 2>&- || echo at work; exit $status");
    ExpectRefused(r, "lanediff: interrupted while it compiles\n");
  }
}

TEST_F(HostileKernel, ASecondInterruptWhileItCompilesLeavesNothing) {
  Racy("");
  Script("slow", "touch pid\nsleep 60");
  for (int i = 0; i < 20; ++i) {
    const Result r = Shell(
        "mkdir -p t; rm -f pid; TMPDIR=$PWD/t CXX=./slow "
        "env --default-signal=INT lanediff run k.cpp & p=$!; until [ -e "
        "pid ]; do sleep 0.05; done; kill -INT $p; for i in $(seq " +
        std::to_string(1 + 10 * i) +
        "); do kill -INT $p 2>&-; done; wait $p; echo $?; ls t");
    EXPECT_EQ(r.out, "2\n") << r.err;
  }
}

TEST_F(HostileKernel, AMalformedMessageOfASessionIsALine) {
  for (const char* const message :
       {"nonsense", "\xff\xfe", "poison {\"at\":\"x\"}", "poison 7", "poison {",
        "script {\"pid\":[]}", "end {\"how\":\"dead\",\"code\":0}",
        "refusal []"}) {
    Spill(In("message"), std::string(message) + "\n");
    const Result r = Lanediff("run --program - <message");
    Expect(r, 3, {.out = {"{\"error\":"}});
    EXPECT_EQ(std::ranges::count(r.err, '\n'), 1) << message << r.err;
  }
}

TEST_F(HostileKernel, AReportStandsUnderItsNameWhenAllOfItIsThere) {
  Spill(In("o.json"), "what was there before\n");
  // No file may have more than 64 bytes.
  Spill(In("limited.c"),
        "#include <signal.h>\n#include <sys/resource.h>\n"
        "#include <unistd.h>\n"
        "int main(int c, char** v) { struct rlimit l = {64, 64}; "
        "signal(SIGXFSZ, SIG_IGN); setrlimit(RLIMIT_FSIZE, &l); "
        "return execvp(v[1], v + 1); }\n");
  const Result r = Shell(
      "gcc limited.c -o limited && "
      "printf '#!/bin/sh\\nexit 0\\n' >none.sh && chmod +x none.sh && "
      "(./limited lanediff run --program ./none.sh --json o.json; "
      "echo ended $?) 2>&1 | cat");
  Expect(r, 0, {.out = {"ended 2\n", "can't write o.json: File too large"}});
  EXPECT_EQ(Slurp(In("o.json")), "what was there before\n") << r.out;
}

}  // namespace
}  // namespace lanediff::cli::test
