#pragma once

#include <span>

#include "tools/bench/row.h"

namespace lanediff::bench {

/// Every row of the table, in its order.
std::span<const Row> Rows();

}  // namespace lanediff::bench
