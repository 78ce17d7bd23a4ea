#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "isa/data_copy.h"
#include "isa/state.h"
#include "isa/vocabulary.h"
#include "oracle/data_copy_testing.h"
#include "oracle/rules_testing.h"

/// Which calls of DataCopy are legal.
namespace lanediff::oracle {
namespace {

using isa::DType;
using isa::Position;
using isa::Product;
using test::Board;
using test::Copy;
using test::CopyCount;
using test::Ids;
using test::Only;
using test::Widening;
using Call = isa::DataCopy;
namespace dc = isa::dc;

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
const Ids kNone;

/// The rules that `call` breaks on a new machine, then unchanged.
Ids Broken(const Call& call, Product product = Product::kAtlasA2) {
  Board board(product);
  const auto before = board.bytes;
  const isa::StepResult result = board.oracle.Execute(call);
  if (result.status != isa::StepResult::Status::kExecuted) {
    EXPECT_EQ(board.bytes, before);
    EXPECT_TRUE(result.notes.empty());
    EXPECT_TRUE(board.oracle.accesses().empty());
  }
  return test::Texts(result.rules);
}

/// Tables 4 to 6 with the route of the example.
std::string_view Routes(Product product) {
  switch (product) {
    case Product::kAtlasTraining:
      return " GM>VECIN GM>A1 GM>B1 VECIN>VECCALC VECCALC>VECOUT VECIN>VECOUT "
             "VECOUT>GM ";
    case Product::kAtlasInferenceAicore:
      return " GM>VECIN GM>A1 GM>B1 VECIN>VECCALC VECCALC>VECOUT VECIN>VECOUT "
             "VECIN>A1 VECIN>B1 VECCALC>A1 VECCALC>B1 VECOUT>A1 VECOUT>B1 "
             "VECOUT>GM CO2>GM ";
    case Product::kAtlasInferenceVectorcore:
    case Product::kAtlas200i500A2:
      return " GM>VECIN VECOUT>GM ";
    case Product::kAtlasA2:
    case Product::kAtlasA3:
      return " GM>VECIN GM>A1 GM>B1 GM>C1 VECIN>VECCALC VECCALC>VECOUT "
             "VECIN>VECOUT VECIN>TSCM VECCALC>TSCM VECOUT>TSCM A1>C2PIPE2GM "
             "B1>C2PIPE2GM C1>C2PIPE2GM C1>C2 VECOUT>GM A1>GM B1>GM ";
    case Product::kAtlas200_300_500:
      return "";
  }
  return "";
}

TEST(DataCopyRules, EveryRouteOnEveryProduct) {
  for (std::size_t i = 0; i < isa::kCount<Product>; ++i) {
    const auto product = static_cast<Product>(i);
    for (std::size_t s = 0; s < isa::kCount<Position>; ++s) {
      for (std::size_t d = 0; d < isa::kCount<Position>; ++d) {
        const auto src = static_cast<Position>(s);
        const auto dst = static_cast<Position>(d);
        const auto route = std::string(" ")
                               .append(Name(src))
                               .append(">")
                               .append(Name(dst))
                               .append(" ");
        Ids expected =
            Routes(product).contains(route) ? kNone : Only(dc::kRoute);
        if (product == Product::kAtlas200_300_500) {
          expected = Only(dc::kProduct);
        }
        EXPECT_EQ(Broken(Copy(src, dst), product), expected)
            << Name(product) << route;
      }
    }
  }
}

TEST(DataCopyRules, Dtype) {
  for (std::size_t i = 0; i < isa::kCount<Product>; ++i) {
    const auto product = static_cast<Product>(i);
    if (product == Product::kAtlas200_300_500) continue;
    const bool b_plus = product == Product::kAtlasA2 ||
                        product == Product::kAtlasA3 ||
                        product == Product::kAtlas200i500A2;
    for (std::size_t t = 0; t < isa::kCount<DType>; ++t) {
      const auto dtype = static_cast<DType>(t);
      const bool legal = b_plus || dtype != DType::kBfloat16;
      const Ids expected = legal ? kNone : Only(dc::kDtype);
      EXPECT_EQ(Broken(Copy(Position::kGm, Position::kVecin, dtype), product),
                expected);
      EXPECT_EQ(Broken(Copy(Position::kVecout, Position::kGm, dtype), product),
                expected);
      // Not looked at where there is no route.
      EXPECT_EQ(
          Broken(Copy(Position::kVecout, Position::kVecin, dtype), product),
          Only(dc::kRoute));
    }
  }
}

TEST(DataCopyRules, Mixed) {
  for (std::size_t i = 0; i < isa::kCount<Product>; ++i) {
    const auto product = static_cast<Product>(i);
    const bool legal =
        product == Product::kAtlasA2 || product == Product::kAtlasA3;
    EXPECT_EQ(Broken(Widening(), product), legal ? kNone : Only(dc::kProduct));
  }
  Call call = Widening();
  call.src.dtype = DType::kBfloat16;
  EXPECT_EQ(Broken(call), Only(dc::kMixed));
  call.src.dtype = DType::kFloat;  // the same after all
  EXPECT_EQ(Broken(call), kNone);
  call.dst.dtype = DType::kHalf;  // float to half
  EXPECT_EQ(Broken(call), Only(dc::kMixed));

  call = Widening();
  call.form = Call::kCount;
  call.count = 64;
  EXPECT_EQ(Broken(call), Only(dc::kMixed));
  for (Position src : {Position::kA1, Position::kGm, Position::kVecin}) {
    call = Widening();
    call.src.position = src;
    EXPECT_EQ(Broken(call), Only(dc::kMixed)) << Name(src);
  }
  for (Position dst : {Position::kC2pipe2gm, Position::kVecout}) {
    call = Widening();
    call.dst.position = dst;
    EXPECT_EQ(Broken(call), Only(dc::kMixed)) << Name(dst);
  }
}

TEST(DataCopyRules, DestinationAlignment) {
  struct Row {
    Position src, dst;
    DType dtype;
    std::int64_t wrong, right;
  };
  const Row rows[] = {
      {Position::kC1, Position::kC2, DType::kHalf, 32, 64},
      {Position::kC1, Position::kC2pipe2gm, DType::kHalf, 64, 128},
      {Position::kVecout, Position::kGm, DType::kDouble, 4, 8},
      {Position::kVecout, Position::kGm, DType::kFloat, 2, 4},
      {Position::kVecout, Position::kGm, DType::kBfloat16, 1, 2},
      {Position::kGm, Position::kVecin, DType::kInt8, 16, 32},
      {Position::kGm, Position::kA1, DType::kInt8, 1, 32},
  };
  for (const Row& row : rows) {
    Call call = Copy(row.src, row.dst, row.dtype);
    call.dst.at = row.wrong;
    EXPECT_EQ(Broken(call), Only(dc::kDstAlign)) << Name(row.dst);
    call.dst.at = row.right;
    EXPECT_EQ(Broken(call), kNone) << Name(row.dst);
  }
  Call call = Copy(Position::kVecout, Position::kGm, DType::kInt8);
  call.dst.at = 1;
  EXPECT_EQ(Broken(call), kNone);
  call.dst.dtype = call.src.dtype = DType::kInt32;  // T does not count
  EXPECT_EQ(Broken(call), Only(dc::kDstAlign));
}

TEST(DataCopyRules, SourceAlignment) {
  Call call = Copy(Position::kGm, Position::kVecin, DType::kInt64);
  call.src.at = 8;
  EXPECT_EQ(Broken(call), kNone);
  call.src.at = 4;
  EXPECT_EQ(Broken(call), Only(dc::kSrcAlign));
  for (Position src : {Position::kVecout, Position::kA1}) {
    call = Copy(src, Position::kGm, DType::kInt8);
    call.src.at = 32;
    EXPECT_EQ(Broken(call), kNone);
    call.src.at = 16;
    EXPECT_EQ(Broken(call), Only(dc::kSrcAlign));
  }
  call = Copy(Position::kC1, Position::kC2pipe2gm);
  call.src.at = 32;  // 128 is required of dst alone
  EXPECT_EQ(Broken(call), kNone);
}

TEST(DataCopyRules, Ranges) {
  Call base = Copy(Position::kGm, Position::kVecin);
  base.dst.bytes = base.src.bytes = 131072;
  const auto with = [&](std::int64_t isa::DataCopyParams::* field,
                        std::int64_t value) {
    Call call = base;
    call.params.*field = value;
    return Broken(call);
  };
  using P = isa::DataCopyParams;
  EXPECT_EQ(with(&P::block_count, 4095), kNone);
  for (std::int64_t n : {std::int64_t{-1}, std::int64_t{4096}, kMax}) {
    EXPECT_EQ(with(&P::block_count, n), Only(dc::kBlockCount));
  }
  EXPECT_EQ(with(&P::block_len, 65535), Only(dc::kBounds));  // 2 MB
  for (std::int64_t n : {std::int64_t{-1}, std::int64_t{65536}, kMax}) {
    EXPECT_EQ(with(&P::block_len, n), Only(dc::kBlockLen));
  }
  for (auto gap : {&P::src_gap, &P::dst_gap}) {
    EXPECT_EQ(with(gap, 65535), kNone);
    for (std::int64_t n : {std::int64_t{-1}, std::int64_t{65536}, kMax}) {
      EXPECT_EQ(with(gap, n), Only(dc::kGap));
    }
  }
  const auto count = [](std::int64_t n) {
    return Broken(CopyCount(Position::kGm, Position::kVecin, n));
  };
  EXPECT_EQ(count(0), kNone);
  EXPECT_EQ(count(256), kNone);
  EXPECT_EQ(count(4294967295), Only(dc::kBounds));
  EXPECT_EQ(count(4294967296), Only(dc::kCount));
  EXPECT_EQ(count(-1), Only(dc::kCount));
  EXPECT_EQ(count(kMax), Only(dc::kCount));
}

/// A copy of no block, or of blocks without bytes.
TEST(DataCopyRules, ZeroIsANoteOnlyInTheNewestEdition) {
  for (auto field :
       {&isa::DataCopyParams::block_count, &isa::DataCopyParams::block_len}) {
    Call call = Copy(Position::kGm, Position::kVecin);
    call.params.*field = 0;
    for (std::size_t i = 0; i < isa::kCount<Product>; ++i) {
      const auto product = static_cast<Product>(i);
      if (product == Product::kAtlas200_300_500) continue;
      test::Board newest(product);
      const auto before = newest.bytes;
      const isa::StepResult result = newest.oracle.Execute(call);
      EXPECT_EQ(test::Texts(result.rules), kNone);
      EXPECT_EQ(test::Texts(result.notes), Only(dc::kBlockEmpty));
      EXPECT_EQ(newest.bytes, before);
      EXPECT_TRUE(newest.oracle.accesses().empty());
      test::Board older({product, isa::Edition::k2024});
      EXPECT_EQ(
          test::Texts(older.oracle.Execute(call).rules),
          Only(field == &isa::DataCopyParams::block_count ? dc::kBlockCount
                                                          : dc::kBlockLen));
    }
  }
}

TEST(DataCopyRules, Bounds) {
  const auto blocks = [](std::int64_t src_bytes, std::int64_t dst_bytes) {
    Call call = Copy(Position::kGm, Position::kVecin);
    call.params = {
        .block_count = 2, .block_len = 1, .src_gap = 1, .dst_gap = 2};
    call.src.bytes = src_bytes;
    call.dst.bytes = dst_bytes;
    return Broken(call);
  };
  EXPECT_EQ(blocks(96, 128), kNone);  // no gap behind the last block
  EXPECT_EQ(blocks(95, 128), Only(dc::kBounds));
  EXPECT_EQ(blocks(96, 127), Only(dc::kBounds));
  EXPECT_EQ(blocks(96, -1), Only(dc::kBounds));

  Call call = CopyCount(Position::kGm, Position::kVecin, 31);
  call.src.bytes = call.dst.bytes = 32;  // 62 bytes make one whole 32
  EXPECT_EQ(Broken(call), kNone);
  call.count = 32;
  EXPECT_EQ(Broken(call), Only(dc::kBounds));
  call.count = 0;
  call.dst.at = 196608;  // the end of UB
  call.dst.bytes = 0;
  EXPECT_EQ(Broken(call), kNone);
  call.dst.bytes = 1;
  EXPECT_EQ(Broken(call), Only(dc::kBounds));

  call = Widening();
  call.src.bytes = 64;
  call.dst.bytes = 128;
  EXPECT_EQ(Broken(call), kNone);
  call.dst.bytes = 127;
  EXPECT_EQ(Broken(call), Only(dc::kBounds));
}

TEST(DataCopyRules, Overlap) {
  const auto copy = [](std::int64_t dst, isa::DataCopyParams params) {
    Call call = Copy(Position::kVecin, Position::kVeccalc);
    call.dst.at = dst;
    call.params = params;
    return Broken(call);
  };
  EXPECT_EQ(copy(512, {1, 2, 0, 0}), kNone);  // the same bytes
  EXPECT_EQ(copy(544, {1, 2, 0, 0}), Only(dc::kOverlap));
  EXPECT_EQ(copy(480, {1, 2, 0, 0}), Only(dc::kOverlap));
  EXPECT_EQ(copy(576, {1, 2, 0, 0}), kNone);
  EXPECT_EQ(copy(448, {1, 2, 0, 0}), kNone);
  EXPECT_EQ(copy(512, {3, 1, 1, 1}), kNone);
  EXPECT_EQ(copy(544, {3, 1, 1, 1}), kNone);  // one in the other's gaps
  EXPECT_EQ(copy(512, {1, 1, 0, 1}), kNone);
  EXPECT_EQ(copy(512, {2, 1, 0, 1}), Only(dc::kOverlap));  // block 0 alone
  EXPECT_EQ(Broken(Copy(Position::kGm, Position::kVecin)), kNone);
  Call call = Copy(Position::kGm, Position::kVecin);
  call.src.at = 32;  // another memory
  call.params.block_len = 2;
  EXPECT_EQ(Broken(call), kNone);
  call = CopyCount(Position::kVecin, Position::kVeccalc, 32);
  call.dst.at = 544;
  EXPECT_EQ(Broken(call), Only(dc::kOverlap));
  call.count = 31;  // 32 bytes are copied
  EXPECT_EQ(Broken(call), kNone);
}

TEST(DataCopyRules, AllRulesOfAStageAndNoneOfALater) {
  Call call = Copy(Position::kVecout, Position::kVecin, DType::kBfloat16);
  call.dst.at = call.src.at = 1;
  call.dst.bytes = -1;
  call.params = {4096, 65536, -1, 0};
  EXPECT_EQ(Broken(call), (Ids{"DC-BLOCK-COUNT", "DC-BLOCK-LEN", "DC-DST-ALIGN",
                               "DC-GAP", "DC-ROUTE", "DC-SRC-ALIGN"}));
  call = Copy(Position::kVecin, Position::kVeccalc);
  call.src.at = 32;  // would overlap
  call.params.block_len = 2;
  call.dst.bytes = 63;
  EXPECT_EQ(Broken(call), Only(dc::kBounds));
}

}  // namespace
}  // namespace lanediff::oracle
