#pragma once

#include "audit/characterize/profile_builder.h"

/// What calls leave besides their results: for iterations after them, in bytes
/// and lanes outside the operands, in the mask register.
namespace lanediff::character {

/// "sees earlier writes", "does not see them"; of two operands.
void ProbeIterations(ProbeRunner& runner, const Fold& fold,
                     ProfileBuilder& profile);

/// Which iteration wins a destination that all write.
void ProbeOneDestination(ProbeRunner& runner, const Fold& fold,
                         ProfileBuilder& profile);

/// What bytes hold that a call does not write: "kept", "zeroed", "other".
void ProbeOtherBytes(ProbeRunner& runner, const Fold& fold,
                     ProfileBuilder& profile);

/// The mask register after each form of the call: "its own mask", "kept", "all
/// ones", "empty", or its two words.
void ProbeMaskAfter(ProbeRunner& runner, const Fold& fold,
                    ProfileBuilder& profile);

}  // namespace lanediff::character
