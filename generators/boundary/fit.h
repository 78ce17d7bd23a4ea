#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
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

/// The call under test: the last step.
inline isa::Call& Subject(Case& c) {
  return std::get<isa::Call>(c.program.back());
}

/// An operand or tile of a call, open to change.
struct Window {
  std::string_view name;
  isa::Position* position;
  std::optional<isa::DType>* dtype;
  std::int64_t* at;
  std::int64_t* bytes;  ///< null for a tile: its shape has it
};

std::vector<Window> WindowsOf(isa::Call& call);

/// How many windows a call of the row has.
inline std::size_t WindowCount(const isa::Signature& row) {
  return row.operands.size() + row.tiles.size();
}

/// The memory of window number `k` of the call under test.
std::optional<MemoryImage>& MemoryOf(Case& c, std::size_t k);

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

}  // namespace lanediff::make::sweep
