// Programs linked with the library over testing/engine.cc: what stays of them
// however they end, and in which order their blocks run.

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "kernel/launch/event_writer.h"
#include "reports/kernel_line.h"

namespace lanediff::host {
namespace {

namespace fs = std::filesystem;

struct Result {
  int status = -1;
  std::string out;
  std::string err;
};

bool Has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Of programs that are compiled with AddressSanitizer: the library reports
/// their crashes, and frames lie on the stacks that it makes.
constexpr const char* kEnvironment =
    "export ASAN_OPTIONS=handle_segv=0:handle_sigbus=0:handle_sigfpe=0:"
    "detect_stack_use_after_return=0; ";

/// Without the line in which AddressSanitizer warns of contexts. The library
/// names each stack to it.
std::string WithoutWarning(const std::string& text) {
  const std::size_t at = text.find("WARNING: ASan doesn't fully support");
  if (at == text.npos) return text;
  const std::size_t begin = text.rfind('\n', at) + 1;  // 0 of the first line
  return text.substr(0, begin) + text.substr(text.find('\n', at) + 1);
}

class Host : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) /
              ("lanediff-host-" + std::to_string(getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  /// Runs the program as `lanediff run` does; `before` are words of the shell.
  Result Run(const std::string& does, const std::string& before = "") const {
    return Shell("LANEDIFF_RUN=main.cpp " + before + " '" HOST_PROGRAM "' " +
                 does);
  }
  Result Alone(const std::string& does, const std::string& before = "") const {
    return Shell(before + " '" HOST_PROGRAM "' " + does);
  }
  Result Shell(const std::string& command) const {
    const std::string whole = "cd '" + folder_.string() + "'; (" +
                              kEnvironment + command + ") >out 2>err";
    const int status = std::system(whole.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, Slurp("out"),
            WithoutWarning(Slurp("err"))};
  }
  std::string Slurp(const std::string& name) const {
    std::ifstream file(folder_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

 private:
  fs::path folder_;
};

constexpr const char* kOnce =
    "kernel.cpp:10: racecheck TEST-FOUND: Find is called\n"
    "  block 0, execution 1\n";

TEST_F(Host, BlocksRunInOrderFromSyncAllToSyncAll) {
  const Result result = Run("syncs");
  EXPECT_EQ(result.out,
            "one 0 of 3\none 1 of 3\none 2 of 3\n"
            "two 0 of 3\ntwo 2 of 3\n"
            "three 0 of 3\nthree 2 of 3\n"
            "again 0 of 1\n");
}

TEST_F(Host, ABlockThatEndsNeverReturnsToTheKernelAndTheOthersGoOn) {
  const Result result = Run("block-ends");
  EXPECT_EQ(result.out,
            "before 0 of 2\nbefore 1 of 2\nbehind 1 of 2\nmain 0 of 1\n");
  EXPECT_EQ(result.status, 0);
}

TEST_F(Host, StacksOfBlocksThatEndAreUsedAgain) {
  for (const char* program : {HOST_PROGRAM, SANITIZED_HOST_PROGRAM}) {
    const Result result = Shell(std::string(program) + " leaves-frames");
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_TRUE(Has(result.err, "CHECKED launches=6 blocks=12 "));
  }
}

TEST_F(Host, ExceptionsThatBlocksHandleStayTheirs) {
  EXPECT_EQ(Run("catches").out,
            "block 0 caught 0 and 0\nblock 1 caught 1 and 1\n");
}

TEST_F(Host, ADirectCallEndsWithItsOutermostTPipeOrBeforeWhatIsNext) {
  const std::string one =
      "engine: launch of a direct call in 1\nengine: block 0\n";
  const std::string piped = one +
                            "engine: TPipe begins\nengine: TPipe begins\n"
                            "engine: Destroy\nengine: SyncAll\n"
                            "engine: block 0\nengine: Add\n"
                            "engine: Destroy\nengine: end\n";
  EXPECT_EQ(Run("direct", "TRACE_ENGINE=1").out,
            "engine: for atlas-a2\n" + piped + piped + one +
                "engine: InitSocState\nengine: Add\nengine: end\n" + one +
                "engine: InitSocState\nengine: end\n"
                "engine: launch of kernel in 1\nengine: block 0\n"
                "engine: Other\nengine: end\n" +
                one + "engine: Another\nengine: end\n");
}

TEST_F(Host, CountsOfTheLastLaunch) {
  EXPECT_EQ(Run("last-launch").out, "0 2 0 0 0 0 0 0 4 0 \n");
}

TEST(Events, OfOlderLibrariesHaveOneNumber) {
  kernel::RunRecord record;
  for (const char* const op : {"Add", "Sub"}) {
    kernel::SiteRow row;
    row.op = op;
    EXPECT_TRUE(ReadEvent(record, "row 0 " + reports::KernelLine(row)));
  }
  ASSERT_EQ(record.sites.size(), 2U);
  EXPECT_EQ(record.sites[0].op, "Add");
  EXPECT_EQ(record.sites[1].op, "Sub");
}

// ---- How programs end ----

TEST_F(Host, FindingsAreStatus1WithHowOften) {
  const Result result = Run("finds");
  EXPECT_EQ(result.status, 1);
  EXPECT_TRUE(Has(result.err,
                  "kernel.cpp:10: racecheck TEST-FOUND: Find is called\n"
                  "  block 0, execution 1 (and 3 more)\n"
                  "kernel.cpp:11: racecheck TEST-FOUND: Find is called\n"
                  "  block 0, execution 1 (and 1 more)\n"))
      << result.err;
  EXPECT_TRUE(Has(result.err, " racecheck=2 ")) << result.err;
  EXPECT_TRUE(Has(result.err, " notes=1 status=1\n")) << result.err;
  EXPECT_TRUE(Has(Run("saves").err, "case: out/run/case.json"));
}

TEST_F(Host, StacksSayWhoCalled) {
  const Result result = Run("saves", "LANEDIFF_OPTIONS=--stack");
  EXPECT_TRUE(Has(result.err, "program.cc:")) << result.err;
  EXPECT_FALSE(Has(Run("saves").err, "program.cc:"));
  const Result sanitized =
      Shell("LANEDIFF_OPTIONS=--stack '" SANITIZED_HOST_PROGRAM "' saves");
  EXPECT_TRUE(Has(sanitized.err, "program.cc:")) << sanitized.err;
}

TEST_F(Host, RefusedCallsAreStatus2AndReportedOnce) {
  const Result result = Run("refused");
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.status, 2);
  EXPECT_TRUE(Has(result.err, "kernel.cpp:3: refused: Mmad (cube)\n"));
  EXPECT_EQ(result.err.find("Mmad"), result.err.rfind("Mmad"));
  EXPECT_TRUE(Has(result.err, " refused=2\n"));
}

TEST_F(Host, NothingCheckedIsStatus2) {
  EXPECT_EQ(Run("nothing").status, 2);
  EXPECT_EQ(Run("syncs").status, 2);
}

TEST_F(Host, TooManyFindingsEndTheProgram) {
  const Result result = Run("run-ends", "LANEDIFF_OPTIONS='--max-errors 1'");
  EXPECT_EQ(result.status, 1);
  EXPECT_TRUE(Has(result.err, "stopped at 1 findings (--max-errors 1)"))
      << result.err;
}

struct Ending {
  const char* does;
  int status;
  const char* output;
};

class HostEnds : public Host, public testing::WithParamInterface<Ending> {};

TEST_P(HostEnds, WithWhereItWasAndWhatWasFound) {
  const Result result = Run(GetParam().does);
  EXPECT_EQ(result.status, GetParam().status) << result.err;
  EXPECT_TRUE(Has(result.err, GetParam().output)) << result.err;
  EXPECT_FALSE(Has(result.out, "no\n")) << result.out;
  if (GetParam().status == 1) {
    EXPECT_TRUE(Has(result.err, "TEST-FOUND"));
  }
  const std::string does = GetParam().does;
  if (does == "clean" || does == "direct-ends") {
    EXPECT_EQ(result.out, "");
  }
  if (does == "clean") {
    EXPECT_TRUE(result.err.starts_with(GetParam().output));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Programs, HostEnds,
    testing::Values(
        Ending{"clean", 0, "lanediff run: atlas-a2, auto-sync on (default), "},
        Ending{"many-blocks", 0,
               "CHECKED launches=1 blocks=3000 audited=6000 "},
        Ending{"million", 0, "CHECKED launches=1000000 blocks=1000000 "},
        Ending{"threads", 0, "CHECKED launches=400 blocks=1600 audited=3200 "},
        Ending{"at-the-end", 0, "CHECKED launches=1 "},
        Ending{"direct-ends", 1,
               "a direct call ends in block 0 of launch 0, after "
               "kernel.cpp:10, and with it the program"},
        Ending{"main-fails", 3, "status 7"},
        Ending{"finds-and-fails", 1, "status 7"},
        Ending{
            "throws", 3,
            "threw std::runtime_error: no luck in block 1 of launch 0, after "
            "kernel.cpp:10"},
        Ending{"exits", 1, "exit is called in block 0 of launch 0, after "},
        Ending{"quits", 3, "ended by _exit(0) in block 0 of launch 0, after "},
        Ending{"quits-outside", 0, "ended by _exit(0) behind launch 0"},
        Ending{"aborts", 3, "killed by SIGABRT in block 0 of launch 0"},
        Ending{"kills", 1, "(and 1 more)\nlanediff run: killed by SIGKILL in "},
        Ending{"crashes", 1,
               "(and 3 more)\nlanediff run: killed by SIGSEGV in block 3 of "
               "launch 0, after kernel.cpp:10"},
        Ending{"crashes-inside", 3,
               "killed by SIGSEGV in block 0 of launch 0, "
               "in Crash kernel.cpp:10"},
        Ending{"throws-inside", 3, "lanediff itself failed: std::bad_alloc"},
        Ending{"recurses", 3, "stack overflow, killed by SIGSEGV in block 0"},
        Ending{"thread-in-block", 3,
               "a thread that runs no block calls Add at kernel.cpp:12"},
        Ending{"thread-beside-direct", 3,
               "a thread that runs no block calls Add at kernel.cpp:13"},
        Ending{"nested", 2,
               "main.cpp:4: refused: a launch (a kernel launches a kernel)"},
        Ending{
            "no-blocks", 2,
            "refused: kernel (a launch of 0 blocks; 1 to 65535 are allowed)"},
        Ending{"closes-all", 1, "TEST-FOUND"},
        Ending{"leaves-a-process", 0, "status=0"},
        Ending{"two-products", 2,
               "files of the program are compiled for atlas-a2 and for "
               "atlas-training; compile all of them for one"}),
    [](const auto& one) {
      std::string name = one.param.does;
      std::erase(name, '-');
      return name;
    });

TEST_F(Host, WhatIsForkedRunsNoKernelAndLeavesTheRunAlone) {
  for (const char* const does : {"forks", "forks-by-number"}) {
    const Result result = Run(does);
    EXPECT_EQ(result.status, 2) << does;
    EXPECT_TRUE(Has(result.err,
                    "main.cpp:1: a launch in a process that the "
                    "program forked"))
        << result.err;
    EXPECT_TRUE(Has(result.err,
                    "main.cpp:1: refused: a launch (in a process that the "
                    "program forked)\n"))
        << result.err;
    EXPECT_TRUE(Has(result.err, " racecheck=0 "));
  }
}

TEST_F(Host, AReportBeginsALineAndLinesLikeItsOwnAreMarked) {
  const Result result = Alone("prints-like-a-report");
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_TRUE(
      result.err.starts_with("\x1b[0mkernel: SUMMARY one\n"
                             "\bkernel: CHECKED two\n"
                             "  SUMMARY three\n"
                             "four SUMMARY\tSUMMARY\n"
                             "\rkernel: NOT-CHECKED\n"
                             "SUM\n"
                             "no end\n"
                             "lanediff run: "))
      << result.err;
  EXPECT_EQ(result.out, "no end of this");
}

TEST_F(Host, TheSecondSignalEndsAProgramThatIgnoresThem) {
  const Result result =
      Shell("mkfifo fifo; LANEDIFF_RUN=main.cpp '" HOST_PROGRAM
            "' ignores-signals >fifo & read word pid <fifo; kill -TERM $!; "
            "sleep 0.3; kill -0 $pid && kill -INT $!; wait $!");
  EXPECT_EQ(result.status, 1);
  EXPECT_TRUE(Has(result.err, "killed by SIGKILL in block 0")) << result.err;
}

TEST_F(Host, SecondsEndAProgramThatDoesNotEnd) {
  const Result result = Run("hangs", "LANEDIFF_OPTIONS='--seconds 3'");
  EXPECT_EQ(result.status, 1);
  EXPECT_TRUE(Has(result.err, kOnce)) << result.err;
  EXPECT_TRUE(Has(result.err,
                  "ended after 3 seconds (--seconds) in block 0 of launch 0, "
                  "after kernel.cpp:10"))
      << result.err;
}

TEST_F(Host, SignalsArePassedOn) {
  const Result result =
      Shell("mkfifo fifo; LANEDIFF_RUN=main.cpp '" HOST_PROGRAM
            "' waits >fifo & read word pid <fifo; kill -TERM $!; wait $!");
  EXPECT_EQ(result.status, 3);
  EXPECT_TRUE(Has(result.err, "killed by SIGTERM")) << result.err;
}

TEST_F(Host, CtrlCEndsItWithWhatWasFound) {
  // A terminal sends it to both processes.
  const Result result = Shell(
      "mkfifo fifo; LANEDIFF_RUN=main.cpp env --default-signal=INT "
      "setsid '" HOST_PROGRAM
      "' finds-and-waits >fifo & read word pid <fifo; kill -INT -$!; "
      "wait $!");
  EXPECT_EQ(result.status, 1);
  EXPECT_TRUE(Has(result.err, kOnce)) << result.err;
  EXPECT_TRUE(
      Has(result.err, "killed by SIGINT in block 0 of launch 0, after "))
      << result.err;
}

TEST_F(Host, TheProgramEndsWithTheProcessThatWatchesIt) {
  const Result result =
      Shell("mkfifo fifo; '" HOST_PROGRAM
            "' waits >fifo & read word pid <fifo; kill -KILL $!; wait $!; "
            "for i in $(seq 10000); do "
            "grep -qs 'State:.[^Z]' /proc/$pid/status || exit 0; done; exit 9");
  EXPECT_EQ(result.status, 0);
}

// ---- A program run alone ----

TEST_F(Host, AloneItsOwnStatusStandsUnlessItIs0) {
  EXPECT_EQ(Alone("clean").status, 0);
  EXPECT_EQ(Alone("finds").status, 1);
  EXPECT_EQ(Alone("refused").status, 2);
  EXPECT_EQ(Alone("crashes-inside").status, 3);
  EXPECT_EQ(Alone("main-fails").status, 7);
  EXPECT_EQ(Alone("finds-and-fails").status, 7);
  EXPECT_TRUE(Has(Alone("finds-and-fails").err, kOnce));
}

TEST_F(Host, AloneAndWithoutKernelsNothingIsSaid) {
  const Result result = Alone("nothing");
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.err, "");
  EXPECT_EQ(Alone("no-such-word").status, 99);
  EXPECT_EQ(Alone("nothing", "LANEDIFF_OPTIONS=--notes").status, 2);
  // Ended by the same signal.
  EXPECT_EQ(Shell("mkfifo fifo; '" HOST_PROGRAM
                  "' waits >fifo & read word pid <fifo; kill -TERM $!; wait $!")
                .status,
            143);
}

TEST_F(Host, StandardInputAndOutputAreThePrograms) {
  EXPECT_EQ(Alone("echo", "echo text |").out, "text\n");
}

TEST_F(Host, OptionsThatAreWrongEndItBeforeMain) {
  const Result result = Alone("syncs", "LANEDIFF_OPTIONS=--no-such");
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(
      result.err,
      "lanediff: LANEDIFF_OPTIONS: no option \"--no-such\"; `lanediff run "
      "--help` lists the options\n");
}

TEST_F(Host, TheProductIsTheOneThatTheProgramIsCompiledFor) {
  EXPECT_TRUE(Run("training").err.starts_with("lanediff run: atlas-training,"));
  EXPECT_TRUE(Run("a2", "LANEDIFF_OPTIONS='--product atlas-a3'")
                  .err.starts_with("lanediff run: atlas-a3,"));
  const Result result =
      Run("training", "LANEDIFF_OPTIONS='--product atlas-a2'");
  EXPECT_EQ(result.status, 2);
  EXPECT_TRUE(Has(result.err, "the program was compiled for atlas-training"))
      << result.err;
}

}  // namespace
}  // namespace lanediff::host
