// What the element-wise calls compute, with vectors and without, in floats and
// integers of the processor, held against the oracle's nodes, which are exact.
// corpus/published/ holds both against what the documents publish.

#include "emulator/elementwise.h"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "emulator/emulator.h"
#include "isa/elementwise_calls.h"
#include "oracle/node.h"

namespace lanediff::emulator {
namespace {

using isa::DType;

// ---- Results of the oracle --------------------------------------------------

constexpr auto NodeOf(const isa::Add*) { return oracle::Add; }
constexpr auto NodeOf(const isa::Sub*) { return oracle::Subtract; }
constexpr auto NodeOf(const isa::Mul*) { return oracle::Multiply; }
constexpr auto NodeOf(const isa::Max*) { return oracle::Maximum; }
constexpr auto NodeOf(const isa::Min*) { return oracle::Minimum; }

// ---- Results of the emulator ------------------------------------------------

using Elements = std::vector<std::uint32_t>;  // the low bits of each count

constexpr std::size_t kThird = 65536;  // of the Unified Buffer's bytes

isa::Operand Third(std::size_t number) {
  return {.position = isa::Position::kVeccalc,
          .at = static_cast<std::int64_t>(number * kThird),
          .bytes = kThird,
          .dtype = {}};
}

/// What the count form makes of `a` and `b`, at most 64 KiB each.
template <class Call>
Elements ByEmulator(const Seams& seams, DType type, const Elements& a,
                    const Elements& b, bool saturation) {
  const std::size_t bytes =
      type == DType::kHalf || type == DType::kInt16 ? 2 : 4;
  std::vector<std::uint8_t> ub(3 * kThird);
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::memcpy(&ub[kThird + bytes * i], &a[i], bytes);
    std::memcpy(&ub[2 * kThird + bytes * i], &b[i], bytes);
  }
  isa::Memories memories;
  memories[isa::Memory::kUb] = ub;
  Emulator emulator(isa::Product::kAtlasA2, memories, seams);
  emulator.Execute(isa::SetSaturation{.enabled = saturation});
  Call call;
  call.dtype = type;
  call.dst = Third(0);
  call.src0 = Third(1);
  call.src1 = Third(2);
  call.count = static_cast<std::int64_t>(a.size());
  const isa::StepResult result = emulator.Execute(call);
  EXPECT_EQ(result.status, isa::StepResult::Status::kExecuted);
  Elements results(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::memcpy(&results[i], &ub[bytes * i], bytes);
  }
  return results;
}

/// The plain seams, and those of every target that runs here.
std::vector<std::pair<std::string, Seams>> AllSeams() {
  std::vector<std::pair<std::string, Seams>> all = {{"plain", Seams{}}};
  for (const VectorTarget target : RunnableTargets()) {
    all.emplace_back(NameOf(target), SeamsOf(target));
  }
  return all;
}

template <class Call>
void ExpectExact(DType type, const Elements& a, const Elements& b) {
  static const auto all = AllSeams();
  for (const bool saturation : {true, false}) {
    Elements expected;
    for (std::size_t i = 0; i < a.size(); ++i) {
      const auto node = NodeOf(static_cast<const Call*>(nullptr));
      expected.push_back(
          static_cast<std::uint32_t>(node(type, a[i], b[i], saturation).bits));
    }
    for (const auto& [name, seams] : all) {
      const auto results = ByEmulator<Call>(seams, type, a, b, saturation);
      for (std::size_t i = 0; i < a.size(); ++i) {
        ASSERT_EQ(results[i], expected[i])
            << Call::kOp << " " << name << " " << a[i] << " " << b[i]
            << (saturation ? " saturating" : "");
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
template <class Call>
void ExpectAllBeside(DType type, const Elements& partners) {
  constexpr std::uint32_t kHalfOfAll = 32768;  // as many as there is space for
  for (const std::uint32_t first : {std::uint32_t{0}, kHalfOfAll}) {
    Elements all(kHalfOfAll);
    std::iota(all.begin(), all.end(), first);
    for (const std::uint32_t partner : partners) {
      const Elements same(all.size(), partner);
      ExpectExact<Call>(type, all, same);
      ExpectExact<Call>(type, same, all);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

/// 20 times as many pairs as the operands have space for, on either side.
template <class Call, class Draw>
void ExpectDrawn(DType type, const Draw& draw) {
  std::mt19937_64 random(1);
  for (int batch = 0; batch < 20; ++batch) {
    Elements a;
    Elements b;
    for (std::uint32_t i = 0; i < kThird / 4; ++i) {
      const auto [left, right] = draw(random, i);
      a.push_back(left);
      b.push_back(right);
    }
    ExpectExact<Call>(type, a, b);
    ExpectExact<Call>(type, b, a);
  }
}
using Pair = std::pair<std::uint32_t, std::uint32_t>;

TYPED_TEST(ElementwiseValues, OfHalf) {
  ExpectAllBeside<TypeParam>(
      DType::kHalf, {0x0000, 0x8001, 0x03ff, 0x8400, 0x3800, 0x3c01, 0xc123,
                     0x6800, 0x7bff, 0xfbff, 0x7c00, 0x7c01});
  ExpectDrawn<TypeParam>(DType::kHalf, [](auto& random, std::uint32_t i) {
    const auto bits = static_cast<std::uint32_t>(random());
    // Half of them of like exponents: sums and differences round.
    const std::uint32_t right =
        i % 2 == 0 ? bits >> 16 : (bits & 0x7c00) ^ (bits >> 16 & 0x87ff);
    return Pair(bits & 0xffff, right);
  });
}

TYPED_TEST(ElementwiseValues, OfIntegers) {
  ExpectAllBeside<TypeParam>(
      DType::kInt16,
      {0, 1, 0xffff, 2, 181, 0x10000 - 182, 256, 12345, 0x7fff, 0x8000});
  // Numbers at powers of two and their neighbours.
  ExpectDrawn<TypeParam>(DType::kInt32, [](auto& random, std::uint32_t i) {
    const auto near_power = [&] {
      const std::uint64_t bits = random();
      const auto number = (std::uint32_t{1} << (bits % 32)) +
                          static_cast<std::uint32_t>(bits >> 8) % 3 - 1;
      return (bits >> 60 & 1) != 0 ? 0 - number : number;
    };
    const std::uint32_t left = near_power();
    return Pair(
        left, i % 2 == 0 ? near_power() : static_cast<std::uint32_t>(random()));
  });
}

TYPED_TEST(ElementwiseValues, OfFloat) {
  constexpr std::array<std::uint32_t, 12> kSpecial = {
      0x00000000, 0x80000000, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001,
      0xffffffff, 0x00000001, 0x807fffff, 0x7f7fffff, 0xff7fffff, 0x3f800000};
  ExpectDrawn<TypeParam>(DType::kFloat, [&](auto& random, std::uint32_t i) {
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
    return Pair(first, second);
  });
}

}  // namespace
}  // namespace lanediff::emulator
