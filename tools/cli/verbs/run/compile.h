#pragma once

#include <expected>
#include <set>
#include <string>
#include <vector>

#include "isa/vocabulary.h"
#include "tools/cli/command_line.h"
#include "tools/cli/verbs/run/kernel_main.h"

namespace lanediff::cli {

/// What kernels are compiled with, where this program lies: below the folder
/// above its own, or that of $LANEDIFF_PREFIX.
struct Kit {
  std::string include;  ///< has lanediff/kernel_abi.h
  std::string library;  ///< liblanediff_kernel.so
  std::string tik;      ///< Python packages
};
std::expected<Kit, std::string> FindKit();

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
/// stderr. Ends with an error, and without a process or a file left, at a
/// signal that would end this process. The error is a line.
std::expected<Compiled, std::string> Compile(const Kit& kit,
                                             const Compilation& compilation);

/// --kernel, --blocks and --arg.
void AddKernelCall(Verb& verb, KernelCall& call);

}  // namespace lanediff::cli
