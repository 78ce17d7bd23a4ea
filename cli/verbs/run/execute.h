#pragma once

#include <string>
#include <vector>

#include "kernel/options.h"

namespace lanediff::cli {

/// A program that is to check itself by the library.
struct Checked {
  int file = -1;  ///< of the program; -1: `path` has it
  std::string path;
  std::string name;  ///< as the user knows it
  std::vector<std::string> arguments;
  std::string options_text;  ///< for LANEDIFF_OPTIONS
  kernel::RunOptions options;
};

/// Runs it and returns its status, which is that of the library, or dies of its
/// signal. If the library was never loaded reports that nothing was checked:
/// status 2, or 3 if the program failed or can't be run.
int Execute(const Checked& program);

}  // namespace lanediff::cli
