#include "oracle/product_bound.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "isa/vocabulary.h"
#include "oracle/ulp_error.h"

/// How far results are from exact values.
namespace lanediff::oracle {
namespace {

using Words = std::vector<std::uint64_t>;
using isa::DType;

struct Row {
  Words factors;
  std::uint64_t result;
  std::optional<bool> within;
};

void Check(DType dtype, const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    EXPECT_EQ(WithinProductBound(dtype, row.factors, row.result), row.within)
        << std::hex << row.factors.size() << " factors, result " << row.result;
  }
}

constexpr std::uint64_t kOne = 0x3c00;

TEST(ProductBound, HalfAroundOne) {
  // A unit above 1 is 2u, below 1 it is u.
  Check(DType::kHalf, {
                          {{kOne}, kOne, true},  // one factor: exactly
                          {{kOne}, 0x3bff, false},
                          {{kOne}, 0x3c01, false},
                          {{kOne, kOne}, 0x3bff, true},  // u, the bound itself
                          {{kOne, kOne}, 0x3bfe, false},
                          {{kOne, kOne}, 0x3c01, false},
                          {{kOne, kOne, kOne}, 0x3c01, true},  // 2u < 2u + u²
                          {{kOne, kOne, kOne}, 0x3c02, false},
                          {{kOne, kOne, kOne}, 0x3bfe, true},
                          {{kOne, kOne, kOne}, 0x3bfd, false},
                          {{kOne, 0xbc00}, 0xbc00, true},  // signs
                          {{kOne, 0xbc00}, 0xbbff, true},
                          {{kOne, 0xbc00}, 0xbc01, false},
                          {{kOne, 0xbc00}, kOne, false},
                          {{0xbc00, 0xbc00}, kOne, true},
                      });
}

TEST(ProductBound, TheSquareOfUCounts) {
  // 1025 · 1271 · 1100 · 2^-30 = 1433052500 · 2^-30; 1368 · 2^-10 is 1399468
  // units of 2^-30 away: 2u allows 1399465.3, u² another 341.7.
  Check(DType::kHalf, {{{0x3c01, 0x3cf7, 0x3c4c}, 0x3d58, true}});
  // 1024 · 1348 · 1300 · 2^-30 against 1713 · 2^-10: 1753088 away, 1752836.6
  // allowed.
  Check(DType::kHalf, {{{kOne, 0x3d44, 0x3d14}, 0x3eb1, false},
                       {{kOne, 0x3d44, 0x3d14}, 0x3eb0, true}});
}

TEST(ProductBound, Float) {
  constexpr std::uint64_t kF = 0x3f800000;
  Check(DType::kFloat, {
                           {{kF}, kF, true},
                           {{kF}, 0x3f7fffff, false},
                           {{kF, kF}, 0x3f7fffff, true},
                           {{kF, kF}, 0x3f7ffffe, false},
                           {{kF, kF}, 0x3f800001, false},
                           {{kF, kF, kF}, 0x3f800001, true},
                           {{kF, kF, kF}, 0x3f800002, false},
                           {{0x40000000, 0xbf000000}, 0xbf800000, true},
                       });
  // Many factors: (1 + u)^767 - 1 is a little above 767u; 383 units of 2u
  // fit, 384 don't.
  Check(DType::kFloat, {{Words(768, kF), kF + 383, true},
                        {Words(768, kF), kF + 384, false},
                        {Words(768, kF), kF - 767, true},
                        {Words(768, kF), kF - 768, false}});
}

TEST(ProductBound, DoesNotApply) {
  const std::optional<bool> nothing;
  Check(DType::kHalf, {
                          {{}, kOne, nothing},
                          {{0x0000, kOne}, kOne, nothing},
                          {{0x8000, kOne}, kOne, nothing},
                          {{kOne, 0x7c00}, kOne, nothing},
                          {{kOne, 0x7e00}, kOne, nothing},
                          {{kOne, kOne}, 0x0000, nothing},
                          {{kOne, kOne}, 0xfc00, nothing},
                          {{kOne, kOne}, 0x7e00, nothing},
                      });
  Check(DType::kFloat, {{{0x7f800000}, 0x3f800000, nothing},
                        {{0x3f800000}, 0x80000000, nothing}});
}

TEST(ProductBound, WhereTheTrueProductIsNormal) {
  const std::optional<bool> nothing;
  Check(DType::kHalf,
        {
            {{0x7bff, kOne}, 0x7bff, true},  // 65504
            {{0x7bff, 0x3c01}, 0x7bff, nothing},
            {{0x5c00, 0x5c00}, 0x7bff, nothing},  // 65536
            {{0xdc00, 0x5c00}, 0xfbff, nothing},
            {{0x5c00, 0x5c00, 0x1c00}, 0x5c00, true},  // · 2^-8: normal again
            {{0x0400, kOne}, 0x0400, true},            // 2^-14
            {{0x0400, 0x3bff}, 0x0400, nothing},
            {{0x0400, 0x3bff}, 0x03ff, nothing},
            {{0x0001, 0x6400}, 0x0400, true},     // a subnormal factor: 2^-14
            {{0x0001, 0x6000}, 0x0200, nothing},  // 2^-15
            {{0x0400, kOne}, 0x03ff, false},      // 2u away, subnormal
        });
  Check(DType::kFloat, {{{0x00800000, 0x3f800000}, 0x00800000, true},
                        {{0x00800000, 0x3f7fffff}, 0x00800000, nothing},
                        {{0x7f7fffff, 0x3f800000}, 0x7f7fffff, true},
                        {{0x7f7fffff, 0x3f800001}, 0x7f7fffff, nothing}});
}

struct UlpRow {
  DType type;
  std::string_view exact;
  std::uint64_t bits;
  std::string_view error;
};

/// Worked by hand: halves from 32768 on are 32 apart, from 1 on 2^-10.
TEST(UlpError, IsCountedInTheSpacingAtTheExactValue) {
  for (const UlpRow& row : {
           UlpRow{DType::kHalf, "35600", 0x7858, "-0.5"},
           UlpRow{DType::kHalf, "35584", 0x7858, "0"},
           UlpRow{DType::kHalf, "120000", 0x7bff, "-1703"},
           UlpRow{DType::kHalf, "-120000", 0xfbff, "+1703"},
           UlpRow{DType::kHalf, "1", 0x3c01, "+1"},
           UlpRow{DType::kHalf, "1", 0x3bff, "-0.5"},
           UlpRow{DType::kHalf, "0", 0x0001, "+1"},
           UlpRow{DType::kHalf, "0", 0x8000, "0"},
           UlpRow{DType::kHalf, "0.0000000001", 0x0000, "-0.001677…"},
           UlpRow{DType::kHalf, "0.0000000000000001", 0x0000, "-0.000000…"},
           UlpRow{DType::kFloat, "16777217", 0x4b800000, "-0.5"},
           UlpRow{DType::kInt16, "32768", 0x8000, "-65536"},
           UlpRow{DType::kInt16, "40000", 0x7fff, "-7233"},
           UlpRow{DType::kInt32, "-5", 0xfffffffb, "0"},
       }) {
    EXPECT_EQ(UlpError(row.type, row.exact, row.bits), row.error)
        << isa::Name(row.type) << " " << row.exact;
  }
}

TEST(UlpError, WhatIsNotFiniteHasNone) {
  EXPECT_FALSE(UlpError(DType::kHalf, "nan", 0x3c00));
  EXPECT_FALSE(UlpError(DType::kHalf, "-inf", 0x3c00));
  EXPECT_FALSE(UlpError(DType::kHalf, "1", 0x7c00));
  EXPECT_FALSE(UlpError(DType::kFloat, "1", 0x7fc00000));
}

}  // namespace
}  // namespace lanediff::oracle
