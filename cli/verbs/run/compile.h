#pragma once

#include <expected>
#include <string>
#include <vector>

#include "cli/command_line.h"
#include "cli/verbs/run/kernel_main.h"
#include "isa/vocabulary.h"

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

/// Compiles with $CXX, or c++, and $CXXFLAGS: a file descriptor of the program,
/// which is in no folder any more. What the compiler says goes to stderr. The
/// error is a line.
std::expected<int, std::string> Compile(const Kit& kit,
                                        const Compilation& compilation);

/// --kernel, --blocks and --arg.
void AddKernelCall(Verb& verb, KernelCall& call);

}  // namespace lanediff::cli
