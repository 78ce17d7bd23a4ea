#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "differential/testcase/case.h"
#include "emulator/mutants/mutant.h"
#include "reports/mutant_record.h"
#include "tools/cli/program.h"
#include "tools/cli/shard.h"

/// Checkers that hunt planted defects, and how many each may miss.
namespace lanediff::cli {

/// What reports have of a mutant.
reports::MutantHead HeadOf(const mutants::Mutant& mutant);

/// How many planted defects each checker may miss when it hunts alone
/// (emulator/mutants/floors.txt). A number there may only become smaller.
struct Floor {
  std::string file;
  std::uint64_t seed = 0;                     ///< of the hunts that it is of
  std::uint64_t cases = 0;                    ///< their budget
  std::map<std::string, std::size_t> missed;  ///< by checker, at most
};

/// Reads "seed N cases N", then lines "SHARD CHECKER MISSED", of which those of
/// `shard` count ("0/1": all mutants); "#" begins a comment. Throws an `Exit`
/// where it can't.
Floor ReadFloor(const std::string& file, const Shard& shard);

/// Prints each checker's result beside its floor. The exit status: 1 where one
/// misses more, 2 where a hunt has no result.
int HoldToFloor(const Floor& floor, const reports::MutantsRecord& record);

/// What all checkers of a run share.
struct HuntGround {
  std::uint64_t cases = 0;  ///< budget of a checker that makes cases
  std::vector<Case> corpus;
  isa::Edition edition = isa::kNewestEdition;  ///< of the cases that are made
  std::string product;     ///< as which cases are run; empty: their own
  std::string properties;  ///< the program of the laws; empty: not there
  /// When to stop, unless interrupted; the end of time if there is no cap.
  std::chrono::steady_clock::time_point deadline;

  /// A case that was made, as one of `product`.
  Case As(Case c) const;
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
