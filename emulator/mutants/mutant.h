#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "emulator/emulator.h"
#include "isa/rule.h"

/// Deliberately defective emulators. Each is the real one with exactly one seam
/// replaced, so that every checker can be tested for whether it detects the
/// defect. The emulator's own code doesn't contain them.
namespace lanediff::mutants {

/// The slug of steps that set machine state.
inline constexpr std::string_view kProgramSlug = "program";

struct Mutant {
  std::string_view name;  ///< unique, such as "rrs-left-fold"
  /// Of the instruction; `kProgramSlug` for machine state.
  std::string_view slug;
  isa::RuleId rule;              ///< that it violates
  std::string_view defect;       ///< one line: what it does wrong
  std::string_view modelled_on;  ///< the real defect it imitates, or empty
  emulator::Seams seams;
};

/// All of them, instruction by instruction.
std::span<const Mutant> Mutants();

/// What a mutant shares with those that plant the same defect in other
/// instructions of its family, such as "elementwise/mask-words-swapped": the
/// family, and its name without the instruction's.
std::string DefectOf(const Mutant& mutant);

/// How many different defects all mutants plant.
std::size_t CountDefects();

/// The mutant called `name`; null if there is none.
const Mutant* FindMutant(std::string_view name);

}  // namespace lanediff::mutants
