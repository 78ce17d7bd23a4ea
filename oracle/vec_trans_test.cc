#include "isa/vec_trans.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "isa/vocabulary.h"
#include "oracle/oracle.h"
#include "oracle/rules_testing.h"
#include "oracle/testing.h"

namespace lanediff::oracle {
namespace {

using isa::DType;
using isa::Position;
using isa::Product;
using test::Broken;
using test::Ids;
using test::Machine;
using test::Only;
using Call = isa::VecTrans;
using Words = std::vector<std::uint64_t>;
namespace vt = isa::vt;

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
const Ids kNone;

/// Matrices from 8192 to 0, one behind the other, in windows of 4096 bytes.
Call Trans(std::int64_t repeat, std::int64_t dst_stride = 1,
           std::int64_t src_stride = 1) {
  Call call;
  call.dst.position = call.src.position = Position::kUb;
  call.dst.bytes = call.src.bytes = 4096;
  call.src.at = 8192;
  call.repeat_times = repeat;
  call.dst_rep_stride = dst_stride;
  call.src_rep_stride = src_stride;
  return call;
}

Ids BrokenBy(const std::function<void(Call&)>& change) {
  Call call = Trans(1);
  change(call);
  return Broken(call);
}

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

TEST(VecTransRules, ProductAndDtype) {
  for (std::size_t i = 0; i < isa::kCount<Product>; ++i) {
    const auto product = static_cast<Product>(i);
    EXPECT_EQ(Broken(Trans(1), product),
              product == Product::kAtlasA3 ? Only(vt::kProduct) : kNone);
  }
  for (std::size_t t = 0; t < isa::kCount<DType>; ++t) {
    const auto dtype = static_cast<DType>(t);
    const bool legal = dtype == DType::kHalf || dtype == DType::kInt16 ||
                       dtype == DType::kUint16;
    Call call = Trans(1);
    call.dtype = dtype;
    EXPECT_EQ(Broken(call), legal ? kNone : Only(vt::kDtype));
    // Does not depend on the product.
    EXPECT_EQ(Broken(call, Product::kAtlasA3),
              legal ? Only(vt::kProduct) : (Ids{"VT-DTYPE", "VT-PRODUCT"}));
  }
}

TEST(VecTransRules, OperandsOneByOne) {
  for (auto operand : {&Call::dst, &Call::src}) {
    const auto type = [=](DType t) {
      return BrokenBy([=](Call& c) { (c.*operand).dtype = t; });
    };
    EXPECT_EQ(type(DType::kHalf), kNone);
    EXPECT_EQ(type(DType::kInt16), Only(vt::kDtypeMatch));
    for (std::size_t p = 0; p < isa::kCount<Position>; ++p) {
      const auto position = static_cast<Position>(p);
      EXPECT_EQ(BrokenBy([=](Call& c) { (c.*operand).position = position; }),
                position == Position::kUb ? kNone : Only(vt::kScope));
    }
    const auto moved = [=](std::int64_t by) {
      return BrokenBy([=](Call& c) { (c.*operand).at += by; });
    };
    EXPECT_EQ(moved(32), kNone);
    EXPECT_EQ(moved(16), Only(vt::kAlign));
    EXPECT_EQ(moved(2), Only(vt::kAlign));
  }
}

TEST(VecTransRules, Ranges) {
  EXPECT_EQ(Broken(Trans(4095, 0, 0)), kNone);
  for (std::int64_t n :
       {std::int64_t{0}, std::int64_t{-1}, std::int64_t{4096}, kMax}) {
    EXPECT_EQ(Broken(Trans(n, 0, 0)), Only(vt::kRepeat));
  }
  EXPECT_EQ(Broken(Trans(1, 4095, 1)), kNone);
  EXPECT_EQ(Broken(Trans(1, 1, 4095)), kNone);
  for (std::int64_t n : {std::int64_t{-1}, std::int64_t{4096}, kMax}) {
    EXPECT_EQ(Broken(Trans(1, n, 1)), Only(vt::kDstStride));
    EXPECT_EQ(Broken(Trans(1, 1, n)), Only(vt::kSrcStride));
  }
  EXPECT_EQ(Broken(Trans(2, 4095, 1)), Only(vt::kBounds));
}

TEST(VecTransRules, Bounds) {
  for (auto operand : {&Call::dst, &Call::src}) {
    const auto window = [=](std::int64_t repeat, std::int64_t stride,
                            std::int64_t bytes) {
      Call call = Trans(repeat, stride, stride);
      (call.*operand).bytes = bytes;
      return Broken(call);
    };
    EXPECT_EQ(window(1, 3, 512), kNone);
    EXPECT_EQ(window(1, 3, 511), Only(vt::kBounds));
    EXPECT_EQ(window(3, 2, 512 + 2 * 2 * 512), kNone);
    EXPECT_EQ(window(3, 2, 512 + 2 * 2 * 512 - 1), Only(vt::kBounds));
    EXPECT_EQ(window(3, 0, 512), kNone);
    const auto at = [=](std::int64_t first, std::int64_t bytes) {
      return BrokenBy([=](Call& c) {
        (c.*operand).at = first;
        (c.*operand).bytes = bytes;
      });
    };
    EXPECT_EQ(at(15872, 512), kNone);  // the end of the memory
    EXPECT_EQ(at(15872, 513), Only(vt::kBounds));
    EXPECT_EQ(at(-32, 1024), Only(vt::kBounds));
    EXPECT_EQ(at(kMax - 31, kMax), Only(vt::kBounds));
  }
}

TEST(VecTransRules, Overlap) {
  struct Row {
    std::int64_t dst, repeat, dst_stride, src_stride;
    Ids rules;
  };
  const Ids broken = Only(vt::kOverlap);
  const Row rows[] = {
      // src is at 8192
      {8192, 1, 1, 1, kNone},
      {8192, 1, 3, 2, kNone},  // strides count from the second iteration on
      {8192, 2, 3, 2, broken},
      {8192, 2, 2, 2, kNone},
      {8192, 3, 0, 0, kNone},
      {8192, 2, 0, 1, broken},
      {8224, 1, 1, 1, broken},
      {8160, 1, 1, 1, broken},
      {7680, 1, 1, 1, kNone},
      {7680, 2, 1, 1, broken},
      {7680, 2, 0, 1, kNone},
      {8704, 1, 1, 1, kNone},
      {8704, 2, 1, 1, broken},
      {8704, 4, 2, 2, kNone},  // one in the other's gaps
      {8704, 2, 1, 0, kNone},
      {9728, 3, 1, 1, kNone},
      {9728, 4, 1, 1, broken},  // the last source is the first destination
  };
  for (const Row& row : rows) {
    Call call = Trans(row.repeat, row.dst_stride, row.src_stride);
    call.dst.at = row.dst;
    EXPECT_EQ(Broken(call), row.rules)
        << row.dst << " " << row.repeat << " " << row.dst_stride << " "
        << row.src_stride;
  }
}

TEST(VecTransRules, AllRulesOfAStageAndNoneOfALater) {
  Call call = Trans(0, -1, 4096);
  call.dtype = DType::kFloat;
  call.dst.dtype = DType::kHalf;
  call.src.position = Position::kVecin;
  call.dst.at = -1;
  EXPECT_EQ(Broken(call, Product::kAtlasA3),
            (Ids{"VT-ALIGN", "VT-DST-STRIDE", "VT-DTYPE", "VT-DTYPE-MATCH",
                 "VT-PRODUCT", "VT-REPEAT", "VT-SCOPE", "VT-SRC-STRIDE"}));
  call = Trans(1);
  call.dst.at = 8224;  // would overlap
  call.dst.bytes = 511;
  EXPECT_EQ(Broken(call), Only(vt::kBounds));
}

TEST(VecTrans, FirstExampleOfTheDocument) {
  Machine m;
  m.Put(DType::kUint16, 8192, Rows(1));
  Machine expected;
  expected.Put(DType::kUint16, 8192, Rows(1));
  EXPECT_TRUE(m.Executes(Trans(1)));
  const Words dst = m.Get(DType::kUint16, 0, 256);
  EXPECT_EQ(Words(dst.begin(), dst.begin() + 4), (Words{1, 17, 33, 49}));
  EXPECT_EQ(dst, Columns(1));
  expected.Put(DType::kUint16, 0, Columns(1));
  EXPECT_EQ(m.ub, expected.ub);
}

TEST(VecTrans, SecondExampleOfTheDocument) {
  Machine m;
  m.Put(DType::kUint16, 0, Words(768, 0));
  m.Put(DType::kUint16, 8192, Rows(1));
  m.Put(DType::kUint16, 8704, Rows(257));
  m.Put(DType::kUint16, 9216, Rows(513));
  EXPECT_TRUE(m.Executes(Trans(2, 2, 1)));
  EXPECT_EQ(m.Get(DType::kUint16, 0, 256), Columns(1));
  EXPECT_EQ(m.Get(DType::kUint16, 512, 256), Words(256, 0));
  EXPECT_EQ(m.Get(DType::kUint16, 1024, 256), Columns(257));
  const std::vector<isa::Access>& accesses = m.oracle.accesses();
  ASSERT_EQ(accesses.size(), 4U);
  EXPECT_EQ(accesses[0],
            (isa::Access{.operand = "src", .at = 8192, .bytes = 512}));
  EXPECT_EQ(accesses[2],
            (isa::Access{
                .operand = "src", .at = 8704, .bytes = 512, .iteration = 1}));
  EXPECT_EQ(accesses[3], (isa::Access{.operand = "dst",
                                      .write = true,
                                      .at = 1024,
                                      .bytes = 512,
                                      .iteration = 1}));
}

TEST(VecTrans, IterationsRunInOrder) {
  Machine m;
  m.Put(DType::kUint16, 8192, Rows(1));
  m.Put(DType::kUint16, 8704, Rows(1000));
  EXPECT_TRUE(m.Executes(Trans(2, 0, 1)));
  EXPECT_EQ(m.Get(DType::kUint16, 0, 256), Columns(1000));  // the last one wins

  Call in_place = Trans(2, 0, 0);  // twice the same matrix: as it was
  in_place.dst.at = 8192;
  EXPECT_TRUE(m.Executes(in_place));
  EXPECT_EQ(m.Get(DType::kUint16, 8192, 256), Rows(1));
  in_place.repeat_times = 3;
  EXPECT_TRUE(m.Executes(in_place));
  EXPECT_EQ(m.Get(DType::kUint16, 8192, 256), Columns(1));
}

TEST(VecTrans, MovesBitsAndComputesNothing) {
  Machine m;
  Words nans = Rows(0x7c00);  // infinity, then signalling NaNs
  m.Put(DType::kHalf, 8192, nans);
  Call call = Trans(1);
  EXPECT_TRUE(m.Executes(call));
  EXPECT_EQ(m.Get(DType::kHalf, 0, 256), Columns(0x7c00));
  EXPECT_EQ(m.oracle.node_count(), 0U);
  EXPECT_TRUE(m.oracle.Execute(call).notes.empty());
}

}  // namespace
}  // namespace lanediff::oracle
