#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "diff/target.h"
#include "emulator/emulator.h"

namespace lanediff::diff {

/// The emulator with some of its seams replaced, under a name of its own.
std::unique_ptr<Target> EmulatorWith(const emulator::Seams& seams,
                                     std::string name,
                                     std::string_view description);

/// The emulator as it is by default, with each set of vector kernels that runs
/// here, and without any.
std::span<const std::unique_ptr<Target>> Emulators();

/// Why this processor has no emulator called `name`, if another one has it.
std::optional<std::string> WhyNotHere(std::string_view name);

}  // namespace lanediff::diff
