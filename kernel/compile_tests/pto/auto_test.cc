#define __PTO_AUTO__
#include <gtest/gtest.h>

#include <pto/pto-inst.hpp>

#include "kernel/compile_tests/pto/tests/recording_abi.h"

namespace {

TEST(PtoAuto, EveryTileIsPlacedWhateverItIsAssigned) {
  recording::recorded.clear();
  using Square = pto::Tile<pto::TileType::Vec, float, 8, 8>;
  Square dst;
  Square src;
  Square tmp;
  TASSIGN(src, 0x100);
  pto::TASSIGN<0x200>(tmp);
  EXPECT_TRUE(recording::recorded.empty());
  TROWPROD(dst, src, tmp);
  ASSERT_EQ(recording::recorded.size(), 4U);
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(recording::recorded[k].numbers["at"], -1);
  }
  EXPECT_EQ(recording::recorded[3].numbers["auto"], 1);
}

}  // namespace
