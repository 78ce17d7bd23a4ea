#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <pto/common/constants.hpp>
#include <pto/pto-inst.hpp>
#include <string>
#include <vector>

#include "kernel/compile_tests/recorder.h"

namespace lanediff::recorder {
namespace {

using pto::AtomicType;
using pto::BLayout;
using pto::GlobalTensor;
using pto::Layout;
using pto::Op;
using pto::Tile;
using pto::TileType;
using Lines = std::vector<std::string>;

template <typename T, int rows, int cols>
using NdTile = Tile<TileType::Vec, T, rows, cols>;
template <typename T, int rows, int cols>
using NdGlobal = GlobalTensor<T, pto::TileShape2D<T, rows, cols>,
                              pto::BaseShape2D<T, rows, cols>>;

class Pto : public testing::Test {
 protected:
  void SetUp() override { Take(); }
};

/// The lines since the last ones without LocalTensor of TASSIGN and places.
Lines Calls() {
  Lines lines = TakeWithoutPlaces();
  std::erase_if(lines, [](const std::string& line) {
    return line.starts_with("LocalTensor ");
  });
  return lines;
}

TEST_F(Pto, RowProductTellsEachTile) {
  Tile<TileType::Vec, half, 16, 32, BLayout::RowMajor, -1, -1> src(15, 31);
  Tile<TileType::Vec, half, 16, 1, BLayout::ColMajor, 15, 1> dst;
  NdTile<half, 16, 32> tmp;
  const int line = __LINE__ + 1;
  TASSIGN(src, 0x100);
  TASSIGN(dst, std::uint64_t{0x800});
  pto::TASSIGN<0x1000>(tmp);
  TROWPROD(dst, src, tmp);
  EXPECT_EQ(
      Take(),
      (Lines{fmt::format("LocalTensor:{} 18 at=256 bytes=1024", line),
             fmt::format("LocalTensor:{} 18 at=2048 bytes=32", line + 1),
             fmt::format("LocalTensor:{} 18 at=4096 bytes=1024", line + 2),
             fmt::format("TROWPROD:{} dst=half@2048+32/32:18 "
                         "src=half@256+1024/1024:18 "
                         "tmp=half@4096+1024/1024:18 dst.rows=16 dst.cols=1 "
                         "dst.validRow=15 dst.validCol=1 dst.layout=DN "
                         "src.rows=16 src.cols=32 src.validRow=15 "
                         "src.validCol=31 src.layout=ND tmp.rows=16 "
                         "tmp.cols=32 tmp.validRow=16 tmp.validCol=32 "
                         "tmp.layout=ND auto=0 form=plain register",
                         line + 3)}));
}

TEST_F(Pto, ATileWithoutAddressIsPlacedOnceAndMarked) {
  NdTile<float, 16, 16> src;
  NdTile<float, 16, 16> tmp;
  Tile<TileType::Vec, float, 16, 1, BLayout::ColMajor> dst;
  TASSIGN(tmp, 0x3000);
  TROWPROD(dst, src, tmp);
  TROWPROD(dst, src, tmp);
  const Lines lines = TakeWithoutPlaces();
  ASSERT_EQ(lines.size(), 5U);
  EXPECT_EQ(lines[1], "LocalTensor 18 at=-1 bytes=64");
  EXPECT_EQ(lines[2], "LocalTensor 18 at=-1 bytes=1024");
  EXPECT_TRUE(lines[3].ends_with(" auto=1 form=plain register")) << lines[3];
  EXPECT_EQ(lines[4], lines[3]);
}

TEST_F(Pto, LoadTellsShapeAndStride) {
  float data[64] = {};
  using Size = pto::Shape<1, 1, 1, -1, -1>;
  using Step = pto::Stride<1, 1, -1, -1, 1>;
  const GlobalTensor<float, Size, Step, Layout::DN> src(data, Size(7, 5),
                                                        Step(9, 8));
  NdTile<float, 8, 8> dst;
  TASSIGN(dst, 64);
  TLOAD(dst, src);
  EXPECT_EQ(
      Calls(),
      (Lines{fmt::format(
          "TLOAD dst=float@64+256/256:18 src=float@{}+0/-1:0 dst.rows=8 "
          "dst.cols=8 dst.validRow=8 dst.validCol=8 dst.layout=ND "
          "src.shape0=1 src.shape1=1 src.shape2=1 src.shape3=7 src.shape4=5 "
          "src.stride0=1 src.stride1=1 src.stride2=9 src.stride3=8 "
          "src.stride4=1 src.layout=DN auto=0 form=plain register",
          reinterpret_cast<std::uintptr_t>(data))}));
}

TEST_F(Pto, StoreTellsWhetherItAdds) {
  std::int16_t data[64] = {};
  NdGlobal<std::int16_t, 4, 16> dst(data);
  using Src = NdTile<std::int16_t, 4, 16>;
  Src src;
  TASSIGN(src, 0);
  TSTORE(dst, src);
  TSTORE<Src, decltype(dst), AtomicType::AtomicAdd>(dst, src);
  const auto store = [&](const char* atomic) {
    return fmt::format(
        "TSTORE dst=int16@{}+0/-1:0 src=int16@0+128/128:18 dst.shape0=1 "
        "dst.shape1=1 dst.shape2=1 dst.shape3=4 dst.shape4=16 "
        "dst.stride0=64 dst.stride1=64 dst.stride2=64 dst.stride3=16 "
        "dst.stride4=1 dst.layout=ND src.rows=4 src.cols=16 src.validRow=4 "
        "src.validCol=16 src.layout=ND atomic={} auto=0 form=plain register",
        reinterpret_cast<std::uintptr_t>(data), atomic);
  };
  EXPECT_EQ(Calls(), (Lines{store("AtomicNone"), store("AtomicAdd")}));
}

template <typename Five>
std::vector<std::int64_t> Last(const Five& five) {
  return {five.at(2), five.at(3), five.at(4)};
}

TEST_F(Pto, ShapesAndStridesThatTheTypeKnowsOrNot) {
  using Three = std::vector<std::int64_t>;
  EXPECT_EQ(Last(pto::BaseShape2D<float, 3, 5, Layout::DN>()),
            (Three{15, 1, 3}));
  EXPECT_EQ(Last(pto::BaseShape2D<float, -1, -1>(7, 9)), (Three{63, 9, 1}));
  EXPECT_EQ(Last(pto::BaseShape2D<float, -1, -1, Layout::DN>(7, 9)),
            (Three{63, 1, 7}));
  EXPECT_EQ(Last(pto::Shape<1, 1, 1, -1, -1>(9, 9, 9, 7, 5)), (Three{1, 7, 5}));
  EXPECT_EQ(Last(pto::TileShape2D<float, -1, 4>(6)), (Three{1, 6, 4}));
  float data[1] = {};
  using Known = GlobalTensor<float, pto::Shape<1, 1, 1, 4, 8>,
                             pto::Stride<1, 1, 1, 8, 1>>;
  const Known known(data, pto::Shape(1, 1, 1, 4, 8),
                    pto::Stride(1, 1, 1, 8, 1));
  EXPECT_EQ(known.GetShape(pto::GlobalTensorDim::DIM_4), 8);
  EXPECT_EQ(Known::GetStride<pto::GlobalTensorDim::DIM_3>(), 8);
  EXPECT_EQ(known.data(), data);
}

TEST_F(Pto, ValidSizesOfATile) {
  const Tile<TileType::Vec, float, 8, 8, BLayout::RowMajor, -1, 3> row(5);
  EXPECT_EQ(row.GetValidRow(), 5);
  EXPECT_EQ(row.GetValidCol(), 3);
  const Tile<TileType::Vec, float, 8, 8, BLayout::RowMajor, 2, -1> col(6);
  EXPECT_EQ(col.GetValidRow(), 2);
  EXPECT_EQ(col.GetValidCol(), 6);
}

TEST_F(Pto, ReshapingIsAnotherViewOfTheSameBytes) {
  Tile<TileType::Vec, float, 64, 1, BLayout::ColMajor> src;
  NdTile<float, 1, 64> dst;
  TASSIGN(src, 0x400);
  TRESHAPE(dst, src);
  float data[64] = {};
  NdGlobal<float, 1, 64> out(data);
  TSTORE(out, dst);
  const Lines calls = Calls();
  ASSERT_EQ(calls.size(), 1U);
  for (const char* part :
       {" src=float@1024+256/256:18 ", " src.rows=1 ", " auto=0 "}) {
    EXPECT_NE(calls[0].find(part), std::string::npos) << calls[0];
  }
}

TEST_F(Pto, FlagsAndBarriers) {
  const int line = __LINE__ + 1;
  set_flag(PIPE_MTE2, PIPE_V, EVENT_ID3);
  wait_flag(PIPE_V, PIPE_MTE3, 300);
  pipe_barrier(PIPE_ALL);
  EXPECT_EQ(Take(),
            (Lines{fmt::format("SetFlag:{} event=MTE2_V id=3", line),
                   fmt::format("WaitFlag:{} event=V_MTE3 id=300", line + 1),
                   fmt::format("PipeBarrier:{} pipe=ALL", line + 2)}));
}

TEST_F(Pto, EventsRecordBehindAndWaitBefore) {
  float data[64] = {};
  NdGlobal<float, 8, 8> global(data);
  NdTile<float, 8, 8> src;
  NdTile<float, 8, 8> tmp;
  NdTile<float, 8, 8> dst;
  TASSIGN(src, 0);
  TASSIGN(tmp, 256);
  TASSIGN(dst, 512);
  pto::Event<Op::TLOAD, Op::TROWPROD> loaded;
  pto::Event<Op::TLOAD, Op::TROWPROD> again;
  loaded = TLOAD(src, global);
  again = TLOAD(tmp, global);
  pto::Event<Op::TROWPROD, Op::TSTORE_VEC> done =
      TROWPROD(dst, src, tmp, loaded, again);
  TSTORE(global, dst, done);
  Lines names = Calls();
  for (std::string& name : names) {
    if (name[0] == 'T') name.resize(name.find(' '));
  }
  ASSERT_EQ(names.size(), 10U);
  EXPECT_NE(names[1], names[3]) << "ids of their own";
  EXPECT_TRUE(names[1].starts_with("SetFlag event=MTE2_V id="));
  const auto waits = [](const std::string& set) {
    return "WaitFlag" + set.substr(set.find(' '));
  };
  EXPECT_EQ(names,
            (Lines{"TLOAD", names[1], "TLOAD", names[3], waits(names[1]),
                   waits(names[3]), "TROWPROD", "SetFlag event=V_MTE3 id=0",
                   "WaitFlag event=V_MTE3 id=0", "TSTORE"}));
  const int line = __LINE__ + 1;
  TSTORE(global, dst, done);
  EXPECT_TRUE(Take()[0].starts_with(fmt::format("WaitFlag:{} ", line)));
}

TEST_F(Pto, SynchronizingByOperation) {
  pto::Event<Op::TADD, Op::TROWPROD> same;
  pto::Event<Op::TLOAD, Op::VECTOR> other;
  TSYNC(same, other);
  pto::TSYNC<Op::TROWPROD>();
  const Lines calls = Calls();
  ASSERT_EQ(calls.size(), 3U);
  EXPECT_EQ(calls[0], "PipeBarrier pipe=V");
  EXPECT_TRUE(calls[1].starts_with("WaitFlag event=MTE2_V "));
  EXPECT_EQ(calls[2], calls[0]);
}

TEST_F(Pto, WhatIsRefusedWhenItIsReached) {
  NdTile<float, 8, 8> tile;
  Tile<TileType::Mat, float, 16, 16> mat;
  Tile<TileType::Vec, float, 16, 16, BLayout::RowMajor, 16, 16,
       pto::SLayout::RowMajor>
      boxed;
  float data[64] = {};
  NdGlobal<float, 8, 8> global(data);
  // The library does not return from there.
  const auto refusal = [](const std::function<void()>& action) {
    Take();
    action();
    return TakeWithoutPlaces().front();
  };
  const std::string unknown = " (of PTO, TROWPROD is supported)";
  EXPECT_EQ(refusal([&] { TADD(tile, tile, tile); }), "refused TADD" + unknown);
  EXPECT_EQ(refusal([&] { pto::TMATMUL(mat, mat, mat); }),
            "refused TMATMUL" + unknown);
  EXPECT_EQ(refusal([&] { pto::MGATHER(tile, global, tile); }),
            "refused MGATHER" + unknown);
  EXPECT_EQ(refusal([&] { TLOAD(mat, global); }),
            "refused TLOAD (tiles other than TileType::Vec)");
  EXPECT_EQ(refusal([&] { TSTORE(global, mat); }),
            "refused TSTORE (tiles other than TileType::Vec)");
  EXPECT_EQ(refusal([&] { TLOAD(boxed, global); }),
            "refused TLOAD (boxed tiles)");
  Take();
  const int line = __LINE__ + 1;
  TEXP(tile, tile);
  EXPECT_EQ(Take().front(), fmt::format("refused:{} TEXP{}", line, unknown));
}

TEST_F(Pto, ARowProductOfOtherTilesIsTheOraclesToReject) {
  Tile<TileType::Mat, float, 8, 8> mat;
  NdTile<float, 8, 8> tile;
  TASSIGN(mat, 0);
  TASSIGN(tile, 0);
  TROWPROD(tile, mat, tile);
  const std::string call = Calls().at(0);
  EXPECT_NE(call.find(" src=float@0+256/256:1 "), std::string::npos) << call;
}

TEST_F(Pto, TensorsAreAssignedPointers) {
  float data[64] = {};
  NdGlobal<float, 8, 8> global;
  EXPECT_EQ(global.data(), nullptr);
  TASSIGN(global, data);
  EXPECT_EQ(global.data(), data);
}

TEST_F(Pto, KnowsProductAndBlock) {
  EXPECT_EQ(products(), (Lines{"atlas-a2"}));
  std::int64_t last = 0;
  lanediff_launch(
      "kernel", 6,
      [](void* to) { *static_cast<std::int64_t*>(to) = block_idx + 1; }, &last,
      {});
  EXPECT_EQ(last, 6);
  static_assert(std::is_same_v<__fp16, half>);
}

}  // namespace
}  // namespace lanediff::recorder
