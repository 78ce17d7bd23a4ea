#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "isa/state.h"
#include "isa/vocabulary.h"
#include "oracle/calls_testing.h"
#include "oracle/testing.h"

/// GetValue and SetValue: what they do, and every rule that they can break.
namespace lanediff::oracle {
namespace {

using isa::GetValue;
using isa::SetValue;
using test::All;
using test::Anywhere;
using test::Broken;
using test::Refusal;
using test::RunsExtended;
using test::Window;

/// Element 3 of 32 bytes at UB 64.
GetValue Get(DType dtype = DType::kHalf) {
  return {.dtype = dtype, .src = Window(Position::kVecin, 64, 32), .index = 3};
}
SetValue Set(DType dtype = DType::kHalf) {
  return {.dtype = dtype, .dst = Get().src, .index = 3, .value = 0x1234};
}

/// Both calls break the same rules on the same operand and index.
std::string BrokenByBoth(const isa::Operand& operand, std::int64_t index,
                         DType dtype = DType::kHalf,
                         Product product = Product::kAtlasA2) {
  const GetValue get{.dtype = dtype, .src = operand, .index = index};
  const SetValue set{.dtype = dtype, .dst = operand, .index = index};
  const std::string broken = Broken(get, product);
  EXPECT_EQ(Broken(set, product), broken);
  EXPECT_EQ(Anywhere(get, product), Anywhere(set, product));
  return broken;
}

TEST(Scalar, Accesses) {
  Machine m;
  isa::Access access{.operand = "src",
                     .at = 76,
                     .bytes = 4,
                     .dtype = DType::kFloat,
                     .lane = 3};
  EXPECT_TRUE(m.Executes(Get(DType::kFloat)));
  EXPECT_EQ(m.oracle.accesses(), std::vector{access});
  access.operand = "dst";
  access.write = true;
  EXPECT_TRUE(m.Executes(Set(DType::kFloat)));
  EXPECT_EQ(m.oracle.accesses(), std::vector{access});
}

TEST(Scalar, EveryProductButOneAndThreePositions) {
  for (const Product product : All<Product>()) {
    EXPECT_EQ(BrokenByBoth(Get().src, 3, DType::kHalf, product),
              product == Product::kAtlas200_300_500 ? "PRODUCT" : "");
  }
  for (const Position position : All<Position>()) {
    const bool legal = position == Position::kVecin ||
                       position == Position::kVeccalc ||
                       position == Position::kVecout;
    EXPECT_EQ(BrokenByBoth(Window(position, 64, 32), 3),
              legal ? "" : "POSITION");
  }
}

TEST(Scalar, IndexAndWindow) {
  struct Row {
    std::int64_t at, bytes, index;
    const char* rules;
  };
  constexpr std::int64_t kLast = Machine::kUbBytes - 32;
  const Row rows[] = {
      {64, 32, -1, "INDEX"},
      {64, 32, 0, ""},
      {64, 32, 15, ""},
      {64, 32, 16, "BOUNDS"},
      {64, 32, 0xffffffff, "BOUNDS"},
      {64, 32, 0x100000000, "INDEX"},
      {64, 32, INT64_MAX, "INDEX"},
      {64, 32, INT64_MIN, "INDEX"},
      {kLast, 32, 15, ""},
      {kLast, 33, 0, "BOUNDS"},   // the window leaves, the element does not
      {kLast, 31, 15, "BOUNDS"},  // the last element is cut
      {kLast, 31, 14, ""},
      {kLast, -2, 0, "BOUNDS"},
      {-32, 64, 20, "BOUNDS"},
      {INT64_MAX - 1, 64, 0xffffffff, "BOUNDS"},
  };
  for (const Row& row : rows) {
    isa::Operand operand = Window(Position::kVecin, row.at, row.bytes);
    EXPECT_EQ(BrokenByBoth(operand, row.index), row.rules)
        << row.at << " " << row.bytes << " " << row.index;
    operand.dtype = DType::kDouble;  // its own type does not count
    EXPECT_EQ(BrokenByBoth(operand, row.index), row.rules);
  }
}

TEST(Scalar, FirstStageTogetherAndBeforeBounds) {
  GetValue get = Get();
  get.src = Window(Position::kGm, 1, -1);
  get.index = -1;
  EXPECT_EQ(Broken(get, Product::kAtlas200_300_500),
            "ALIGN INDEX POSITION PRODUCT");
  EXPECT_EQ(Anywhere(get, Product::kAtlas200_300_500),
            "ALIGN BOUNDS INDEX POSITION PRODUCT");
  SetValue set = Set();
  EXPECT_EQ(Anywhere(set), "");
  set.index = -1;  // the element in front of the window
  EXPECT_EQ(Anywhere(set), "BOUNDS INDEX");
  set.dst.position = Position::kC2pipe2gm;  // no memory: no answer
  EXPECT_EQ(Anywhere(set, Product::kAtlasTraining), "INDEX POSITION");
}

TEST(Scalar, IllegalElementsInsideTheMemoryAreTouched) {
  Machine m(Product::kAtlas200_300_500);
  SetValue call = Set();
  call.dst.at = 63;  // no multiple of 2
  call.index = -2;
  call.dst.bytes = 0;
  EXPECT_TRUE(RunsExtended(m, call));
  EXPECT_EQ(m.Get(DType::kHalf, 59, 1).front(), 0x1234U);
  ASSERT_EQ(m.oracle.accesses().size(), 1U);
  EXPECT_EQ(m.oracle.accesses().front().at, 59);
  EXPECT_EQ(m.oracle.accesses().front().lane, -2);

  call.dst.position = Position::kUb;
  EXPECT_TRUE(RunsExtended(m, call));
  GetValue get = Get();
  get.src.at = Machine::kUbBytes - 2;
  get.index = 0;
  EXPECT_TRUE(RunsExtended(m, get));
}

TEST(Scalar, ElementsOutsideAreNot) {
  Machine m;
  SetValue call = Set();
  call.index = -33;
  EXPECT_EQ(Refusal(m, call), "dst would reach outside its memory");
  call.index = INT64_MAX;
  EXPECT_EQ(Refusal(m, call), "dst would reach outside its memory");
  GetValue get = Get();
  get.src.at = Machine::kUbBytes - 7;
  EXPECT_EQ(Refusal(m, get), "src would reach outside its memory");
  get.src.position = Position::kGm;  // this machine has none
  EXPECT_EQ(Refusal(m, get), "src's position has no memory here");
}

}  // namespace
}  // namespace lanediff::oracle
