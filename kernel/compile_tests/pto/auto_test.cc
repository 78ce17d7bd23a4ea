#define __PTO_AUTO__
#include <gtest/gtest.h>

#include <pto/pto-inst.hpp>

#include "kernel/compile_tests/recorder.h"

namespace lanediff::recorder {
namespace {

TEST(PtoAuto, EveryTileIsPlacedWhateverItIsAssigned) {
  Take();
  using Square = pto::Tile<pto::TileType::Vec, float, 8, 8>;
  Square dst;
  Square src;
  Square tmp;
  TASSIGN(src, 0x100);
  pto::TASSIGN<0x200>(tmp);
  EXPECT_TRUE(Take().empty());
  TROWPROD(dst, src, tmp);
  const auto lines = TakeWithoutPlaces();
  ASSERT_EQ(lines.size(), 4U);
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(lines[k], "LocalTensor 18 at=-1 bytes=256");
  }
  EXPECT_NE(lines[3].find(" auto=1 "), std::string::npos) << lines[3];
}

}  // namespace
}  // namespace lanediff::recorder
