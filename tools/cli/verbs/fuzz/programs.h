#pragma once

#include <expected>
#include <string>
#include <vector>

#include "tools/cli/verbs/fuzz/options.h"

namespace lanediff::cli {

/// Fuzz programs that were found, all in one folder.
struct Fuzzers {
  std::string folder;
  std::vector<std::string> instructions;  ///< sorted

  /// The program's path.
  std::string Program(const std::string& instruction) const;
};

/// This program.
std::string SelfProgram(const FuzzOptions& options);

/// The programs that `options` request; the error is one line.
std::expected<Fuzzers, std::string> FindFuzzers(const FuzzOptions& options);

}  // namespace lanediff::cli
