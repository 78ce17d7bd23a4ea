#pragma once

#include <set>
#include <string>
#include <vector>

#include "kernel/engine/options.h"

namespace lanediff::cli {

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

}  // namespace lanediff::cli
