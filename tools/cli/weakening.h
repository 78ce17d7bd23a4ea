#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

#include "isa/vocabulary.h"
#include "reports/weaken_record.h"

namespace lanediff::cli {

/// A built program and how it is run.
struct WeakenQuestion {
  std::string program;  ///< path
  std::string name;     ///< what the user calls it
  isa::Product product = isa::Product::kAtlasA2;
  std::vector<std::string> arguments;
  std::int64_t seconds = 60;  ///< a run has
  std::string folder;         ///< for what runs leave
};

/// Runs it with each place taken away, with and without the compiler's
/// synchronization, and prints a line for each. The error is a line.
std::expected<reports::WeakenRecord, std::string> Weaken(
    const WeakenQuestion& question);

}  // namespace lanediff::cli
