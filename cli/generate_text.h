#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/verbs.h"
#include "diff/generate/tally.h"

/// What `lanediff generate` tells.
namespace lanediff::cli {

/// One instruction's turn.
struct GenerateTurn {
  explicit GenerateTurn(const diff::Generator& g) : tally(g) {}

  diff::Tally tally;
  double generate_seconds = 0;
  // With --check:
  double check_seconds = 0;
  std::uint64_t checked_legal = 0;
  std::uint64_t checked_illegal = 0;
  std::uint64_t unsupported = 0;
  std::uint64_t nodes = 0;  ///< of all checked cases
  std::uint64_t findings = 0;
};

/// A table for people.
std::string GenerateText(const GenerateTurn& turn, bool checked);

/// All turns as one document, lanediff-generate/1.
std::string GenerateJson(const std::vector<GenerateTurn>& turns,
                         const GenerateOptions& options);

}  // namespace lanediff::cli
