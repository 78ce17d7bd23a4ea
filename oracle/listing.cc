#include "oracle/listing.h"

#include <cassert>
#include <cstddef>
#include <cstdint>

namespace lanediff::oracle {

bool WindowIsInMemory(const isa::Operand& operand, isa::Memory memory,
                      const isa::Memories& memories) {
  if (operand.at < 0 || operand.bytes < 0) return false;
  return Address{operand.at} + operand.bytes <=
         static_cast<Address>(memories[memory].size());
}

bool RunIsInWindow(const isa::Operand& operand, Address first,
                   std::int64_t count) {
  return first >= operand.at &&
         first + count <= Address{operand.at} + operand.bytes;
}

ByteMarks::ByteMarks(Address first, Address end)
    : first_(first), marks_(static_cast<std::size_t>(end - first)) {}

void ByteMarks::Mark(Address at, std::int64_t count) {
  for (Address byte = at; byte < at + count; ++byte) {
    assert(byte >= first_ &&
           byte - first_ < static_cast<Address>(marks_.size()));
    marks_[static_cast<std::size_t>(byte - first_)] = true;
  }
}

bool ByteMarks::Any(Address at, std::int64_t count) const {
  for (Address byte = at; byte < at + count; ++byte) {
    const Address index = byte - first_;
    if (index < 0 || index >= static_cast<Address>(marks_.size())) continue;
    if (marks_[static_cast<std::size_t>(index)]) return true;
  }
  return false;
}

}  // namespace lanediff::oracle
