#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "differential/testcase/case.h"
#include "sanitizer/repair.h"

namespace lanediff::lint {

/// What a repair leaves undone that lowers a repeat or the number of blocks.
struct SecondCalls {
  std::int64_t iterations = 0;  ///< 0: nothing
  /// Calls that do them, to be put in right behind the repaired step. Empty
  /// where no such calls are found, or more than 16 would be needed.
  std::vector<isa::Step> steps;
};

/// Of the repair of step `number` of `c`. Each call has the repaired one's
/// strides and windows that begin where its first iteration does; together they
/// touch exactly the bytes of the iterations that are missing. Whether they are
/// legal is not looked at.
SecondCalls SecondCallsOf(const Case& c, std::size_t number,
                          const Repair& repair);

}  // namespace lanediff::lint
