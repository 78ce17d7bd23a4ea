// What the lane-wise calls compute, with vectors and without, held against
// exact results that are rounded once: sums, differences and products of halves
// and of floats need no more than the 53 bits of a double, or round to the same
// through it. corpus/published/ holds them against what the documents publish.

#include "emulator/lanewise.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "emulator/emulator.h"
#include "emulator/lanewise_limits.h"
#include "isa/call.h"

namespace lanediff::emulator {
namespace {

using isa::DType;

// ---- Results by definition --------------------------------------------------

/// The value of a half.
double Value(std::uint16_t half) {
  const int exponent = half >> 10 & 31;
  const int fraction = half & 1023;
  const double sign = (half & 0x8000) != 0 ? -1 : 1;
  if (exponent == 31) {
    return fraction != 0 ? std::nan("") : sign * HUGE_VAL;
  }
  return exponent == 0 ? sign * std::ldexp(fraction, -24)
                       : sign * std::ldexp(1024 + fraction, exponent - 25);
}
double Value(float number) { return number; }

/// The nearest half, ties to even.
std::uint16_t Rounded(double exact, std::uint16_t) {
  if (std::isnan(exact)) return 0x7e00;
  const int sign = std::signbit(exact) ? 0x8000 : 0;
  const double magnitude = std::fabs(exact);
  if (magnitude >= 65520) return static_cast<std::uint16_t>(sign | 0x7c00);
  const int exponent =
      magnitude < 0x1p-14 ? -14 : std::ilogb(magnitude);  // of a normal half
  const double units = std::nearbyint(std::ldexp(magnitude, 10 - exponent));
  // What rounds up to the next power of two carries into the exponent.
  return static_cast<std::uint16_t>(
      sign | ((exponent + 14) * 1024 + static_cast<int>(units)));
}
float Rounded(double exact, float) {
  return std::isnan(exact) ? std::numeric_limits<float>::quiet_NaN()
                           : static_cast<float>(exact);
}

std::uint16_t Saturated(std::uint16_t half) {
  if ((half & 0x7fff) > 0x7c00) return 0;
  if ((half & 0x7fff) < 0x7c00) return half;
  return static_cast<std::uint16_t>((half & 0x8000) | 0x7bff);
}
float Saturated(float number) { return number; }

double Larger(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::nan("");
  if (a == b) return std::signbit(a) ? b : a;
  return a > b ? a : b;
}

/// Results in the full range: of halves and floats, which are rounded then, and
/// of integers, which then stay at the limits or wrap, before Relu if any.
struct Definition {
  std::string_view op;
  double (*floating)(double a, double b);
  std::int64_t (*integer)(std::int64_t a, std::int64_t b) = nullptr;
  bool relu = false;
};
constexpr std::array kDefinitions = {
    Definition{"Min", [](double a, double b) { return -Larger(-a, -b); },
               [](std::int64_t a, std::int64_t b) { return a < b ? a : b; }},
    Definition{"Max", Larger,
               [](std::int64_t a, std::int64_t b) { return a < b ? b : a; }},
    Definition{"Add", [](double a, double b) { return a + b; },
               [](std::int64_t a, std::int64_t b) { return a + b; }},
    Definition{"Sub", [](double a, double b) { return a - b; },
               [](std::int64_t a, std::int64_t b) { return a - b; }},
    Definition{"Mul", [](double a, double b) { return a * b; },
               [](std::int64_t a, std::int64_t b) { return a * b; }},
    Definition{"LeakyRelu",
               [](double a, double b) { return std::signbit(a) ? a * b : a; }},
    Definition{"AddRelu", [](double a, double b) { return Larger(a + b, 0); },
               [](std::int64_t a, std::int64_t b) { return a + b; }, true},
    Definition{"SubRelu", [](double a, double b) { return Larger(a - b, 0); },
               [](std::int64_t a, std::int64_t b) { return a - b; }, true},
};

/// A result of half, as bits, or of float.
template <class T>
T Expected(const Definition& of, T a, T b, bool saturation) {
  const T result = Rounded(of.floating(Value(a), Value(b)), T());
  return saturation ? Saturated(result) : result;
}

template <std::signed_integral T>
T Expected(const Definition& of, T a, T b, bool saturation) {
  std::int64_t exact = of.integer(a, b);
  if (saturation) {
    exact = std::clamp<std::int64_t>(exact, std::numeric_limits<T>::min(),
                                     std::numeric_limits<T>::max());
  }
  const auto result = static_cast<T>(exact);
  return of.relu ? std::max(result, T{0}) : result;
}

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
template <class T>
std::vector<T> ByEmulator(isa::Call call, const Seams& seams,
                          const std::vector<T>& a, const std::vector<T>& b,
                          bool saturation) {
  std::vector<std::uint8_t> ub(3 * kThird);
  const std::size_t bytes = a.size() * sizeof(T);
  std::memcpy(ub.data() + kThird, a.data(), bytes);
  std::memcpy(ub.data() + 2 * kThird, b.data(), bytes);
  // Of calls that read dst.
  std::reverse_copy(ub.data() + 2 * kThird, ub.data() + 2 * kThird + bytes,
                    ub.data());
  isa::Memories memories;
  memories[isa::Memory::kUb] = ub;
  call.dtype = TypeOf<T>();
  // One product has int16 of Abs, and is always in saturation mode.
  const bool on_a2 = kLanewiseLimits[isa::PlaceOf(*call.signature)]
                         .On(isa::Product::kAtlasA2, isa::kNewestEdition)
                         .Has(call.dtype);
  Emulator emulator(
      on_a2 ? isa::Product::kAtlasA2 : isa::Product::kAtlas200i500A2, memories,
      seams);
  emulator.Execute(isa::SetSaturation{.enabled = saturation});
  call.dst() = Third(0);
  for (std::size_t i = 0; i < call.signature->sources(); ++i) {
    call.src(i) = Third(1 + static_cast<std::int64_t>(i) % 2);
  }
  if (call.signature->Has(isa::Param::kScalar)) {
    std::memcpy(&call.scalar, b.data(), sizeof(T));
    if (kLanewiseLimits[isa::PlaceOf(*call.signature)].is_shift) {
      call.scalar %= 8 * sizeof(T) + 1;
    }
  }
  call[isa::Param::kCount] = static_cast<std::int64_t>(a.size());
  const isa::StepResult result = emulator.Execute(call);
  EXPECT_EQ(result.status, isa::StepResult::Status::kExecuted);
  std::vector<T> results(a.size());
  std::memcpy(results.data(), ub.data(), bytes);
  return results;
}

std::uint32_t Bits(float number) {
  return std::bit_cast<std::uint32_t>(number);
}
std::uint32_t Bits(std::integral auto number) {
  return static_cast<std::uint32_t>(number);
}

/// The plain seams, and those of every target that runs here.
std::vector<std::pair<std::string, Seams>> AllSeams() {
  std::vector<std::pair<std::string, Seams>> all = {{"plain", Seams{}}};
  for (const VectorTarget target : RunnableTargets()) {
    all.emplace_back(NameOf(target), SeamsOf(target));
  }
  return all;
}

/// Those of the plain seams where the row has no definition.
template <class T>
std::vector<T> Expected(const isa::Signature& row, const std::vector<T>& a,
                        const std::vector<T>& b, bool saturation) {
  const auto* const of =
      std::ranges::find(kDefinitions, row.op, &Definition::op);
  if (of == kDefinitions.end()) {
    return ByEmulator(isa::CallOf(row.op), Seams{}, a, b, saturation);
  }
  const bool scalar = row.Has(isa::Param::kScalar);
  std::vector<T> expected;
  for (std::size_t i = 0; i < a.size(); ++i) {
    expected.push_back(Expected(*of, a[i], b[scalar ? 0 : i], saturation));
  }
  return expected;
}

template <class T>
void ExpectExact(const isa::Signature& row, const std::vector<T>& a,
                 const std::vector<T>& b) {
  static const auto all = AllSeams();
  for (const bool saturation : {true, false}) {
    const std::vector<T> expected = Expected(row, a, b, saturation);
    for (const auto& [name, seams] : all) {
      const auto results =
          ByEmulator(isa::CallOf(row.op), seams, a, b, saturation);
      for (std::size_t i = 0; i < a.size(); ++i) {
        ASSERT_EQ(Bits(results[i]), Bits(expected[i]))
            << row.op << " " << name << " " << Bits(a[i]) << " " << Bits(b[i])
            << (saturation ? " saturating" : "");
      }
    }
  }
}

// ---- Which operands ---------------------------------------------------------

/// One for each row, by its place.
class LanewiseValues : public testing::TestWithParam<std::size_t> {
 protected:
  static const isa::Signature& Row() { return isa::kLanewiseRows[GetParam()]; }
  /// Whether the row has a count, and the type on some product. Conversions
  /// have a test of their own: generators/conversions_test.cc.
  static bool Has(DType type) {
    return !Row().Converts() && !Row().PacksBits() &&
           Row().Has(isa::Param::kCount) &&
           kLanewiseLimits[GetParam()].OnAny().Has(type);
  }
};
INSTANTIATE_TEST_SUITE_P(Rows, LanewiseValues,
                         testing::Range<std::size_t>(0,
                                                     isa::kLanewiseRows.size()),
                         [](const auto& row) {
                           return std::string(isa::kLanewiseRows[row.param].op);
                         });

/// All values of 16 bits beside each of `partners`, on either side.
template <class T>
void ExpectAllBeside(const isa::Signature& row,
                     const std::vector<T>& partners) {
  constexpr int kHalfOfAll = 32768;  // as many as the operands have space for
  for (const int first : {0, kHalfOfAll}) {
    std::vector<T> all;
    for (int i = 0; i < kHalfOfAll; ++i) {
      all.push_back(static_cast<T>(first + i));
    }
    for (const T partner : partners) {
      const std::vector<T> same(all.size(), partner);
      ExpectExact(row, all, same);
      ExpectExact(row, same, all);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

TEST_P(LanewiseValues, OfHalf) {
  if (!Has(DType::kHalf)) return;
  ExpectAllBeside<std::uint16_t>(
      Row(), {0x0000, 0x8001, 0x03ff, 0x8400, 0x3800, 0x3c01, 0xc123, 0x6800,
              0x7bff, 0xfbff, 0x7c00, 0x7c01});
}

TEST_P(LanewiseValues, OfRandomHalves) {
  if (!Has(DType::kHalf)) return;
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
    ExpectExact(Row(), a, b);
  }
}

TEST_P(LanewiseValues, OfInt16) {
  if (!Has(DType::kInt16)) return;
  ExpectAllBeside<std::int16_t>(
      Row(), {0, 1, -1, 2, 181, -182, 256, 12345, 32767, -32768});
}

/// Numbers at powers of two and their neighbours.
std::int32_t NearPower(std::mt19937_64& random) {
  const std::uint64_t bits = random();
  const auto number = (std::uint32_t{1} << (bits % 32)) +
                      static_cast<std::uint32_t>(bits >> 8) % 3 - 1;
  return static_cast<std::int32_t>((bits >> 60 & 1) != 0 ? 0 - number : number);
}

TEST_P(LanewiseValues, OfInt32) {
  if (!Has(DType::kInt32)) return;
  std::mt19937_64 random(2);
  for (int batch = 0; batch < 20; ++batch) {
    std::vector<std::int32_t> a;
    std::vector<std::int32_t> b;
    for (int i = 0; i < 16384; ++i) {
      a.push_back(NearPower(random));
      b.push_back(i % 2 == 0 ? NearPower(random)
                             : static_cast<std::int32_t>(random()));
    }
    ExpectExact(Row(), a, b);
  }
}

TEST_P(LanewiseValues, OfFloat) {
  if (!Has(DType::kFloat)) return;
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
    ExpectExact(Row(), a, b);
    ExpectExact(Row(), b, a);
  }
}

/// Neither a mode nor arithmetic has a part in it.
TEST(Duplicate, GivesTheBitsOfItsScalar) {
  isa::Call call = isa::CallOf("Duplicate");
  call.dst() = Third(0);
  call[isa::Param::kCount] = 131;
  for (const auto& [name, seams] : AllSeams()) {
    for (const DType type :
         {DType::kHalf, DType::kBfloat16, DType::kInt16, DType::kUint16,
          DType::kFloat, DType::kInt32, DType::kUint32}) {
      const auto bytes = static_cast<std::size_t>(ElementBytes(type));
      // NaNs that signal, and infinity.
      for (const std::uint32_t bits : {0xff81ff81u, 0x7d01fd01u, 0x7c007c00u}) {
        call.dtype = type;
        call.scalar = bytes == 2 ? bits & 0xffff : bits;
        std::vector<std::uint8_t> ub(1024, 0x55);
        call.dst().bytes = static_cast<std::int64_t>(ub.size());
        isa::Memories memories;
        memories[isa::Memory::kUb] = ub;
        Emulator emulator(isa::Product::kAtlasA2, memories, seams);
        EXPECT_EQ(emulator.Execute(call).status,
                  isa::StepResult::Status::kExecuted);
        std::vector<std::uint8_t> expected(ub.size(), 0x55);
        for (std::size_t i = 0; i < 131 * bytes; ++i) {
          expected[i] =
              static_cast<std::uint8_t>(call.scalar >> (i % bytes * 8));
        }
        EXPECT_EQ(ub, expected) << name << " " << bits;
      }
    }
  }
}

/// The sum of the scalar and of the lane's number is rounded or cut once.
TEST(CreateVecIndex, CountsFromItsScalarOn) {
  struct Row {
    DType type;
    std::uint32_t first;
    std::size_t lane;
    std::uint32_t on;   ///< in saturation mode
    std::uint32_t off;  ///< without it
  };
  constexpr Row kRows[] = {
      {DType::kHalf, 0x0001, 0, 0x0001, 0x0001},
      {DType::kHalf, 0x0001, 2049, 0x6801, 0x6801},  // a bit above a tie
      {DType::kHalf, 0x8001, 2051, 0x6801, 0x6801},  // a bit below one
      {DType::kHalf, 0x0000, 2049, 0x6800, 0x6800},
      {DType::kHalf, 0xe801, 2050, 0x0000, 0x0000},
      {DType::kHalf, 0x7bff, 16, 0x7bff, 0x7c00},
      {DType::kHalf, 0xfc00, 3, 0xfbff, 0xfc00},
      {DType::kHalf, 0xfe01, 5, 0x0000, 0x7e00},
      {DType::kHalf, 0x8000, 0, 0x0000, 0x0000},
      {DType::kFloat, 0x4b7fffff, 2, 0x4b800000, 0x4b800000},
      {DType::kFloat, 0x00000001, 0, 0x00000001, 0x00000001},
      {DType::kFloat, 0xff812345, 1, 0x7fc00000, 0x7fc00000},
      {DType::kFloat, 0x80000000, 0, 0x00000000, 0x00000000},
      {DType::kInt16, 0x7ff0, 300, 0x7fff, 0x811c},
      {DType::kInt16, 0x8000, 40000, 0x1c40, 0x1c40},
      {DType::kInt16, 0x8000, 65537, 0x7fff, 0x8001},
      {DType::kInt32, 0x7fffffff, 1, 0x7fffffff, 0x80000000},
      {DType::kInt32, 0xfffffff0, 1000, 0x3d8, 0x3d8},
  };
  isa::Call call = isa::CallOf("CreateVecIndex");
  for (const auto& [name, seams] : AllSeams()) {
    for (const Row& row : kRows) {
      for (const bool saturation : {true, false}) {
        const auto bytes = static_cast<std::size_t>(ElementBytes(row.type));
        std::vector<std::uint8_t> ub((row.lane / 128 + 1) * 128 * bytes + 32);
        isa::Memories memories;
        memories[isa::Memory::kUb] = ub;
        Emulator emulator(isa::Product::kAtlasA2, memories, seams);
        emulator.Execute(isa::SetSaturation{.enabled = saturation});
        call.dtype = row.type;
        call.scalar = row.first;
        call.dst() = Third(0);
        call.dst().bytes = static_cast<std::int64_t>(ub.size());
        call[isa::Param::kCount] = static_cast<std::int64_t>(row.lane) + 1;
        ASSERT_EQ(emulator.Execute(call).status,
                  isa::StepResult::Status::kExecuted);
        std::uint32_t found = 0;
        std::memcpy(&found, ub.data() + row.lane * bytes, bytes);
        EXPECT_EQ(found, saturation ? row.on : row.off)
            << name << " " << isa::Name(row.type) << " " << row.first << " + "
            << row.lane << (saturation ? " saturating" : "");
        found = 0;
        std::memcpy(&found, ub.data() + (row.lane + 1) * bytes, bytes);
        EXPECT_EQ(found, 0U) << name << " writes behind its count";
      }
    }
  }
}

}  // namespace
}  // namespace lanediff::emulator
