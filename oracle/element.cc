#include "oracle/element.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace lanediff::oracle {

std::uint64_t Load(std::span<const std::uint8_t> memory, Address at,
                   std::int64_t bytes) {
  std::uint64_t bits = 0;
  for (std::int64_t i = 0; i < bytes; ++i) {
    bits |= std::uint64_t{memory[static_cast<std::size_t>(at + i)]} << (8 * i);
  }
  return bits;
}

void Store(std::span<std::uint8_t> memory, Address at, std::int64_t bytes,
           std::uint64_t bits) {
  for (std::int64_t i = 0; i < bytes; ++i) {
    memory[static_cast<std::size_t>(at + i)] =
        static_cast<std::uint8_t>(bits >> (8 * i));
  }
}

}  // namespace lanediff::oracle
