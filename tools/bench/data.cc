#include "tools/bench/data.h"

#include <array>
#include <bit>

#include "generators/random.h"

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

}  // namespace

void FillBytes(std::span<std::uint8_t> bytes, std::uint64_t seed) {
  make::Random words(seed);
  for (std::uint8_t& byte : bytes) {
    byte = static_cast<std::uint8_t>(words.Bits());
  }
}

void FillHalves(std::span<std::uint16_t> halves, Data data,
                std::uint64_t seed) {
  make::Random words(seed);
  for (std::uint16_t& half : halves) half = Half(data, words.Bits());
}

void FillFloats(std::span<float> floats, Data data, std::uint64_t seed) {
  make::Random words(seed);
  for (float& value : floats) {
    value = std::bit_cast<float>(Float(data, words.Bits()));
  }
}

}  // namespace lanediff::bench
