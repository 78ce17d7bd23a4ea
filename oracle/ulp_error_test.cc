#include "oracle/ulp_error.h"

#include <gtest/gtest.h>

namespace lanediff::oracle {
namespace {

using isa::DType;

struct Row {
  DType type;
  std::string_view exact;
  std::uint64_t bits;
  std::string_view error;
};

/// Worked by hand: halves from 32768 on are 32 apart, from 1 on 2^-10.
TEST(UlpError, IsCountedInTheSpacingAtTheExactValue) {
  for (const Row& row : {
           Row{DType::kHalf, "35600", 0x7858, "-0.5"},
           Row{DType::kHalf, "35584", 0x7858, "0"},
           Row{DType::kHalf, "120000", 0x7bff, "-1703"},
           Row{DType::kHalf, "-120000", 0xfbff, "+1703"},
           Row{DType::kHalf, "1", 0x3c01, "+1"},
           Row{DType::kHalf, "1", 0x3bff, "-0.5"},
           Row{DType::kHalf, "0", 0x0001, "+1"},
           Row{DType::kHalf, "0", 0x8000, "0"},
           Row{DType::kHalf, "0.0000000001", 0x0000, "-0.001677…"},
           Row{DType::kHalf, "0.0000000000000001", 0x0000, "-0.000000…"},
           Row{DType::kFloat, "16777217", 0x4b800000, "-0.5"},
           Row{DType::kInt16, "32768", 0x8000, "-65536"},
           Row{DType::kInt16, "40000", 0x7fff, "-7233"},
           Row{DType::kInt32, "-5", 0xfffffffb, "0"},
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
