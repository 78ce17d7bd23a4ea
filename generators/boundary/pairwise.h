#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "generators/boundary/emitter.h"

namespace lanediff::make::sweep {

/// Rows of class numbers, one for each parameter, in which every pair of
/// classes of every two parameters stands at least once. `classes` states how
/// many classes each parameter has, each at least 1. Greedy: a row starts from
/// a pair that is still missing and takes for each other parameter the class
/// that adds most missing pairs; `seed` decides between equals. The same
/// arguments give the same rows.
std::vector<std::vector<std::size_t>> CoveringRows(
    const std::vector<std::size_t>& classes, std::uint64_t seed);

/// The cases that `combine` makes of the rows of many coverings, no two alike.
/// The last of `classes` is of `Data`.
void SweepRows(
    Emitter& out, const std::vector<std::size_t>& classes,
    const std::function<std::optional<Case>(const std::vector<std::size_t>&)>&
        combine);

}  // namespace lanediff::make::sweep
