#include "tools/bench/data.h"

#include <array>
#include <cstring>

#include "generators/random.h"
#include "isa/memory_map.h"

namespace lanediff::bench {
namespace {

constexpr std::array<std::uint16_t, 12> kSpecialHalves = {
    0x7e00, 0xfe01, 0x7d55, 0x7c00, 0xfc00, 0x0000,
    0x8000, 0x0001, 0x83ff, 0x0400, 0x7bff, 0xfbff};
constexpr std::array<std::uint32_t, 12> kSpecialFloats = {
    0x7fc00000, 0xffc12345, 0x7f812345, 0x7f800000, 0xff800000, 0x00000000,
    0x80000000, 0x00000001, 0x807fffff, 0x00800000, 0x7f7fffff, 0xff7fffff};

template <class Bits>
Bits Sign(std::uint64_t word, int bit) {
  return static_cast<Bits>((word >> 63) << bit);
}

std::uint16_t Half(Data data, std::uint64_t word) {
  if (data == Data::kSpecials && (word >> 32) % 8 == 0) {
    return kSpecialHalves[word % kSpecialHalves.size()];
  }
  if (data == Data::kNearOne) {
    // Halves step by 2^-11 below 1 and by 2^-10 above.
    const auto steps = static_cast<std::uint16_t>(word % 307);
    return static_cast<std::uint16_t>(Sign<std::uint16_t>(word, 15) |
                                      (0x3c00 - 204 + steps));
  }
  const auto exponent = static_cast<std::uint16_t>((word >> 16) % 31);
  return static_cast<std::uint16_t>(Sign<std::uint16_t>(word, 15) |
                                    exponent << 10 | (word & 0x3ff));
}

std::uint32_t Float(Data data, std::uint64_t word) {
  if (data == Data::kSpecials && (word >> 32) % 8 == 0) {
    return kSpecialFloats[word % kSpecialFloats.size()];
  }
  if (data == Data::kNearOne) {
    // Floats step by 2^-24 below 1 and by 2^-23 above.
    const auto steps = static_cast<std::uint32_t>(word % 2516582);
    return Sign<std::uint32_t>(word, 31) | (0x3f800000u - 1677721u + steps);
  }
  const auto exponent = static_cast<std::uint32_t>((word >> 32) % 255);
  return Sign<std::uint32_t>(word, 31) | exponent << 23 |
         static_cast<std::uint32_t>(word & 0x7fffff);
}

std::uint64_t Element(isa::DType type, Data data, std::uint64_t word) {
  if (type == isa::DType::kHalf) return Half(data, word);
  if (type == isa::DType::kFloat) return Float(data, word);
  return data == Data::kNearOne ? word % 257 - 128 : word;
}

}  // namespace

std::vector<std::uint64_t> Elements(isa::DType type, std::size_t count,
                                    Data data, std::uint64_t seed) {
  make::Random words(seed);
  std::vector<std::uint64_t> elements(count);
  for (std::uint64_t& bits : elements) bits = Element(type, data, words.Bits());
  return elements;
}

void Fill(std::span<std::uint8_t> bytes, isa::DType type, Data data,
          std::uint64_t seed) {
  const auto size = static_cast<std::size_t>(isa::SizeBytes(type));
  std::uint8_t* at = bytes.data();
  for (const std::uint64_t bits :
       Elements(type, bytes.size() / size, data, seed)) {
    std::memcpy(at, &bits, size);
    at += size;
  }
}

}  // namespace lanediff::bench
