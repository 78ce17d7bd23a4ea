#pragma once

#include <optional>
#include <set>
#include <string_view>

#include "audit/characterize/profile_builder.h"
#include "audit/characterize/summation_tree_probe.h"

/// The questions besides that of the order. Each writes its answers.
namespace lanediff::character {

// How a fold computes: each question by a few values whose results differ
// among the answers that there may be.

/// Three leaves of which two meet first; nothing where no two do, or there is
/// no answer. Two leaves have none.
std::optional<Triple> FirstOfThree(Prober& prober);

/// "nearest-even", …; "other" where none fits all values.
ProbeResult RoundingOf(Prober& prober);
/// The type between whose numbers nodes are rounded: "half", "float",
/// "double", "exact", "14 bits".
ProbeResult AccumulatorOf(Prober& prober);

/// All questions on how `fold` computes.
void ProbeArithmetic(ProbeRunner& runner, const Fold& fold, Character& profile);

// What calls leave besides their results: for iterations after them, in bytes
// and lanes outside the operands, in the mask register.

/// "sees earlier writes", "does not see them"; of two operands.
void ProbeIterations(ProbeRunner& runner, const Fold& fold, Character& profile);

/// Which iteration wins a destination that all write.
void ProbeOneDestination(ProbeRunner& runner, const Fold& fold,
                         Character& profile);

/// What bytes hold that a call does not write: "kept", "zeroed", "other".
void ProbeOtherBytes(ProbeRunner& runner, const Fold& fold, Character& profile);

/// The mask register after each form of the call: "its own mask", "kept", "all
/// ones", "empty", or its two words.
void ProbeMaskAfter(ProbeRunner& runner, const Fold& fold, Character& profile);

/// What the target does with calls that break a rule, by rule: for each the
/// first systematic cases (generators/boundary) in which it alone is broken, by
/// the last step. `op`: of one instruction; empty: of all but those `without`,
/// which the target has not, and of machine state. "rejects", "executes",
/// "crashes"; the note reports the rest: that another rule was named, how
/// memory looks, at which of several points it is so.
void ProbeIllegal(ProbeRunner& runner, std::string_view op,
                  isa::Edition edition,
                  const std::set<std::string_view>& without,
                  Character& profile);

}  // namespace lanediff::character
