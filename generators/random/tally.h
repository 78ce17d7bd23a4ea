#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "differential/targets/target.h"
#include "differential/testcase/case.h"
#include "generators/random/generate.h"
#include "isa/rule.h"

/// What generated cases are worth: counted here, printed by the command line,
/// held to floors by a test.
namespace lanediff::make {

/// What a reference makes of a case.
struct Judgement {
  bool legal = false;              ///< every step was executed
  std::vector<isa::RuleId> rules;  ///< that the rejected step breaks
  std::uint64_t nodes = 0;
  std::uint64_t operations = 0;  ///< nodes and elements written
  std::int64_t iterations = 0;   ///< of the longest executed step
};

/// Runs `c` on `reference`, which must know its accesses (the oracle).
Judgement Judge(const Case& c, const diff::Target& reference);

/// Sums over the generated cases of one instruction.
struct Tally {
  explicit Tally(const Generator& g) : generator(&g) {}

  void Add(const Generated& generated, const Judgement& judgement);

  double legal_share() const;
  /// Of legal cases.
  double mean_operations() const;
  double long_share() const;
  /// Of all cases: sizes of their memories together.
  double mean_bytes() const;

  const Generator* generator;
  std::uint64_t cases = 0;
  std::uint64_t legal = 0;
  std::uint64_t mutated = 0;
  std::uint64_t nodes = 0;       ///< legal cases
  std::uint64_t operations = 0;  ///< legal cases
  std::uint64_t long_cases = 0;  ///< legal, with 64 iterations or more
  std::uint64_t bytes = 0;
  std::map<isa::RuleId, std::uint64_t> broken;
  std::array<std::uint64_t, isa::kCount<LayoutIntent>> layouts{};
  std::array<std::uint64_t, isa::kCount<DataIntent>> data{};
};

/// The reject rules of the instruction; of every instruction for programs.
std::vector<isa::RuleId> RejectRulesOf(const Generator& generator);

/// Whether the instruction's data may be drawn with `intent`.
bool Draws(const Generator& generator, DataIntent intent);

/// The floors that `tally`, of 20,000 cases by intent or more, misses; one line
/// each: what, found, allowed.
std::vector<std::string> MissedFloors(const Tally& tally);

}  // namespace lanediff::make
