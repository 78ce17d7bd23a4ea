// What the element-wise calls compute, with vectors and without, in floats and
// integers of the processor, held against the oracle's nodes, which are exact.
// corpus/published/ holds both against what the documents publish.

#include "emulator/elementwise.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "emulator/emulator.h"
#include "isa/elementwise_calls.h"
#include "oracle/node.h"

namespace lanediff::emulator {
namespace {

using isa::DType;

// ---- Results of the oracle ---------------------------------------------------

constexpr auto NodeOf(const isa::Add*) { return oracle::Add; }
constexpr auto NodeOf(const isa::Sub*) { return oracle::Subtract; }
constexpr auto NodeOf(const isa::Mul*) { return oracle::Multiply; }
constexpr auto NodeOf(const isa::Max*) { return oracle::Maximum; }
constexpr auto NodeOf(const isa::Min*) { return oracle::Minimum; }

// ---- Results of the emulator ------------------------------------------------

constexpr std::int64_t kThird = 65536;  // of the Unified Buffer's bytes

template <class T>
DType TypeOf() {
  if constexpr (std::same_as<T, std::uint16_t>) return DType::kHalf;
  if constexpr (std::same_as<T, float>) return DType::kFloat;
  return sizeof(T) == 2 ? DType::kInt16 : DType::kInt32;
}

isa::Operand Third(std::int64_t number) {
  return {.position = isa::Position::kVeccalc,
          .at = number * kThird,
          .bytes = kThird,
          .dtype = {}};
}

/// What the count form makes of `a` and `b`, at most 64 KiB each.
template <class Call, class T>
std::vector<T> ByEmulator(const Seams& seams, const std::vector<T>& a,
                          const std::vector<T>& b, bool saturation) {
  std::vector<std::uint8_t> ub(3 * kThird);
  const std::size_t bytes = a.size() * sizeof(T);
  std::memcpy(ub.data() + kThird, a.data(), bytes);
  std::memcpy(ub.data() + 2 * kThird, b.data(), bytes);
  isa::Memories memories;
  memories[isa::Memory::kUb] = ub;
  Emulator emulator(isa::Product::kAtlasA2, memories, seams);
  emulator.Execute(isa::SetSaturation{.enabled = saturation});
  Call call;
  call.dtype = TypeOf<T>();
  call.dst = Third(0);
  call.src0 = Third(1);
  call.src1 = Third(2);
  call.count = static_cast<std::int64_t>(a.size());
  const isa::StepResult result = emulator.Execute(call);
  EXPECT_EQ(result.status, isa::StepResult::Status::kExecuted);
  std::vector<T> results(a.size());
  std::memcpy(results.data(), ub.data(), bytes);
  return results;
}

template <class T>
std::uint32_t Bits(T number) {
  if constexpr (std::same_as<T, float>) {
    return std::bit_cast<std::uint32_t>(number);
  } else {
    return static_cast<std::make_unsigned_t<T>>(number);
  }
}

/// The plain seams, and those of every target that runs here.
std::vector<std::pair<std::string, Seams>> AllSeams() {
  std::vector<std::pair<std::string, Seams>> all = {{"plain", Seams{}}};
  for (const VectorTarget target : RunnableTargets()) {
    all.emplace_back(NameOf(target), SeamsOf(target));
  }
  return all;
}

template <class Call, class T>
void ExpectExact(const std::vector<T>& a, const std::vector<T>& b) {
  static const auto all = AllSeams();
  for (const bool saturation : {true, false}) {
    std::vector<std::uint64_t> expected;
    for (std::size_t i = 0; i < a.size(); ++i) {
      expected.push_back(NodeOf(static_cast<const Call*>(nullptr))(
                             TypeOf<T>(), Bits(a[i]), Bits(b[i]), saturation)
                             .bits);
    }
    for (const auto& [name, seams] : all) {
      const auto results = ByEmulator<Call, T>(seams, a, b, saturation);
      for (std::size_t i = 0; i < a.size(); ++i) {
        ASSERT_EQ(Bits(results[i]), expected[i])
            << Call::kOp << " " << name << " " << Bits(a[i]) << " "
            << Bits(b[i]) << (saturation ? " saturating" : "");
      }
    }
  }
}

// ---- Which operands ---------------------------------------------------------

template <class Call>
class ElementwiseValues : public testing::Test {};
using Calls = isa::ElementwiseCalls<testing::Types>;
TYPED_TEST_SUITE(ElementwiseValues, Calls);

/// All values of 16 bits beside each of `partners`, on either side.
template <class Call, class T>
void ExpectAllBeside(const std::vector<T>& partners) {
  constexpr int kHalfOfAll = 32768;  // as many as the operands have space for
  for (const int first : {0, kHalfOfAll}) {
    std::vector<T> all;
    for (int i = 0; i < kHalfOfAll; ++i) {
      all.push_back(static_cast<T>(first + i));
    }
    for (const T partner : partners) {
      const std::vector<T> same(all.size(), partner);
      ExpectExact<Call>(all, same);
      ExpectExact<Call>(same, all);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

TYPED_TEST(ElementwiseValues, OfHalf) {
  ExpectAllBeside<TypeParam, std::uint16_t>({0x0000, 0x8001, 0x03ff, 0x8400,
                                             0x3800, 0x3c01, 0xc123, 0x6800,
                                             0x7bff, 0xfbff, 0x7c00, 0x7c01});
}

TYPED_TEST(ElementwiseValues, OfRandomHalves) {
  std::mt19937_64 random(1);
  for (int batch = 0; batch < 20; ++batch) {
    std::vector<std::uint16_t> a;
    std::vector<std::uint16_t> b;
    for (int i = 0; i < 32768; ++i) {
      const std::uint64_t bits = random();
      a.push_back(static_cast<std::uint16_t>(bits));
      // Half of them of like exponents: sums and differences round.
      b.push_back(static_cast<std::uint16_t>(
          i % 2 == 0 ? bits >> 16 : (bits & 0x7c00) ^ (bits >> 16 & 0x87ff)));
    }
    ExpectExact<TypeParam>(a, b);
  }
}

TYPED_TEST(ElementwiseValues, OfInt16) {
  ExpectAllBeside<TypeParam, std::int16_t>(
      {0, 1, -1, 2, 181, -182, 256, 12345, 32767, -32768});
}

/// Numbers at powers of two and their neighbours.
std::int32_t NearPower(std::mt19937_64& random) {
  const std::uint64_t bits = random();
  const auto number = (std::uint32_t{1} << (bits % 32)) +
                      static_cast<std::uint32_t>(bits >> 8) % 3 - 1;
  return static_cast<std::int32_t>((bits >> 60 & 1) != 0 ? 0 - number : number);
}

TYPED_TEST(ElementwiseValues, OfInt32) {
  std::mt19937_64 random(2);
  for (int batch = 0; batch < 20; ++batch) {
    std::vector<std::int32_t> a;
    std::vector<std::int32_t> b;
    for (int i = 0; i < 16384; ++i) {
      a.push_back(NearPower(random));
      b.push_back(i % 2 == 0 ? NearPower(random)
                             : static_cast<std::int32_t>(random()));
    }
    ExpectExact<TypeParam>(a, b);
  }
}

TYPED_TEST(ElementwiseValues, OfFloat) {
  std::mt19937_64 random(3);
  constexpr std::array<std::uint32_t, 12> kSpecial = {
      0x00000000, 0x80000000, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001,
      0xffffffff, 0x00000001, 0x807fffff, 0x7f7fffff, 0xff7fffff, 0x3f800000};
  for (int batch = 0; batch < 20; ++batch) {
    std::vector<float> a;
    std::vector<float> b;
    for (std::uint32_t i = 0; i < 16384; ++i) {
      const std::uint64_t words = random();
      auto first = static_cast<std::uint32_t>(words);
      auto second = static_cast<std::uint32_t>(words >> 32);
      // Any bits; like exponents; a special one; products around the smallest.
      if (i % 4 == 1) second = (first & 0x7f800000) | (second & 0x807fffff);
      if (i % 4 == 2) second = kSpecial[i / 4 % kSpecial.size()];
      if (i % 4 == 3) {
        first = (first & 0x807fffff) | 0x20000000;
        second = (second & 0x83ffffff) | 0x1c000000;
      }
      a.push_back(std::bit_cast<float>(first));
      b.push_back(std::bit_cast<float>(second));
    }
    ExpectExact<TypeParam>(a, b);
    ExpectExact<TypeParam>(b, a);
  }
}

}  // namespace
}  // namespace lanediff::emulator
