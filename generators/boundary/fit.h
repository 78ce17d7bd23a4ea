#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "differential/testcase/case.h"
#include "isa/step.h"

/// Windows and memories that hold exactly what a call needs, so that one byte
/// less or more is on the other side of a bounds rule.
namespace lanediff::make::sweep {

/// Larger memories are never made: what needs more is left as it is.
inline constexpr std::int64_t kLargestMemoryBytes = std::int64_t{4} << 20;

/// Lays the operands of the last step one after the other, from 0 in each
/// memory, each window exactly as large as what the call needs, operand
/// `last` behind all others. Memories are as large as their last window's end.
/// False, with nothing changed, where that is more than the product's capacity.
bool Place(Case& c, std::size_t last = 0);

/// How many operands and tiles a step has.
std::size_t OperandCount(const isa::Step& step);

/// Memory of the last step's operand number `operand`.
isa::Memory MemoryOf(const Case& c, std::size_t operand);

/// An integer that a step holds, with operands and tiles taken apart:
/// "dst.at".
struct NamedInteger {
  std::string name;
  std::int64_t* value;

  bool IsWindow() const {
    return name.ends_with(".at") || name.ends_with(".bytes");
  }
};

/// All integers of `step`, valid as long as it keeps its type.
std::vector<NamedInteger> IntegersOf(isa::Step& step);

/// The last step's integer called `name`, which must exist.
std::int64_t& IntegerCalled(Case& c, std::string_view name);

}  // namespace lanediff::make::sweep
