#pragma once

#include <cstddef>
#include <vector>

#include "audit/characterize/prober.h"
#include "audit/characterize/profile_builder.h"

namespace lanediff::character {

/// The lengths probed by default: of a sum lanes, of a product columns.
std::vector<std::size_t> DefaultLengths(const Fold& fold);

/// Probes in which order `fold` combines each of `lengths`, and a sum lanes
/// that lie apart, and writes the answers. An order with several names gets the
/// one that fits at all lengths.
void ProbeOrders(ProbeRunner& runner, const Fold& fold,
                 const std::vector<std::size_t>& lengths,
                 ProfileBuilder& profile);

}  // namespace lanediff::character
