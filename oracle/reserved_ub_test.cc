#include "oracle/reserved_ub.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "oracle/rules_testing.h"
#include "oracle/testing.h"

namespace lanediff::oracle {
namespace {

using isa::Edition;
using isa::Product;

/// GetValue of a window of 32 bytes that ends at `end` of UB.
isa::GetValue ReadUntil(std::int64_t end) {
  isa::GetValue read;
  read.src = {.position = isa::Position::kVecin,
              .at = end - 32,
              .bytes = 32,
              .dtype = {}};
  return read;
}

TEST(ReservedUb, BeginsEightKibBeforeTheEndOnA2AndA3) {
  for (const Product product : {Product::kAtlasA2, Product::kAtlasA3}) {
    for (const std::int64_t end : {188417, 188448, 196608}) {
      EXPECT_TRUE(UsesReservedUb(ReadUntil(end), product, Edition::k2026));
      EXPECT_FALSE(UsesReservedUb(ReadUntil(end), product, Edition::k2024));
    }
    EXPECT_FALSE(UsesReservedUb(ReadUntil(188416), product, Edition::k2026));
  }
  EXPECT_FALSE(UsesReservedUb(ReadUntil(262144), Product::kAtlas200i500A2,
                              Edition::k2026));
}

TEST(ReservedUb, IsOfUbAlone) {
  isa::DataCopy copy;
  copy.src = {
      .position = isa::Position::kGm, .at = 196000, .bytes = 512, .dtype = {}};
  copy.dst = {
      .position = isa::Position::kA1, .at = 196000, .bytes = 512, .dtype = {}};
  EXPECT_FALSE(UsesReservedUb(copy, Product::kAtlasA2, Edition::k2026));
  copy.dst.position = isa::Position::kVecin;
  EXPECT_TRUE(UsesReservedUb(copy, Product::kAtlasA2, Edition::k2026));
  copy.dst.bytes = 0;
  EXPECT_FALSE(UsesReservedUb(copy, Product::kAtlasA2, Edition::k2026));
}

TEST(ReservedUb, CountsTheWholeTile) {
  isa::Trowprod call;
  call.dtype = isa::DType::kHalf;
  call.tmp = {.at = 188416 - 64,
              .rows = 2,
              .cols = 16,
              .valid_row = 1,
              .valid_col = 1,
              .layout = isa::Layout::kNd,
              .dtype = {}};
  EXPECT_FALSE(UsesReservedUb(call, Product::kAtlasA2, Edition::k2026));
  call.tmp.rows = 3;
  EXPECT_TRUE(UsesReservedUb(call, Product::kAtlasA2, Edition::k2026));
}

TEST(ReservedUb, IsANoteOfStepsThatAreExecuted) {
  std::vector<std::uint8_t> ub(196608);
  Oracle oracle(Product::kAtlasA2, test::Machine::MemoriesOf(ub));
  EXPECT_EQ(test::Texts(oracle.Execute(ReadUntil(196608)).notes),
            test::Only(isa::state::kUbReserved));
  const isa::StepResult rejected = oracle.Execute(ReadUntil(196640));
  EXPECT_FALSE(rejected.rules.empty());
  EXPECT_TRUE(rejected.notes.empty());
}

}  // namespace
}  // namespace lanediff::oracle
