#include "fuzz/case_bytes.h"

#include <algorithm>

#include "case/fuzz_input.h"
#include "make/generate/crossover.h"

namespace lanediff::fuzz {

bool IsOurs(std::span<const std::uint8_t> bytes) {
  return bytes.empty() || IsFuzzInputVersion(bytes.front());
}

std::size_t Encode(const Case& c, std::span<std::uint8_t> out) {
  const auto encoded = EncodeFuzzInput(c);
  if (!encoded || encoded->size() > out.size()) return 0;
  std::ranges::copy(*encoded, out.begin());
  return encoded->size();
}

std::size_t Cross(make::Random& random, std::span<const std::uint8_t> first,
                  std::span<const std::uint8_t> second,
                  std::span<std::uint8_t> out) {
  return Encode(
      make::Cross(random, DecodeFuzzInput(first), DecodeFuzzInput(second)),
      out);
}

}  // namespace lanediff::fuzz
