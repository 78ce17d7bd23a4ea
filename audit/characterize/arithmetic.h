#pragma once

#include <optional>

#include "audit/characterize/probe_runner.h"
#include "audit/characterize/profile_builder.h"
#include "audit/characterize/summation_tree_probe.h"

/// How a fold computes: each question by a few values whose results differ
/// among the answers that there may be.
namespace lanediff::character {

/// Three leaves of which two meet first; nothing where no two do, or there is
/// no answer. Two leaves have none.
std::optional<Triple> FirstOfThree(Prober& prober);

/// "nearest-even", …; "other" where none fits all values.
ProbeResult RoundingOf(Prober& prober);
/// The type between whose numbers nodes are rounded: "half", "float",
/// "double", "exact", "14 bits".
ProbeResult AccumulatorOf(Prober& prober);
/// "each node", "at the end", "never"; of two operands and of integers
/// "saturates", "never" or "wraps".
ProbeResult SaturationOf(Prober& prober);
/// Of an infinity that is alone: "saturates", "passes".
ProbeResult LoneInfinityOf(Prober& prober);
/// "kept", "flushed in", "flushed out", "flushed in and out".
ProbeResult SubnormalsOf(Prober& prober);
/// "ieee", or what differs.
ProbeResult ZeroSignOf(Prober& prober);
/// "propagates", "skipped", "becomes 0", "first operand", "second operand".
ProbeResult NanOf(Prober& prober);
/// NaN at a node of several, saturation being on: "becomes 0 at each node", …
ProbeResult NanBetweenOf(Prober& prober);
/// inf - inf, or inf * 0: "nan", "0".
ProbeResult InvalidOf(Prober& prober);
/// Infinities that compete for a minimum or maximum: "kept", "saturate".
ProbeResult InfinitiesOf(Prober& prober);
/// Which of +0 and -0 is the minimum, or the maximum.
ProbeResult TiesOf(Prober& prober);

/// Probes all questions on `fold` and writes the answers to `profile`.
void ProbeArithmetic(ProbeRunner& runner, const Fold& fold,
                     ProfileBuilder& profile);

}  // namespace lanediff::character
