#include "oracle/scalar.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "isa/scalar.h"
#include "isa/vocabulary.h"
#include "oracle/extended_testing.h"
#include "oracle/rules_testing.h"
#include "oracle/testing.h"

/// GetValue and SetValue: what they do, and every rule that they can break.
namespace lanediff::oracle {
namespace {

using isa::DType;
using isa::GetValue;
using isa::Position;
using isa::Product;
using isa::SetValue;
using test::Anywhere;
using test::Broken;
using test::ChangesNothing;
using test::Ids;
using test::Machine;
using test::Only;
using test::RunsExtended;
namespace scalar = isa::scalar;

const Ids kNone;

/// Element 3 of 32 bytes at UB 64.
GetValue Get(DType dtype = DType::kHalf) {
  return {
      .dtype = dtype,
      .src = {.position = Position::kVecin, .at = 64, .bytes = 32, .dtype = {}},
      .index = 3};
}
SetValue Set(DType dtype = DType::kHalf) {
  return {.dtype = dtype, .dst = Get().src, .index = 3, .value = 0x1234};
}

/// Both calls break the same rules on the same operand and index.
Ids BrokenByBoth(const isa::Operand& operand, std::int64_t index,
                 DType dtype = DType::kHalf,
                 Product product = Product::kAtlasA2) {
  const GetValue get{.dtype = dtype, .src = operand, .index = index};
  const SetValue set{.dtype = dtype, .dst = operand, .index = index};
  const Ids broken = Broken(get, product);
  EXPECT_EQ(Broken(set, product), broken);
  EXPECT_EQ(Anywhere(get, product), Anywhere(set, product));
  return broken;
}

TEST(Scalar, SetValueWritesItsElementAlone) {
  struct Row {
    DType dtype;
    std::uint64_t value;
    std::int64_t at, bytes;
  };
  const Row rows[] = {
      {DType::kInt8, 0x9a, 67, 1},
      {DType::kHalf, 0x7e01, 70, 2},
      {DType::kFloat, 0xff800001, 76, 4},
      {DType::kInt64, 0x0123456789abcdef, 88, 8},
  };
  for (const Row& row : rows) {
    Machine m;
    auto expected = m.ub;
    for (std::int64_t i = 0; i < row.bytes; ++i) {
      expected.at(static_cast<std::size_t>(row.at + i)) =
          static_cast<std::uint8_t>(row.value >> (8 * i));
    }
    SetValue call = Set(row.dtype);
    call.value = row.value;
    EXPECT_TRUE(m.Executes(call));
    EXPECT_EQ(m.ub, expected) << isa::Name(row.dtype);
    const isa::Access access{.operand = "dst",
                             .write = true,
                             .memory = isa::Memory::kUb,
                             .at = row.at,
                             .bytes = row.bytes,
                             .dtype = row.dtype,
                             .iteration = 0,
                             .lane = 3};
    EXPECT_EQ(m.oracle.accesses(), std::vector{access});
    EXPECT_EQ(m.oracle.node_count(), 0U);
  }
}

TEST(Scalar, GetValueReadsForNothing) {
  Machine m;
  const auto before = m.ub;
  EXPECT_TRUE(m.Executes(Get(DType::kFloat)));
  EXPECT_EQ(m.ub, before);
  const isa::Access access{.operand = "src",
                           .write = false,
                           .memory = isa::Memory::kUb,
                           .at = 76,
                           .bytes = 4,
                           .dtype = DType::kFloat,
                           .iteration = 0,
                           .lane = 3};
  EXPECT_EQ(m.oracle.accesses(), std::vector{access});
}

TEST(Scalar, OperandsOwnTypeDoesNotCount) {
  isa::Operand operand = Get().src;
  operand.dtype = DType::kDouble;
  EXPECT_EQ(BrokenByBoth(operand, 15), kNone);
  EXPECT_EQ(BrokenByBoth(operand, 16), Only(scalar::kBounds));
}

TEST(Scalar, EveryProductButOne) {
  for (std::size_t p = 0; p < isa::kCount<Product>; ++p) {
    const auto product = static_cast<Product>(p);
    EXPECT_EQ(
        BrokenByBoth(Get().src, 3, DType::kHalf, product),
        product == Product::kAtlas200_300_500 ? Only(scalar::kProduct) : kNone);
  }
}

TEST(Scalar, ThreePositions) {
  for (std::size_t p = 0; p < isa::kCount<Position>; ++p) {
    isa::Operand operand = Get().src;
    operand.position = static_cast<Position>(p);
    const bool legal = operand.position == Position::kVecin ||
                       operand.position == Position::kVeccalc ||
                       operand.position == Position::kVecout;
    EXPECT_EQ(BrokenByBoth(operand, 3),
              legal ? kNone : Only(scalar::kPosition));
  }
}

TEST(Scalar, AlignmentIsThatOfTheType) {
  for (std::size_t t = 0; t < isa::kCount<DType>; ++t) {
    const auto dtype = static_cast<DType>(t);
    isa::Operand operand = Get().src;
    for (operand.at = 64; operand.at < 73; ++operand.at) {
      const auto size = static_cast<std::int64_t>(
          dtype == DType::kInt8 || dtype == DType::kUint8 ? 1
          : dtype == DType::kDouble || dtype == DType::kInt64 ||
                  dtype == DType::kUint64
              ? 8
          : dtype == DType::kFloat || dtype == DType::kInt32 ||
                  dtype == DType::kUint32
              ? 4
              : 2);
      EXPECT_EQ(BrokenByBoth(operand, 0, dtype),
                operand.at % size == 0 ? kNone : Only(scalar::kAlign))
          << isa::Name(dtype) << " " << operand.at;
    }
  }
}

TEST(Scalar, IndexIsAnUint32) {
  const isa::Operand operand = Get().src;
  EXPECT_EQ(BrokenByBoth(operand, -1), Only(scalar::kIndex));
  EXPECT_EQ(BrokenByBoth(operand, 0), kNone);
  EXPECT_EQ(BrokenByBoth(operand, 15), kNone);
  EXPECT_EQ(BrokenByBoth(operand, 16), Only(scalar::kBounds));
  EXPECT_EQ(BrokenByBoth(operand, 0xffffffff), Only(scalar::kBounds));
  EXPECT_EQ(BrokenByBoth(operand, 0x100000000), Only(scalar::kIndex));
  EXPECT_EQ(BrokenByBoth(operand, INT64_MAX), Only(scalar::kIndex));
  EXPECT_EQ(BrokenByBoth(operand, INT64_MIN), Only(scalar::kIndex));
}

TEST(Scalar, WindowAndElement) {
  isa::Operand operand = Get().src;
  operand.at = Machine::kUbBytes - 32;
  EXPECT_EQ(BrokenByBoth(operand, 15), kNone);
  operand.bytes = 33;  // the window leaves the memory, the element does not
  EXPECT_EQ(BrokenByBoth(operand, 0), Only(scalar::kBounds));
  operand.bytes = 31;  // the last element is cut
  EXPECT_EQ(BrokenByBoth(operand, 15), Only(scalar::kBounds));
  EXPECT_EQ(BrokenByBoth(operand, 14), kNone);
  operand.bytes = -2;
  EXPECT_EQ(BrokenByBoth(operand, 0), Only(scalar::kBounds));
  operand = {.position = Position::kVecin, .at = -32, .bytes = 64, .dtype = {}};
  EXPECT_EQ(BrokenByBoth(operand, 20), Only(scalar::kBounds));
  operand.at = INT64_MAX - 1;
  EXPECT_EQ(BrokenByBoth(operand, 0xffffffff), Only(scalar::kBounds));
}

TEST(Scalar, FirstStageTogetherAndBeforeBounds) {
  GetValue call = Get();
  call.src = {.position = Position::kGm, .at = 1, .bytes = -1, .dtype = {}};
  call.index = -1;
  EXPECT_EQ(Broken(call, Product::kAtlas200_300_500),
            (Ids{"SCALAR-ALIGN", "SCALAR-INDEX", "SCALAR-POSITION",
                 "SCALAR-PRODUCT"}));
  EXPECT_EQ(Anywhere(call, Product::kAtlas200_300_500),
            (Ids{"SCALAR-ALIGN", "SCALAR-BOUNDS", "SCALAR-INDEX",
                 "SCALAR-POSITION", "SCALAR-PRODUCT"}));
}

TEST(Scalar, BoundsByThemselves) {
  SetValue call = Set();
  EXPECT_EQ(Anywhere(call), kNone);
  call.index = -1;  // the element in front of the window
  EXPECT_EQ(Anywhere(call), (Ids{"SCALAR-BOUNDS", "SCALAR-INDEX"}));
  call.dst.position = Position::kC2pipe2gm;  // no memory: no answer
  EXPECT_EQ(Anywhere(call, Product::kAtlasTraining),
            (Ids{"SCALAR-INDEX", "SCALAR-POSITION"}));
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
  EXPECT_TRUE(ChangesNothing(m, call, "dst would reach outside its memory"));
  call.index = INT64_MAX;
  EXPECT_TRUE(ChangesNothing(m, call, "dst would reach outside its memory"));
  GetValue get = Get();
  get.src.at = Machine::kUbBytes - 7;
  EXPECT_TRUE(ChangesNothing(m, get, "src would reach outside its memory"));
  get.src.position = Position::kGm;  // this machine has none
  EXPECT_TRUE(ChangesNothing(m, get, "src's position has no memory here"));
}

}  // namespace
}  // namespace lanediff::oracle
