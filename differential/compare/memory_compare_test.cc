#include "differential/compare/memory_compare.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "differential/testcase/case_reader.h"
#include "differential/testcase/element.h"
#include "isa/memory_map.h"

namespace lanediff::diff {
namespace {

using isa::DType;
using isa::Memory;

/// 64 bytes of UB and 32 of GM, all 00.
MemorySet SmallMemory() {
  Case c;
  c.memory[Memory::kUb] = MemoryImage{.fill = 0, .size = 64, .regions = {}};
  c.memory[Memory::kGm] = MemoryImage{.fill = 0, .size = 32, .regions = {}};
  return MemorySet(c);
}

void Put(MemorySet& memory, Memory where, std::int64_t at, DType type,
         std::uint64_t bits) {
  std::vector<std::uint8_t> bytes;
  AppendElement(type, bits, bytes);
  std::ranges::copy(bytes, memory[where].begin() + at);
}

TypedRun RunOf(Memory memory, std::int64_t at, std::int64_t bytes, DType type,
               std::int64_t iteration = 0, std::int64_t lane = 0) {
  return {{"dst", true, memory, at, bytes, type, iteration, lane}};
}

/// Values of a type that differ from each other, and its NaNs, which are equal.
struct TypeValues {
  DType type;
  std::vector<std::uint64_t> numbers;
  std::vector<std::uint64_t> nans;
};

// Zeros, subnormals, normals 1 ULP apart, largest, infinities, NaNs. The same
// bits are numbers of an integer type: equal only to themselves.
const TypeValues kValues[] = {
    {DType::kHalf,
     {0x0000, 0x8000, 0x0001, 0x8001, 0x03ff, 0x0400, 0x3c00, 0x3c01, 0xbc00,
      0x7bff, 0xfbff, 0x7c00, 0xfc00},
     {0x7e00, 0xfe00, 0x7c01, 0xffff}},
    {DType::kBfloat16,
     {0x0000, 0x8000, 0x0001, 0x007f, 0x0080, 0x3f80, 0x3f81, 0x7f7f, 0x7f80,
      0xff80},
     {0x7fc0, 0xff81, 0xffff}},
    {DType::kFloat,
     {0x00000000, 0x80000000, 0x00000001, 0x007fffff, 0x00800000, 0x3f800000,
      0x3f800001, 0xbf800000, 0x7f7fffff, 0x7f800000, 0xff800000},
     {0x7fc00000, 0xffc00000, 0x7f800001, 0xffffffff}},
    {DType::kDouble,
     {0, 0x8000000000000000, 1, 0x3ff0000000000000, 0x3ff0000000000001,
      0x7fefffffffffffff, 0x7ff0000000000000, 0xfff0000000000000},
     {0x7ff8000000000000, 0x7ff0000000000001, 0xffffffffffffffff}},
    {DType::kInt16, {0x7e00, 0xfe00, 0x7c01, 0xffff, 0, 0x8000}, {}},
    {DType::kUint16, {0x7e00, 0xfe00, 0xffff, 0, 0x8000}, {}},
    {DType::kInt32, {0x7fc00000, 0xffc00000, 0, 0x80000000}, {}},
    {DType::kUint32, {0x7fc00000, 0xffffffff, 0, 0x80000000}, {}},
    {DType::kInt64, {0x7ff8000000000000, 0xffffffffffffffff, 0}, {}},
    {DType::kUint64, {0x7ff8000000000000, 0xffffffffffffffff, 0}, {}},
    {DType::kInt8, {0x7f, 0xff, 0x80, 0}, {}},
    {DType::kUint8, {0x7f, 0xff, 0x80, 0}, {}},
};

TEST(CompareMemory, EveryPairOfValueClassesInBothOrders) {
  for (const TypeValues& t : kValues) {
    const TypedRun run = RunOf(Memory::kUb, 8, 16, t.type, 3, 5);
    std::vector<std::uint64_t> values = t.numbers;
    values.insert(values.end(), t.nans.begin(), t.nans.end());
    const auto is_nan = [&](std::uint64_t bits) {
      return std::ranges::find(t.nans, bits) != t.nans.end();
    };
    for (const std::uint64_t a : values) {
      for (const std::uint64_t b : values) {
        MemorySet expected = SmallMemory();
        MemorySet actual = SmallMemory();
        const std::int64_t at = 8 + isa::SizeBytes(t.type);
        Put(expected, Memory::kUb, at, t.type, a);
        Put(actual, Memory::kUb, at, t.type, b);
        const auto found = CompareMemory(expected, actual, {{run}});
        const std::string what = std::string(isa::Name(t.type)) + " " +
                                 DescribeElement(t.type, a) + " " +
                                 DescribeElement(t.type, b);
        if (a == b || (is_nan(a) && is_nan(b))) {
          EXPECT_FALSE(found) << what;
          continue;
        }
        ASSERT_TRUE(found) << what;
        EXPECT_EQ(found->at, at) << what;
        EXPECT_EQ(found->expected, a) << what;
        EXPECT_EQ(found->actual, b) << what;
        EXPECT_EQ(found->dtype, t.type) << what;
        EXPECT_EQ(found->operand, "dst") << what;
        EXPECT_EQ(found->iteration, 3) << what;
        EXPECT_EQ(found->lane, 6) << what;
      }
    }
  }
}

TEST(CompareMemory, NansAreEqualOnlyWhereTheirTypeIsWritten) {
  MemorySet expected = SmallMemory();
  MemorySet actual = SmallMemory();
  Put(expected, Memory::kUb, 8, DType::kHalf, 0x7e00);
  Put(actual, Memory::kUb, 8, DType::kHalf, 0x7e01);
  const TypedRun half = RunOf(Memory::kUb, 8, 2, DType::kHalf);
  EXPECT_FALSE(CompareMemory(expected, actual, {{half}}));

  // Not without an unspecified range, and not beside one.
  EXPECT_TRUE(CompareMemory(expected, actual, {}));
  const TypedRun before = RunOf(Memory::kUb, 6, 2, DType::kHalf);
  const TypedRun after = RunOf(Memory::kUb, 10, 2, DType::kHalf);
  EXPECT_TRUE(CompareMemory(expected, actual, {{before, after}}));
  const TypedRun elsewhere = RunOf(Memory::kGm, 8, 2, DType::kHalf);
  EXPECT_TRUE(CompareMemory(expected, actual, {{elsewhere}}));
  // The later run is what was written last.
  const TypedRun integer = RunOf(Memory::kUb, 8, 2, DType::kUint16);
  EXPECT_TRUE(CompareMemory(expected, actual, {{half, integer}}));
  EXPECT_FALSE(CompareMemory(expected, actual, {{integer, half}}));
}

TEST(CompareMemory, NanAgainstNumberDiffersThoughBothBytesCanBeNan) {
  MemorySet expected = SmallMemory();
  MemorySet actual = SmallMemory();
  const TypedRun run = RunOf(Memory::kUb, 0, 8, DType::kHalf);
  Put(expected, Memory::kUb, 0, DType::kHalf, 0x7e00);  // equal NaNs first,
  Put(actual, Memory::kUb, 0, DType::kHalf, 0xfe01);
  Put(expected, Memory::kUb, 4, DType::kHalf, 0x7c00);  // then a difference
  Put(actual, Memory::kUb, 4, DType::kHalf, 0x7e00);
  const auto found = CompareMemory(expected, actual, {{run}});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->at, 4);
  EXPECT_EQ(found->lane, 2);
  EXPECT_EQ(found->ulp, 0u);
  EXPECT_EQ(found->differing_bytes, 1) << "the equal NaNs don't count";
}

TEST(CompareMemory, NansThatWereMovedKeepTheirBits) {
  MemorySet expected = SmallMemory();
  MemorySet actual = SmallMemory();
  Put(expected, Memory::kUb, 0, DType::kHalf, 0x7e01);
  Put(actual, Memory::kUb, 0, DType::kHalf, 0x7e00);
  TypedRun run = RunOf(Memory::kUb, 0, 2, DType::kHalf);
  EXPECT_FALSE(CompareMemory(expected, actual, {{run}}));
  run.moved = true;
  const auto found = CompareMemory(expected, actual, {{run}});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->expected, 0x7e01u);
  EXPECT_EQ(found->differing_bytes, 1);
}

TEST(CompareMemory, ANanThatWasPartlyOverwrittenIsNone) {
  // A float, then an integer over its upper half.
  const std::vector<TypedRun> runs = {RunOf(Memory::kUb, 0, 4, DType::kFloat),
                                      RunOf(Memory::kUb, 2, 2, DType::kInt16)};
  MemorySet expected = SmallMemory();
  MemorySet actual = SmallMemory();
  Put(expected, Memory::kUb, 0, DType::kFloat, 0x7fc00001);
  Put(actual, Memory::kUb, 0, DType::kFloat, 0x7fc10002);
  EXPECT_FALSE(CompareMemory(expected, actual, {{runs[0]}}));
  const auto found = CompareMemory(expected, actual, runs);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->differing_bytes, 2);
  Put(actual, Memory::kUb, 0, DType::kFloat, 0x7fc10001);
  EXPECT_EQ(CompareMemory(expected, actual, runs)->dtype, DType::kInt16);
}

TEST(CompareMemory, EverySingleByteOfEveryMemory) {
  const MemorySet clean = SmallMemory();
  // Lanes 0 to 7 and 16 to 23; no lane lies between them.
  const std::vector<TypedRun> runs = {
      RunOf(Memory::kUb, 0, 16, DType::kHalf),
      RunOf(Memory::kUb, 32, 16, DType::kHalf, 0, 16)};
  for (Memory memory : {Memory::kGm, Memory::kUb}) {
    for (std::size_t at = 0; at < clean[memory].size(); ++at) {
      MemorySet other = SmallMemory();
      other[memory][at] = 0x80;
      const auto found = CompareMemory(clean, other, {});
      ASSERT_TRUE(found) << at;
      EXPECT_EQ(found->memory, memory);
      EXPECT_EQ(found->at, static_cast<std::int64_t>(at));
      EXPECT_EQ(found->dtype, DType::kUint8);
      EXPECT_EQ(found->operand, "");
      EXPECT_EQ(found->differing_bytes, 1);
      using Pair = std::pair<const MemorySet*, const MemorySet*>;
      for (const auto& [expected, actual] :
           {Pair(&clean, &other), Pair(&other, &clean)}) {
        const auto typed = CompareMemory(*expected, *actual, runs);
        ASSERT_TRUE(typed) << at;
        const bool written = memory == Memory::kUb && at % 32 < 16;
        EXPECT_EQ(typed->operand, written ? "dst" : "") << at;
      }
    }
  }
  EXPECT_FALSE(CompareMemory(clean, SmallMemory(), {}));
  EXPECT_FALSE(CompareMemory(clean, SmallMemory(), runs));
}

TEST(CompareMemory, CountsTheDifferingBytesOfAllMemories) {
  const MemorySet expected = SmallMemory();
  MemorySet actual = SmallMemory();
  actual[Memory::kGm][31] = 1;
  Put(actual, Memory::kUb, 8, DType::kHalf, 0x0101);
  actual[Memory::kUb][63] = 1;
  const TypedRun run = RunOf(Memory::kUb, 8, 2, DType::kHalf);
  const auto found = CompareMemory(expected, actual, {{run}});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->memory, Memory::kGm) << "memories in their order";
  EXPECT_EQ(found->differing_bytes, 4);
}

TEST(WritesOf, KeepsTheWritesInOrder) {
  const std::vector<isa::Access> accesses = {
      {"src", false, Memory::kUb, 32, 4, DType::kHalf, 0, 0},
      {"dst", true, Memory::kUb, 2, 2, DType::kHalf, 0, 0},
      {"src", false, Memory::kUb, 64, 4, DType::kHalf, 1, 0},
      {"dst", true, Memory::kGm, 4, 2, DType::kFloat, 1, 7}};
  const auto writes = WritesOf(accesses);
  ASSERT_EQ(writes.size(), 2u);
  EXPECT_EQ(writes[0].at, 2);
  EXPECT_EQ(writes[1].memory, Memory::kGm);
  EXPECT_EQ(writes[1].dtype, DType::kFloat);
  EXPECT_EQ(writes[1].iteration, 1);
  EXPECT_EQ(writes[1].lane, 7);
}

TEST(WritesOf, ListsStepsThatMoveBits) {
  const std::vector<isa::Access> accesses = {
      {"dst", true, Memory::kUb, 2, 2, DType::kHalf, 0, 0}};
  EXPECT_TRUE(WritesOf(isa::CallOf("DataCopy"), accesses)[0].moved);
  EXPECT_TRUE(WritesOf(isa::CallOf("vec_trans"), accesses)[0].moved);
  EXPECT_TRUE(WritesOf(isa::CallOf("Duplicate"), accesses)[0].moved);
  EXPECT_FALSE(WritesOf(isa::CallOf("Min"), accesses)[0].moved);
  EXPECT_FALSE(WritesOf(isa::CallOf("RepeatReduceSum"), accesses)[0].moved);
  EXPECT_FALSE(WritesOf(isa::CallOf("TROWPROD"), accesses)[0].moved);
}

TEST(Describe, StatesPlaceValueAndDistance) {
  ElementDifference d;
  d.at = 2;
  d.dtype = DType::kHalf;
  d.expected = 0x3c00;
  d.actual = 0x3c02;
  d.ulp = 2;
  d.operand = "dst";
  d.iteration = 1;
  d.differing_bytes = 1;
  EXPECT_EQ(Describe(d),
            "UB byte 2 (dst element of iteration 1 lane 0, half): expected 1 "
            "(0x3c00), found 1.002 (0x3c02), 2 ULP apart; 1 byte differs in "
            "all");
  d.operand.clear();
  d.dtype = DType::kUint8;
  d.expected = 0xa5;
  d.actual = 0;
  d.differing_bytes = 3;
  EXPECT_EQ(Describe(d),
            "UB byte 2 (which no operand was to write): expected 165 (0xa5), "
            "found 0 (0x00); 3 bytes differ in all");
}

}  // namespace
}  // namespace lanediff::diff
