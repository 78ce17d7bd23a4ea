// Holds the generator to what its cases are worth, and shows that the floors
// object.

#include "generators/random/generate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "differential/compare/testing.h"
#include "differential/testcase/case_reader.h"
#include "differential/testcase/case_writer.h"
#include "differential/testcase/fuzz_input.h"
#include "generators/random/data.h"
#include "generators/random/tally.h"
#include "oracle/hazards.h"

namespace lanediff::make {
namespace {

using isa::DType;

constexpr int kCases = 20'000;

Tally TallyOf(const Generator& generator, int cases, Style style) {
  Tally tally(generator);
  Random random(20240601);
  for (int i = 0; i < cases; ++i) {
    const Generated generated = Generate(generator.slug, random, style);
    tally.Add(generated, Judge(generated.c, diff::Oracle()));
  }
  return tally;
}

class Floors : public testing::TestWithParam<std::string> {};

std::vector<std::string> Modules() {
  std::vector<std::string> slugs;
  for (const Generator& generator : Generators()) {
    slugs.emplace_back(generator.slug);
  }
  return slugs;
}

TEST_P(Floors, AreKept) {
  const Tally tally =
      TallyOf(*FindGenerator(GetParam()), kCases, Style::kByIntent);
  for (const std::string& line : MissedFloors(tally)) ADD_FAILURE() << line;
  // Cheap: a fuzzer's seconds are for many small calls.
  EXPECT_LE(tally.legal_share(), 0.72);
  // A call of vec_trans moves 256 elements at least, and 64 times that if long.
  EXPECT_LE(tally.mean_operations(), GetParam() == "vec_trans" ? 1600 : 750);
  EXPECT_LE(tally.mean_bytes(), 16 * 1024);
}

TEST_P(Floors, UniformHasTheSameLegalShareAndNoIntentOfData) {
  const Generator& generator = *FindGenerator(GetParam());
  const double by_intent =
      TallyOf(generator, 1000, Style::kByIntent).legal_share();
  const Tally uniform = TallyOf(generator, 1000, Style::kUniform);
  const auto* const row = std::ranges::find(
      isa::kSignatures, std::string_view(GetParam()), &isa::Signature::slug);
  // Iterations of a dst that is read meet more often; programs have such calls.
  const bool reads_dst = row == isa::kSignatures.end() || row->ReadsDst();
  EXPECT_NEAR(uniform.legal_share(), by_intent, reads_dst ? 0.18 : 0.15);
  EXPECT_EQ(uniform.data[static_cast<std::size_t>(DataIntent::kRandomBits)],
            uniform.cases);
}

INSTANTIATE_TEST_SUITE_P(Modules, Floors, testing::ValuesIn(Modules()),
                         [](const auto& parameter) { return parameter.param; });

TEST(MissedFloors, ObjectToEachFloor) {
  Tally tally(*FindGenerator("vec_trans"));
  tally.cases = 1000;
  tally.legal = 300;
  tally.operations = 300 * 255;
  tally.long_cases = 8;
  std::string all;
  for (const std::string& line : MissedFloors(tally)) all += line + "\n";
  for (const char* part :
       {"share of legal cases 0.3;", "operations of a legal case 255;",
        "64 iterations or more 0.02667;", "broken rule VT-OVERLAP never",
        "layout dependent-at-last-iteration-only never", "data ramp never"}) {
    EXPECT_NE(all.find(part), std::string::npos) << part << "\n" << all;
  }
}

TEST(Generate, SameSeedSameCases) {
  for (const Generator& generator : Generators()) {
    for (Style style : {Style::kByIntent, Style::kUniform}) {
      Random a(7);
      Random b(7);
      Random other(8);
      bool differs = false;
      for (int i = 0; i < 50; ++i) {
        const Case c = Generate(generator.slug, a, style).c;
        EXPECT_EQ(c, Generate(generator.slug, b, style).c);
        differs |= c != Generate(generator.slug, other, style).c;
      }
      EXPECT_TRUE(differs) << generator.slug;
    }
  }
}

TEST(Generate, SameCasesOnEveryPlatform) {
  // A change of the generator changes these; it must be meant.
  std::string hashes;
  for (const Generator& generator : Generators()) {
    Random random(1);
    std::vector<std::uint8_t> all;
    for (int i = 0; i < 100; ++i) {
      const auto bytes = EncodeFuzzInput(Generate(generator.slug, random).c);
      ASSERT_TRUE(bytes) << bytes.error();
      all.insert(all.end(), bytes->begin(), bytes->end());
    }
    hashes += std::string(generator.slug) + " " + ContentHash(all) + "\n";
  }
  EXPECT_EQ(hashes,
            "repeat_reduce_sum 99df701707245600\n"
            "min d5e06f0a173c2d4b\n"
            "data_copy d01bd90f7e476b1d\n"
            "trowprod 1544afc318f49b1e\n"
            "vec_trans e43783fb53d25f32\n"
            "whole_reduce_sum 797a0a0ae6bad1c8\n"
            "max fddda89235b31323\n"
            "add cc4c962052585b78\n"
            "sub a5d74d1e2367142b\n"
            "mul 6672bd5b7a893411\n"
            "abs 3d882c2fbaf6743a\n"
            "adds ace2bde6da2db474\n"
            "and 2f5449a67636de57\n"
            "relu ee726e622e2689ee\n"
            "not 4f713bfe1b5e653f\n"
            "maxs c5199725a48037fd\n"
            "mins 7c1dcd91fe11ffd3\n"
            "muls 0f520ab2ffc1dcf3\n"
            "or 793808237d74b135\n"
            "leaky_relu 0492809f44f579f6\n"
            "add_relu e3109998b95bd963\n"
            "sub_relu 5469f68867c7af4b\n"
            "duplicate 459e7f0d141932fd\n"
            "data_copy_pad 96c51f6901a731d0\n"
            "shift_left 46d5e2db0ee8ea77\n"
            "shift_right f69b6e14ef752f41\n"
            "mul_add_dst 14b282b0ddf51069\n"
            "fused_mul_add 1b1c90bee30c1d41\n"
            "mul_add_relu 06c9e94132bfde57\n"
            "axpy 36c02c9bdbb75307\n"
            "block_reduce_max db4f711032a221bf\n"
            "block_reduce_min 2bc818596f8e4c31\n"
            "block_reduce_sum cec98858d91a4b28\n"
            "pair_reduce_sum 06a36ab00cc81445\n"
            "cast 516be9e182bad0e8\n"
            "whole_reduce_max 9c03d1e7d6ab06e3\n"
            "whole_reduce_min 667cf2e2f81bc64b\n"
            "copy e7d256cc16d82fce\n"
            "brcb 4cdaf31619094d46\n"
            "create_vec_index 6b44d719af30f78c\n"
            "add_relu_cast 7b734961d3cb0f62\n"
            "sub_relu_cast 1bde9f0dff4d2dfe\n"
            "mul_cast d2f5183d9f8262bc\n"
            "compare 42d7745d508492cb\n"
            "compare_scalar 6a1a04f1cfa1d826\n"
            "div f9f90aeabec6ab1d\n"
            "exp cbb291a8a57bb47f\n"
            "ln b843508b20bd4a14\n"
            "reciprocal bbc2adf51ea459f9\n"
            "rsqrt 50240a8bbd2881c6\n"
            "sqrt c7a420fcde85df03\n"
            "select 313c53e7a5ce0285\n"
            "program ef55d2a87a2e92e2\n");
}

TEST(Generate, FlagsOfProgramsOrderThemOrNearlyDo) {
  Random random(5);
  int right = 0;
  int wrong = 0;
  for (int i = 0; i < 1500; ++i) {
    const Case c = Generate("program", random).c;
    const bool waits = std::ranges::any_of(c.program, [](const auto& step) {
      return std::holds_alternative<isa::WaitFlag>(step);
    });
    if (!c.lint.sync || !waits) continue;
    oracle::HazardQuestion question;
    question.product = c.product;
    question.program = c.program;
    question.automatic = c.lint.sync->automatic;
    for (std::size_t m = 0; m < question.written.size(); ++m) {
      const auto size = SizeOf(c, static_cast<isa::Memory>(m));
      question.written[m].assign(static_cast<std::size_t>(size), true);
    }
    const auto answer = oracle::FindHazards(question);
    ASSERT_TRUE(answer) << answer.error();
    ++(answer->bytes.empty() && answer->steps.empty() ? right : wrong);
  }
  EXPECT_GE(right, 15);
  EXPECT_GE(wrong, 15);
}

TEST(Generate, CasesAreWellFormed) {
  Random random(3);
  for (const Generator& generator : Generators()) {
    for (int i = 0; i < 60; ++i) {
      const Style style = i % 20 == 0 ? Style::kUniform : Style::kByIntent;
      const Case c = Generate(generator.slug, random, style).c;
      const auto read = ReadCase(WriteCase(c));
      ASSERT_TRUE(read) << read.error().pointer << " " << read.error().message;
      EXPECT_EQ(*read, c);
    }
  }
}

// ---- Pairs ------------------------------------------------------------------

// What pairs of elements are to show, worked out from their values: half and
// int16 are exact in double, and so are their sums and products.

double HalfValue(std::uint64_t bits) {
  const auto exponent = static_cast<int>(bits >> 10 & 31);
  const auto fraction = static_cast<double>(bits & 1023);
  const double magnitude = exponent == 0
                               ? std::ldexp(fraction, -24)
                               : std::ldexp(1024 + fraction, exponent - 25);
  return (bits >> 15 & 1) != 0 ? -magnitude : magnitude;
}

double Int16Value(std::uint64_t bits) {
  return static_cast<std::int16_t>(static_cast<std::uint16_t>(bits));
}

double Result(DataUse use, double left, double right) {
  if (use == DataUse::kPairProduct) return left * right;
  return use == DataUse::kPairSum ? left + right : left - right;
}

/// Of 1,000 pairs of some regions, how many have `property`.
int CountOf(DType type, DataUse use, DataIntent intent,
            const std::function<bool(double left, double right, double result)>&
                property) {
  Random random(17);
  int count = 0;
  for (int region = 0; region < 10; ++region) {
    DataTheme theme = {.intent = intent, .use = use, .key = random.Bits()};
    for (std::int64_t i = 0; i < 100; ++i) {
      double sides[2];
      for (bool second : {false, true}) {
        theme.second = second;
        const std::uint64_t bits = ThemedElement(type, theme, i, random.Bits());
        sides[second ? 1 : 0] =
            type == DType::kHalf ? HalfValue(bits) : Int16Value(bits);
      }
      count += property(sides[0], sides[1], Result(use, sides[0], sides[1]));
    }
  }
  return count;
}

constexpr DataUse kUses[] = {DataUse::kPairSum, DataUse::kPairDifference,
                             DataUse::kPairProduct};

TEST(PairData, TiesLieHalfway) {
  for (DataUse use : kUses) {
    const int ties = CountOf(
        DType::kHalf, use, DataIntent::kTies, [](double, double, double r) {
          if (r == 0) return false;
          const double unit = std::ldexp(1, std::max(std::ilogb(r), -14) - 10);
          return std::abs(std::fmod(r / unit, 1)) == 0.5;
        });
    EXPECT_GT(ties, 900) << static_cast<int>(use);
  }
}

TEST(PairData, OverflowIsMetOnBothSides) {
  for (DataUse use : kUses) {
    const auto within = [&](double low, double high) {
      return CountOf(DType::kHalf, use, DataIntent::kJustOverflow,
                     [=](double, double, double r) {
                       return std::abs(r) >= low && std::abs(r) < high;
                     });
    };
    EXPECT_GT(within(65024, 65520), 150) << static_cast<int>(use);
    EXPECT_GT(within(65520, 66560), 150) << static_cast<int>(use);
    EXPECT_GT(within(65024, 66560), 900) << static_cast<int>(use);
  }
}

TEST(PairData, CancellationLeavesLittle) {
  for (DataUse use : {DataUse::kPairSum, DataUse::kPairDifference}) {
    const int small = CountOf(DType::kHalf, use, DataIntent::kCancellation,
                              [](double left, double, double r) {
                                return std::abs(r) <= std::abs(left) / 512;
                              });
    EXPECT_EQ(small, 1000) << static_cast<int>(use);
  }
}

TEST(PairData, ProductsAreSubnormal) {
  const int subnormal =
      CountOf(DType::kHalf, DataUse::kPairProduct, DataIntent::kSubnormals,
              [](double, double, double r) {
                return r != 0 && std::abs(r) < std::ldexp(1, -14);
              });
  EXPECT_GT(subnormal, 700);
}

TEST(ConversionData, TiesLieHalfwayBetweenWholeNumbers) {
  EXPECT_EQ(CountOf(DType::kHalf, DataUse::kConversion, DataIntent::kTies,
                    [](double left, double, double) {
                      return std::abs(std::fmod(left, 1)) == 0.5;
                    }),
            1000);
}

TEST(ConversionData, TiesOfFloatsAreThoseOfNarrowerTypes) {
  int of_half = 0;
  int of_bfloat16 = 0;
  Random random(17);
  for (std::uint64_t key = 0; key < 3; ++key) {
    const DataTheme theme = {
        .intent = DataIntent::kTies, .use = DataUse::kConversion, .key = key};
    for (std::int64_t i = 0; i < 100; ++i) {
      const auto bits = ThemedElement(DType::kFloat, theme, i, random.Bits());
      of_half += key == 1 && (bits & 0x1fff) == 0x1000 ? 1 : 0;
      of_bfloat16 += key == 2 && (bits & 0xffff) == 0x8000 ? 1 : 0;
    }
  }
  EXPECT_EQ(of_half, 100);
  EXPECT_EQ(of_bfloat16, 100);
}

TEST(ConversionData, OverflowIsMetNextToTheEndsOfIntegers) {
  const auto within = [](double low, double high) {
    return CountOf(DType::kHalf, DataUse::kConversion,
                   DataIntent::kJustOverflow, [=](double left, double, double) {
                     return std::abs(left) >= low && std::abs(left) < high;
                   });
  };
  EXPECT_GT(within(127.3, 128), 50);
  EXPECT_GT(within(128, 128.5), 50);
  EXPECT_GT(within(255.3, 256), 50);
  EXPECT_GT(within(256, 257), 50);
  EXPECT_GT(within(32700, 32768), 50);
  EXPECT_GT(within(32768, 32900), 50);
}

TEST(PairData, IntegersMeetBothLimitsFromBothSides) {
  for (DataUse use : kUses) {
    for (double limit : {32767.0, -32768.0}) {
      const auto beside = [&](int side) {
        return CountOf(DType::kInt16, use, DataIntent::kJustOverflow,
                       [=](double left, double right, double r) {
                         // A product leaves the limit by as many units as its
                         // factor.
                         const double units = use == DataUse::kPairProduct
                                                  ? 2 * std::abs(left) + 2
                                                  : 4;
                         return right != 0 && std::abs(r - limit) <= units &&
                                (side < 0 ? r <= limit : r >= limit);
                       });
      };
      EXPECT_GT(beside(-1), 50) << static_cast<int>(use) << " at " << limit;
      EXPECT_GT(beside(1), 50) << static_cast<int>(use) << " at " << limit;
    }
  }
}

}  // namespace
}  // namespace lanediff::make
