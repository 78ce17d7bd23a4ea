#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "differential/testcase/case.h"
#include "sanitizer/init_reads.h"

namespace lanediff::lint {

/// All bytes that step `number` of `c` reads and that nothing has written
/// before it, by operand; of one operand only if one is named. Values computed
/// from such bytes are written.
std::vector<InitRead> UnwrittenReads(const Case& c, std::size_t number,
                                     std::string_view operand = {});

}  // namespace lanediff::lint
