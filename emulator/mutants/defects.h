#pragma once

#include <cstddef>
#include <string>

#include "emulator/mutants/mutant.h"

/// What mutants of several instructions have in common.
namespace lanediff::mutants {

/// What a mutant shares with those that plant the same defect in other
/// instructions of its family, such as "elementwise/mask-words-swapped": the
/// family, and its name without the instruction's.
std::string DefectOf(const Mutant& mutant);

/// How many different defects all mutants plant.
std::size_t CountDefects();

}  // namespace lanediff::mutants
