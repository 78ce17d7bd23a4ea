#pragma once

#include <optional>

#include "audit/characterize/meetings.h"
#include "audit/characterize/prober.h"
#include "audit/characterize/profile_builder.h"

/// How a fold computes: each question by a few values whose results differ
/// among the answers that there may be.
namespace lanediff::character {

/// Three leaves of which two meet first; nothing where no two do, or there is
/// no answer. Two leaves have none.
std::optional<Triple> FirstOfThree(Prober& prober);

/// "nearest-even", …; "other" where none fits all values.
Said RoundingOf(Prober& prober);
/// The type between whose numbers nodes are rounded: "half", "float",
/// "double", "exact", "14 bits".
Said AccumulatorOf(Prober& prober);
/// "each node", "at the end", "never"; of two operands and of integers
/// "saturates", "never" or "wraps".
Said SaturationOf(Prober& prober);
/// Of an infinity that is alone: "saturates", "passes".
Said LoneInfinityOf(Prober& prober);
/// "kept", "flushed in", "flushed out", "flushed in and out".
Said SubnormalsOf(Prober& prober);
/// "ieee", or what differs.
Said ZeroSignOf(Prober& prober);
/// "propagates", "skipped", "becomes 0", "first operand", "second operand".
Said NanOf(Prober& prober);
/// NaN at a node of several, saturation being on: "becomes 0 at each node", …
Said NanBetweenOf(Prober& prober);
/// inf - inf, or inf * 0: "nan", "0".
Said InvalidOf(Prober& prober);
/// Infinities that compete for a minimum or maximum: "kept", "saturate".
Said InfinitiesOf(Prober& prober);
/// Which of +0 and -0 is the minimum, or the maximum.
Said TiesOf(Prober& prober);

/// Asks all that is to be asked of `fold` and writes it down.
void AskArithmetic(Asker& asker, const Fold& fold, ProfileBuilder& profile);

}  // namespace lanediff::character
