#include "emulator/vector/random_run.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "emulator/half.h"

namespace lanediff::emulator {
namespace {

enum class Kind { kSmall, kLarge, kNearOne, kSubnormal, kSpecial, kAny };
constexpr int kKinds = 6;

/// A float whose half is of the same kind.
float NumberOf(Kind kind, RandomWords& random) {
  const auto whole = static_cast<float>(Draw(random, -2048, 2048));
  switch (kind) {
    case Kind::kSmall:
      return whole / 64;
    case Kind::kLarge:
      return whole * 31;
    default:
      return 1 + whole / 16384;
  }
}

std::uint32_t BitsOf(Kind kind, bool half, RandomWords& random) {
  constexpr std::array<std::uint16_t, 12> kSpecialHalves = {
      0x0000, 0x8000, 0x7c00, 0xfc00, 0x7e00, 0x7c01,
      0xffff, 0x0001, 0x83ff, 0x7bff, 0xfbff, 0x3c00};
  constexpr std::array<std::uint32_t, 12> kSpecialFloats = {
      0x00000000, 0x80000000, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001,
      0xffffffff, 0x00000001, 0x807fffff, 0x7f7fffff, 0xff7fffff, 0x3f800000};
  const std::size_t choice = random() % kSpecialHalves.size();
  switch (kind) {
    case Kind::kSubnormal:
      return static_cast<std::uint32_t>(random()) &
             (half ? 0x87ffu : 0x80ffffffu);
    case Kind::kSpecial:
      return half ? kSpecialHalves[choice] : kSpecialFloats[choice];
    case Kind::kAny:
      return static_cast<std::uint32_t>(random());
    default: {
      const float number = NumberOf(kind, random);
      return half ? FloatToHalf(number) : std::bit_cast<std::uint32_t>(number);
    }
  }
}

}  // namespace

std::int64_t Draw(RandomWords& random, std::int64_t low, std::int64_t high) {
  const auto count = static_cast<std::uint64_t>(high - low) + 1;
  return low + static_cast<std::int64_t>(random() % count);
}

std::vector<std::uint8_t> RandomMemory(RandomWords& random, isa::DType type,
                                       std::size_t bytes) {
  const bool half = type == isa::DType::kHalf;
  const std::size_t element = half ? 2 : 4;
  const auto kind = Draw(random, 0, kKinds);  // the last one: all of them
  // A special number among ordinary ones is not the same as many.
  const std::int64_t rare = Draw(random, 0, 1) == 0 ? 0 : 300;
  std::vector<std::uint8_t> memory(bytes);
  for (std::size_t at = 0; at + element <= bytes; at += element) {
    auto its_kind =
        static_cast<Kind>(kind < kKinds ? kind : Draw(random, 0, kKinds - 1));
    if (rare != 0 && Draw(random, 0, rare) == 0) its_kind = Kind::kSpecial;
    const std::uint32_t bits = BitsOf(its_kind, half, random);
    std::memcpy(memory.data() + at, &bits, element);
  }
  return memory;
}

Left RunOn(const Seams& seams, const std::vector<isa::Step>& program,
           std::vector<std::uint8_t> ub) {
  isa::Memories memories;
  memories[isa::Memory::kUb] = ub;
  Emulator emulator(isa::Product::kAtlasA2, memories, seams);
  isa::StepResult last;
  for (const isa::Step& step : program) {
    last = emulator.Execute(step);
    if (last.status != isa::StepResult::Status::kExecuted) break;
  }
  return {.last = last, .ub = std::move(ub), .paths = emulator.paths()};
}

std::string Difference(const std::vector<std::uint8_t>& a,
                       const std::vector<std::uint8_t>& b) {
  if (a.size() != b.size()) return "sizes differ";
  const auto [at_a, at_b] = std::ranges::mismatch(a, b);
  if (at_a == a.end()) return {};
  return "byte " + std::to_string(at_a - a.begin()) + " is " +
         std::to_string(*at_a) + " and " + std::to_string(*at_b);
}

}  // namespace lanediff::emulator
