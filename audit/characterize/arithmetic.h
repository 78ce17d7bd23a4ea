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

/// Probes all questions on `fold` and writes the answers to `profile`.
void ProbeArithmetic(ProbeRunner& runner, const Fold& fold,
                     ProfileBuilder& profile);

}  // namespace lanediff::character
