#pragma once

#include <atomic>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "isa/vocabulary.h"
#include "kernel/engine/options.h"
#include "kernel/engine/recorded.h"
#include "kernel/launch/handover.h"
#include "kernel/launch/report.h"
#include "reports/kernel_record.h"
#include "tools/cli/command_line.h"

/// How kernels are compiled and run.
namespace lanediff::cli {

/// A kernel that has no host main.
struct KernelCall {
  std::string kernel;  ///< "f<half>"
  std::int64_t blocks = 1;
  /// "in:half:2048:fill:1", "in:half:2048:ramp:0:0.5",
  /// "in:half:2048:file:PATH" and the same with inout, "inout:half:16",
  /// "out:half:16", "out:half:16:file:PATH",
  /// "int32:5": in the kernel's order.
  std::vector<std::string> arguments;
};

/// Source of a program that includes `sources`, makes the arguments, launches
/// the kernel and prints what `out` arguments hold. Throws an
/// `Exit` for an argument that is not so.
std::string KernelMain(const KernelCall& call,
                       const std::vector<std::string>& sources);

/// What kernels are compiled with, where this program lies: below the folder
/// above its own, or that of $LANEDIFF_PREFIX.
struct Kit {
  std::string include;  ///< has lanediff/kernel_abi.h
  std::string library;  ///< liblanediff_kernel.so
  std::string tik;      ///< Python packages
};
/// Throws an `Exit` where it is not there.
Kit FindKit();

struct Compilation {
  std::vector<std::string> sources;
  std::vector<std::string> include;  ///< folders
  std::vector<std::string> define;   ///< NAME or NAME=VALUE
  isa::Product product = isa::Product::kAtlasA2;
  bool debug = false;  ///< -g
  /// Where the sources have no main; its kernel is "" where they have one.
  KernelCall call;
};

struct Compiled {
  int file = -1;  ///< descriptor of the program, which is in no folder any more
  std::set<std::string> sources;  ///< all files that the compiler read
};

/// Compiles with $CXX, or c++, and $CXXFLAGS. Its messages go to
/// stderr. Throws an `Exit` where they fail and, without a process or a file
/// left, at a signal that would end this process.
Compiled Compile(const Kit& kit, const Compilation& compilation);

/// -I, -D, --kernel, --blocks and --arg.
void AddCompilation(Verb& verb, Compilation& compilation);

/// A program that is to check itself by the library.
struct Checked {
  int file = -1;  ///< of the program; -1: `path` has it
  std::string path;
  std::set<std::string> sources;  ///< files of it that are known; or none
  std::string name;               ///< as the user knows it
  std::vector<std::string> arguments;
  std::string options_text;  ///< for LANEDIFF_OPTIONS
  kernel::RunOptions options;
};

/// Runs it, reports what the programs that it starts found, and returns the
/// status, or dies of its signal where all was well. If the library was never
/// loaded reports that nothing was checked: status 2, or 3 if the program
/// failed or can't be run.
int Execute(const Checked& program);

/// A script of TIK, and what it gets.
struct Script {
  std::string file;
  std::vector<std::string> feeds;  ///< of --feed
  std::vector<std::string> arguments;
  std::string packages;  ///< the folder of tik.py
  std::string options;   ///< as LANEDIFF_OPTIONS has them
};

/// Runs it in a process of python3 and the programs that it streams in this
/// one, all in one report. Returns the status.
int RunScript(const Script& script);

/// A run whose programs come from another process, one after another: one
/// report. Messages, in any order:
///
///   {…}            a `lanediff-case/2` document, the program of a kernel. It
///   is
///                  answered by a line of JSON: {"found", "memory": {"GM":
///                  [{"at", "hex"}], …}}, whether a call was rejected or a
///                  finding made, and what is in memory at the end; with "stop"
///                  where --max-errors ends the run; {"error"} where it can't
///                  be run. "GM" may be given in several pieces.
///   script {"program", "pid"}
///                  who speaks, where that is the process that started this
///                  one:
///                  --seconds ends it, and it sends `end` before it leaves
///   poison {"kernel", "at", "bytes", "site"}
///                  bytes of GM that two runs of the last program left
///                  different
///   refusal {…}    a kernel::Refusal
///   end {…}        a kernel::End: how the script ended
class ProgramSession {
 public:
  /// The error is a line.
  static std::expected<std::unique_ptr<ProgramSession>, std::string> Make(
      const kernel::RunOptions& options, std::string program);

  /// Reads from `in` to its end, and answers to `out`.
  void Serve(int in, int out);
  /// From another thread: no step begins any more.
  void Stop() { stop_ = true; }

  /// Behind `Serve`: ends the run so, unless --max-errors has. Reports it;
  /// returns the status.
  int Report(std::optional<kernel::End> end);
  /// The `end` of the script, if it sent one.
  const std::optional<kernel::End>& script_end() const { return script_end_; }
  std::string Place() const { return recorded_.Place(); }

  /// The process that `script` named; 0 if it isn't our parent, -1: no
  /// `script`.
  std::atomic<int> script = -1;
  /// The programs that the script started, if any.
  const host::HandedOver* started = nullptr;
  /// Why a document could not be run; empty if all could.
  std::string objection;
  /// The message that could not be read, and why; empty if all could.
  std::string message_fault;
  bool launched() const { return record_.counts.launches > 0; }

 private:
  ProgramSession(const kernel::RunOptions& options, host::Wanted wanted,
                 std::string program, std::optional<host::Handover> outer);
  std::string Refuse(const std::string& why);
  std::string Answer(const std::string& text);
  std::string Take(const std::string& line);

  kernel::RunOptions options_;
  host::Wanted wanted_;
  std::optional<host::Handover> outer_;  ///< where this run is in another
  kernel::RunRecord record_;
  kernel::Recorded recorded_;
  std::optional<kernel::End> script_end_;
  std::atomic<bool> stop_ = false;
};

/// "ended after 5 seconds (--seconds)" and where.
kernel::End TimedOut(std::uint64_t seconds, const std::string& place);

/// `lanediff run --program -`: a session with stdin and stdout. The report goes
/// to stderr. Returns the status; 2 with one line where no script speaks and a
/// document is no case.
int RunPrograms(const kernel::RunOptions& options);

}  // namespace lanediff::cli
