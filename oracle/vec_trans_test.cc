#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "isa/call.h"
#include "isa/vocabulary.h"
#include "oracle/calls_testing.h"
#include "oracle/oracle.h"
#include "oracle/testing.h"

/// What vec_trans lists, and what calls that break rules would do.
/// corpus/vec_trans has both sides of each rule, and the matrices.
namespace lanediff::oracle {
namespace {

using isa::Call;
using isa::Param;
using test::Anywhere;
using test::Transpose;
using Words = std::vector<std::uint64_t>;

/// The 16 × 16 matrix first, first + 1, … row by row.
Words Rows(std::uint64_t first) {
  Words words;
  for (std::uint64_t n = 0; n < 256; ++n) words.push_back(first + n);
  return words;
}

/// The same numbers column by column.
Words Columns(std::uint64_t first) {
  Words words;
  for (std::uint64_t column = 0; column < 16; ++column) {
    for (std::uint64_t row = 0; row < 16; ++row) {
      words.push_back(first + 16 * row + column);
    }
  }
  return words;
}

TEST(VecTrans, Accesses) {
  Machine m;
  ASSERT_TRUE(m.Executes(Transpose(2, 2, 1)));
  const std::vector<isa::Access>& accesses = m.oracle.accesses();
  ASSERT_EQ(accesses.size(), 4U);
  EXPECT_EQ(accesses[2],
            (isa::Access{
                .operand = "src", .at = 8704, .bytes = 512, .iteration = 1}));
  EXPECT_EQ(accesses[3], (isa::Access{.operand = "dst",
                                      .write = true,
                                      .at = 1024,
                                      .bytes = 512,
                                      .iteration = 1}));
}

/// What calls that break rules do: 256 numbers from 1 on, from 4096, and from
/// 1001 on, 512 bytes further, and what is at some place afterwards.
TEST(VecTransExtended, IllegalCallsFollowTheFormulas) {
  const auto call = [](std::int64_t dst, std::int64_t src, std::int64_t repeat,
                       std::int64_t dst_stride, std::int64_t src_stride) {
    Call made = Transpose(repeat, dst_stride, src_stride);
    made.dst().at = dst;
    made.src(0).at = src;
    return made;
  };
  Call other = call(0, 4096, 1, 1, 1);
  other.dst().position = Position::kVecout;
  other.dtype = DType::kBfloat16;
  struct Row {
    Call call;
    const char* rules;
    std::int64_t at;
    Words written;
    std::size_t accesses;
    Product product = Product::kAtlasA2;
  };
  const Row rows[] = {
      // In place, then to 4608: the first matrix transposed twice.
      {call(4096, 4096, 2, 1, 0), "OVERLAP", 4608, Rows(1), 4},
      // The whole matrix is read first.
      {call(4096 + 32, 4096, 1, 1, 1), "OVERLAP", 4128, Columns(1), 2},
      // Backwards: matrices at 4608 and 4096.
      {call(8192, 4608, 2, 1, -1), "BOUNDS SRC-STRIDE", 8704, Columns(1), 4},
      {call(0, 4096, 5000, 0, 0), "REPEAT", 0, Columns(1), 10000},
      {call(0, 4096, 0, 0, 0), "REPEAT", 4096, Rows(1), 0},
      {other, "DTYPE PRODUCT SCOPE", 0, Columns(1), 2, Product::kAtlasA3},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.rules);
    EXPECT_EQ(Anywhere(row.call, row.product), row.rules);
    Machine m(row.product);
    m.Put(DType::kHalf, 4096, Rows(1));
    m.Put(DType::kHalf, 4608, Rows(1001));
    ASSERT_TRUE(RunsExtended(m, row.call));
    EXPECT_EQ(m.Get(DType::kHalf, row.at, 256), row.written);
    EXPECT_EQ(m.oracle.accesses().size(), row.accesses);
  }
  Call misaligned = call(8192, 4098, 1, 1, 1);
  EXPECT_EQ(Anywhere(misaligned), "ALIGN");
  Machine m;
  m.Put(DType::kHalf, 4098, Rows(500));
  ASSERT_TRUE(RunsExtended(m, misaligned));
  EXPECT_EQ(m.Get(DType::kHalf, 8192, 256), Columns(500));
}

TEST(VecTransExtended, WhatHasNoExtension) {
  struct Row {
    std::function<void(Call&)> change;
    const char* rules;
    std::string_view reason;
    Product product = Product::kAtlasA2;
  };
  constexpr std::int64_t kHuge = std::int64_t{1} << 40;
  const Row rows[] = {
      {[](Call& c) { c[Param::kRepeatTimes] = -1; }, "REPEAT",
       "a negative repeat"},
      {[](Call& c) { c[Param::kRepeatTimes] = test::kMin; }, "REPEAT",
       "a negative repeat"},
      {[](Call& c) { c[Param::kRepeatTimes] = kHuge; }, "BOUNDS REPEAT",
       "dst would reach outside its memory"},
      {[](Call& c) {
         c[Param::kRepeatTimes] = kHuge;
         c[Param::kDstRepStride] = c[Param::kSrc0RepStride] = 0;
       },
       "REPEAT", "more than 1000000 accesses or 16 MiB"},
      {[](Call& c) { c.dtype = DType::kFloat; }, "DTYPE",
       "no transpose for elements of other than 16 bits"},
      {[](Call& c) { c.src(0).position = Position::kC2pipe2gm; }, "SCOPE",
       "src's position has no memory here", Product::kAtlasTraining},
  };
  for (const Row& row : rows) {
    Call call = Transpose(1);
    row.change(call);
    EXPECT_EQ(Anywhere(call, row.product), row.rules) << row.reason;
    Machine m(row.product);
    EXPECT_EQ(test::Refusal(m, call), row.reason);
  }
}

}  // namespace
}  // namespace lanediff::oracle
