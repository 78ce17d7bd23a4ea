#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "isa/vocabulary.h"
#include "kernel/engine/options.h"
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

}  // namespace lanediff::cli
