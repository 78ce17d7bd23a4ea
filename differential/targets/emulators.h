#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "differential/targets/target.h"
#include "differential/targets/target_kind.h"
#include "emulator/emulator.h"

namespace lanediff::diff {

/// The emulator with some of its seams replaced, under a name of its own.
std::unique_ptr<Target> EmulatorWith(const emulator::Seams& seams,
                                     std::string name,
                                     std::string_view description);

/// The emulator as it is by default, with each set of vector kernels that runs
/// here, and without any.
std::vector<const Target*> ListedEmulators();

/// One of them; an error if this processor has no such vectors.
FoundTarget FindEmulator(std::string_view name);

inline constexpr std::string_view kMutantPrefix = "mutant:";

/// `mutant:NAME`, the emulator with a defect of emulator/mutants/mutant.h.
FoundTarget FindMutantTarget(std::string_view name);

}  // namespace lanediff::diff
