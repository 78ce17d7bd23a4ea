#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "oracle/listing.h"
#include "oracle/oracle.h"

namespace lanediff::oracle {

/// One element that an iteration reads or writes.
struct ElementAt {
  std::int64_t lane = 0;
  Address at = 0;  ///< inside the memory
};

/// Appends the accesses to `elements`, `element_bytes` each: one for each run
/// of consecutive lanes at consecutive addresses. What they have in common is
/// taken from `common`.
void AppendAccesses(const Access& common, std::span<const ElementAt> elements,
                    std::int64_t element_bytes, std::vector<Access>& accesses);

}  // namespace lanediff::oracle
