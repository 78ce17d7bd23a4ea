#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "differential/testcase/case.h"
#include "emulator/mutants/mutant.h"
#include "reports/mutant_record.h"
#include "tools/cli/interrupt.h"

/// One checker hunting the mutants of one instruction.
namespace lanediff::cli {

/// What all checkers of a run share.
struct HuntGround {
  std::uint64_t cases = 0;  ///< budget of a checker that makes cases
  std::vector<Case> corpus;
  isa::Edition edition = isa::kNewestEdition;  ///< of the cases that are made
  std::string properties;  ///< the program of the laws; empty: not there
  /// When to stop, unless interrupted; the end of time if there is no cap.
  std::chrono::steady_clock::time_point deadline;

  bool TimeIsUp() const {
    return Interrupted() || std::chrono::steady_clock::now() >= deadline;
  }
};

/// The checkers by name, the cheapest first.
inline constexpr const char* kCheckers[] = {
    "expectations",     "corpus", reports::kGuided,
    reports::kBaseline, "sweep",  "properties"};

/// Whether another seed may give `checker` another result worth having.
bool DependsOnSeed(std::string_view checker);

/// Whether `checker` runs the reference beside the mutants, once for all.
bool HasReference(std::string_view checker);

/// Lets `checker` hunt `mutants`, all of one instruction, with one seed. One
/// record for each mutant, in their order.
std::vector<reports::CheckerRecord> Hunt(
    std::string_view checker, std::span<const mutants::Mutant* const> mutants,
    std::uint64_t seed, const HuntGround& ground);

}  // namespace lanediff::cli
