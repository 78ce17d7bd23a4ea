// What conversions give, in every emulator that runs here and in the oracle:
// all elements of 8 and 16 bits of every pair of types and mode, in both
// saturation modes, and those next to where others are rounded otherwise.
// tools/scripts/exhaust-conversions holds the halves against the documents'
// model.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

#include "emulator/emulator.h"
#include "generators/lanewise.h"
#include "isa/memory_map.h"
#include "oracle/oracle.h"

namespace lanediff::make {
namespace {

using isa::DType;

constexpr std::size_t kMostElements = 16384;
constexpr isa::Product kProducts[] = {isa::Product::kAtlasA2,
                                      isa::Product::kAtlas200i500A2};

std::size_t SizeOf(DType type) {
  return static_cast<std::size_t>(isa::SizeBytes(type));
}

/// What `machine` leaves of dst.
template <class Machine>
std::vector<std::uint8_t> Run(Machine& machine, const isa::Call& call,
                              bool saturation,
                              const std::vector<std::uint8_t>& ub) {
  machine.Execute(isa::SetSaturation{.enabled = saturation});
  EXPECT_EQ(machine.Execute(call).status, isa::StepResult::Status::kExecuted);
  const auto first = ub.begin() + call.dst().at;
  return {first, first + call.dst().bytes};
}

void ExpectSame(isa::Product product, const Conversion& conversion,
                bool saturation, const std::vector<std::uint64_t>& elements) {
  isa::Call call = isa::CallOf("Cast");
  SetConversion(call, conversion);
  std::vector<std::uint8_t> ub(192 * 1024);
  const std::size_t size = SizeOf(conversion.from);
  for (std::size_t i = 0; i < elements.size(); ++i) {
    std::memcpy(&ub[i * size], &elements[i], size);
  }
  const auto count = static_cast<std::int64_t>(elements.size());
  call[isa::Param::kCount] = count;
  call.src(0).position = isa::Position::kVecin;
  call.src(0).bytes = count * isa::SizeBytes(conversion.from);
  call.dst().position = isa::Position::kVecout;
  call.dst().at = (call.src(0).bytes + 31) / 32 * 32;
  call.dst().bytes = count * isa::SizeBytes(conversion.to);
  isa::Memories memories;
  memories[isa::Memory::kUb] = ub;
  oracle::Oracle oracle(product, memories);
  const auto expected = Run(oracle, call, saturation, ub);
  std::vector<emulator::Seams> all = {emulator::Seams{}};
  for (const auto target : emulator::RunnableTargets()) {
    all.push_back(emulator::SeamsOf(target));
  }
  for (const emulator::Seams& seams : all) {
    std::vector<std::uint8_t> own = ub;
    memories[isa::Memory::kUb] = own;
    emulator::Emulator emulator(product, memories, seams);
    const auto found = Run(emulator, call, saturation, own);
    const auto [a, b] = std::ranges::mismatch(found, expected);
    if (a == found.end()) continue;
    const auto element =
        static_cast<std::size_t>(a - found.begin()) / SizeOf(conversion.to);
    FAIL() << fmt::format("{} to {} by {}{}: 0x{:x}",
                          isa::Name(conversion.from), isa::Name(conversion.to),
                          isa::Name(conversion.mode),
                          saturation ? ", saturating" : "", elements[element]);
  }
}

/// Each conversion once, of those from types of `bytes` bytes, or of more where
/// it is 4.
template <class Elements>
void ForEachConversion(const Elements& elements_of) {
  std::vector<Conversion> seen;
  for (const isa::Product product : kProducts) {
    for (const Conversion& one : ConversionsOf("Cast", product)) {
      const bool again =
          std::ranges::any_of(seen, [&](const Conversion& other) {
            return other.from == one.from && other.to == one.to &&
                   other.mode == one.mode;
          });
      if (again) continue;
      seen.push_back(one);
      for (const bool saturation : {true, false}) {
        if (saturation || product == isa::Product::kAtlasA2) {
          elements_of(product, one, saturation);
        }
        if (testing::Test::HasFatalFailure()) return;
      }
    }
  }
}

TEST(Conversions, OfAllNarrowElements) {
  ForEachConversion([](isa::Product product, const Conversion& one,
                       bool saturation) {
    if (isa::SizeBytes(one.from) > 2) return;
    const std::uint64_t all = std::uint64_t{1} << 8 * isa::SizeBytes(one.from);
    for (std::uint64_t first = 0; first < all; first += kMostElements) {
      std::vector<std::uint64_t> elements;
      for (std::uint64_t i = first; i < std::min(all, first + kMostElements);
           ++i) {
        elements.push_back(i);
      }
      ExpectSame(product, one, saturation, elements);
    }
  });
}

/// Few leading bits, half a step or none behind them, and neighbours; of floats
/// with exponents at which something is rounded, and with any.
std::uint64_t NextToRounding(DType type, std::mt19937_64& random) {
  const std::uint64_t word = random();
  const std::uint64_t units = (word >> 52) % 3 - 1;
  if (type == DType::kFloat) {
    const std::uint64_t exponent =
        word % 3 == 0 ? (word >> 40) % 256 : 97 + (word >> 40) % 96;
    const std::uint64_t cut = (word >> 32) % 24;
    const std::uint64_t fraction = (word & 0x7fffff) >> cut << cut;
    return ((word >> 63 << 31 | exponent << 23 | fraction) + units) &
           0xffffffffu;
  }
  const std::uint64_t cut = (word >> 40) % 40;
  std::uint64_t number = random() >> (word >> 32) % 64 >> cut << cut;
  number += units;
  if (word >> 63 != 0) number = 0 - number;
  return number & isa::WidthMask(type);
}

TEST(Conversions, OfWideElementsNextToRounding) {
  std::mt19937_64 random(11);
  ForEachConversion(
      [&](isa::Product product, const Conversion& one, bool saturation) {
        if (isa::SizeBytes(one.from) < 4) return;
        for (int batch = 0; batch < 3; ++batch) {
          std::vector<std::uint64_t> elements(8192);
          for (auto& element : elements)
            element = NextToRounding(one.from, random);
          ExpectSame(product, one, saturation, elements);
        }
      });
}

}  // namespace
}  // namespace lanediff::make
