#pragma once

#include "audit/characterize/profile_builder.h"

/// What calls leave besides their results: for iterations after them, in bytes
/// and lanes of nobody, in the mask register.
namespace lanediff::character {

/// "sees earlier writes", "does not see them"; of two operands.
void AskIterations(Asker& asker, const Fold& fold, ProfileBuilder& profile);

/// Which iteration wins a destination that all write.
void AskOneDestination(Asker& asker, const Fold& fold, ProfileBuilder& profile);

/// What bytes hold that a call does not write: "kept", "zeroed", "other".
void AskOtherBytes(Asker& asker, const Fold& fold, ProfileBuilder& profile);

/// The mask register after each form of the call: "its own mask", "kept", "all
/// ones", "empty", or its two words.
void AskMaskAfter(Asker& asker, const Fold& fold, ProfileBuilder& profile);

}  // namespace lanediff::character
