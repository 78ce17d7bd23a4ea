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

/// What Brcb lists, and what calls that break rules would do. corpus/brcb has
/// both sides of each rule, and the values.
namespace lanediff::oracle {
namespace {

using isa::Call;
using isa::Param;
using test::Anywhere;
using test::Broadcast;
using Words = std::vector<std::uint64_t>;

/// `count` numbers from `first` on, `times` times each.
Words Repeated(std::uint64_t first, std::uint64_t count, std::size_t times) {
  Words words;
  for (std::uint64_t n = first; n < first + count; ++n) {
    words.insert(words.end(), times, n);
  }
  return words;
}

TEST(Brcb, Accesses) {
  Machine m;
  ASSERT_TRUE(m.Executes(Broadcast(2, 2, 20)));
  const std::vector<isa::Access>& accesses = m.oracle.accesses();
  ASSERT_EQ(accesses.size(), 18U);
  EXPECT_EQ(
      accesses[9],
      (isa::Access{.operand = "src", .at = 8208, .bytes = 16, .iteration = 1}));
  EXPECT_EQ(accesses[17], (isa::Access{.operand = "dst",
                                       .write = true,
                                       .at = 1088,
                                       .bytes = 32,
                                       .iteration = 1,
                                       .lane = 112}));
}

TEST(BrcbExtended, IllegalCallsFollowTheFormulas) {
  struct Row {
    std::function<void(Call&)> change;
    const char* rules;
    std::int64_t at;
    Words written;
    std::size_t accesses;
    Product product = Product::kAtlasA2;
  };
  const Row rows[] = {
      // The last DataBlock is what stays.
      {[](Call& c) { c.BlkStride(0) = 0; }, "DST-BLK-STRIDE-ZERO", 0,
       Repeated(8, 1, 16), 9},
      {[](Call& c) { c[Param::kRepeatTimes] = 300, c.RepStride(0) = 0; },
       "BOUNDS REPEAT", 0, Repeated(2393, 8, 16), 600},
      // All of an iteration is read first.
      {[](Call& c) { c.dst().at = 8192; }, "OVERLAP", 8192, Repeated(1, 8, 16),
       2},
      {[](Call& c) { c.dst().at = 8192 - 256 + 32; }, "OVERLAP",
       8192 - 256 + 32, Repeated(1, 8, 16), 2},
      // Backwards.
      {[](Call& c) {
         c.dst().at = 1024;
         c[Param::kRepeatTimes] = 2;
         c.RepStride(0) = -8;
       },
       "BOUNDS STRIDE-RANGE", 768, Repeated(9, 8, 16), 4},
      {[](Call& c) { c.dst().position = Position::kUb; }, "POSITION PRODUCT", 0,
       Repeated(1, 8, 16), 2, Product::kAtlasTraining},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.rules);
    Call call = Broadcast(1);
    row.change(call);
    EXPECT_EQ(Anywhere(call, row.product), row.rules);
    Machine m(row.product);
    m.Put(DType::kHalf, 8192, Repeated(1, 2400, 1));
    ASSERT_TRUE(RunsExtended(m, call));
    EXPECT_EQ(m.Get(DType::kHalf, row.at, row.written.size()), row.written);
    EXPECT_EQ(m.oracle.accesses().size(), row.accesses);
  }
  Call bytes = Broadcast(1);
  bytes.dtype = DType::kInt8;
  EXPECT_EQ(Anywhere(bytes), "DTYPE");
  Machine m;
  EXPECT_TRUE(RunsExtended(m, bytes));
}

TEST(BrcbExtended, WhatHasNoExtension) {
  struct Row {
    std::function<void(Call&)> change;
    const char* rules;
    std::string_view reason;
  };
  constexpr std::int64_t kHuge = std::int64_t{1} << 40;
  const Row rows[] = {
      {[](Call& c) { c[Param::kRepeatTimes] = -1; }, "REPEAT",
       "a negative repeat"},
      {[](Call& c) { c[Param::kRepeatTimes] = test::kMin; }, "REPEAT",
       "a negative repeat"},
      {[](Call& c) { c[Param::kRepeatTimes] = kHuge; }, "BOUNDS REPEAT",
       "dst would reach outside its memory"},
      {[](Call& c) { c.BlkStride(0) = kHuge; }, "BOUNDS STRIDE-RANGE",
       "dst would reach outside its memory"},
  };
  for (const Row& row : rows) {
    Call call = Broadcast(1);
    row.change(call);
    EXPECT_EQ(Anywhere(call), row.rules) << row.reason;
    Machine m;
    EXPECT_EQ(test::Refusal(m, call), row.reason);
  }
}

}  // namespace
}  // namespace lanediff::oracle
