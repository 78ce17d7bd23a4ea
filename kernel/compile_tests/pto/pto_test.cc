#include <gtest/gtest.h>

#include <cstdint>
#include <pto/common/constants.hpp>
#include <pto/pto-inst.hpp>
#include <string>
#include <vector>

#include "kernel/compile_tests/pto/tests/recording_abi.h"

namespace {

using pto::AtomicType;
using pto::BLayout;
using pto::GlobalTensor;
using pto::Layout;
using pto::Op;
using pto::Tile;
using pto::TileType;
using recording::RecordedCall;
using testing::Test;

template <typename T, int rows, int cols>
using NdTile = Tile<TileType::Vec, T, rows, cols>;

class Pto : public Test {
 protected:
  void SetUp() override { recording::recorded.clear(); }
  /// The calls since SetUp, without LocalTensor of TASSIGN.
  static std::vector<RecordedCall> Calls() {
    std::vector<RecordedCall> calls;
    for (const RecordedCall& one : recording::recorded) {
      if (one.name != "LocalTensor") calls.push_back(one);
    }
    return calls;
  }
};

TEST_F(Pto, RowProductTellsEachTile) {
  Tile<TileType::Vec, half, 16, 32, BLayout::RowMajor, -1, -1> src(15, 31);
  Tile<TileType::Vec, half, 16, 1, BLayout::ColMajor, 15, 1> dst;
  NdTile<half, 16, 32> tmp;
  const int line = __LINE__ + 1;
  TASSIGN(src, 0x100);
  TASSIGN(dst, std::uint64_t{0x800});
  pto::TASSIGN<0x1000>(tmp);
  TROWPROD(dst, src, tmp);
  EXPECT_EQ(recording::recorded[0].line, line);
  EXPECT_EQ(recording::recorded[0].numbers["bytes"], 16 * 32 * 2);
  ASSERT_EQ(Calls().size(), 1U);
  const RecordedCall call = Calls()[0];
  EXPECT_EQ(call.name, "TROWPROD");
  EXPECT_EQ(call.line, line + 3);
  ASSERT_EQ(call.operands.size(), 3U);
  const std::string names[] = {"dst", "src", "tmp"};
  const std::uint64_t at[] = {0x800, 0x100, 0x1000};
  const std::int64_t bytes[] = {32, 1024, 1024};
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(call.operands[k].name, names[k]);
    EXPECT_EQ(call.operands[k].at, at[k]);
    EXPECT_EQ(call.operands[k].window, bytes[k]);
    EXPECT_EQ(call.operands[k].position, LANEDIFF_UB);
    EXPECT_EQ(call.operands[k].dtype, LANEDIFF_HALF);
  }
  const std::vector<std::string> order = {
      "dst.rows",     "dst.cols",     "dst.validRow", "dst.validCol",
      "dst.layout",   "src.rows",     "src.cols",     "src.validRow",
      "src.validCol", "src.layout",   "tmp.rows",     "tmp.cols",
      "tmp.validRow", "tmp.validCol", "tmp.layout",   "auto"};
  EXPECT_EQ(call.order, order);
  const std::map<std::string, std::int64_t> numbers = {
      {"dst.rows", 16},     {"dst.cols", 1},      {"dst.validRow", 15},
      {"dst.validCol", 1},  {"src.rows", 16},     {"src.cols", 32},
      {"src.validRow", 15}, {"src.validCol", 31}, {"tmp.rows", 16},
      {"tmp.cols", 32},     {"tmp.validRow", 16}, {"tmp.validCol", 32},
      {"auto", 0}};
  EXPECT_EQ(call.numbers, numbers);
  const std::map<std::string, std::string> words = {
      {"dst.layout", "DN"}, {"src.layout", "ND"}, {"tmp.layout", "ND"}};
  EXPECT_EQ(call.words, words);
}

TEST_F(Pto, ATileWithoutAddressIsPlacedOnceAndMarked) {
  NdTile<float, 16, 16> src;
  NdTile<float, 16, 16> tmp;
  Tile<TileType::Vec, float, 16, 1, BLayout::ColMajor> dst;
  TASSIGN(tmp, 0x3000);
  TROWPROD(dst, src, tmp);
  TROWPROD(dst, src, tmp);
  ASSERT_EQ(recording::recorded.size(), 5U);
  EXPECT_EQ(recording::recorded[1].numbers["at"], -1);
  EXPECT_EQ(recording::recorded[1].numbers["bytes"], 64);
  EXPECT_EQ(recording::recorded[2].numbers["at"], -1);
  EXPECT_EQ(recording::recorded[3].numbers["auto"], 1);
  EXPECT_EQ(recording::recorded[4].numbers["auto"], 1);
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
  const RecordedCall call = Calls().at(0);
  EXPECT_EQ(call.operands[0].name, "dst");
  EXPECT_EQ(call.operands[1].name, "src");
  EXPECT_EQ(call.operands[1].position, LANEDIFF_GM);
  EXPECT_EQ(call.operands[1].at, reinterpret_cast<std::uintptr_t>(data));
  EXPECT_EQ(call.operands[1].dtype, LANEDIFF_FLOAT);
  const std::int64_t sizes[] = {1, 1, 1, 7, 5, 1, 1, 9, 8, 1};
  for (int k = 0; k < 10; ++k) {
    const std::string name =
        (k < 5 ? "src.shape" : "src.stride") + std::to_string(k % 5);
    EXPECT_EQ(call.numbers.at(name), sizes[k]) << name;
  }
  EXPECT_EQ(call.words.at("src.layout"), "DN");
  EXPECT_EQ(call.words.at("dst.layout"), "ND");
  EXPECT_EQ(call.order.back(), "auto");
}

TEST_F(Pto, StoreTellsWhetherItAdds) {
  std::int16_t data[64] = {};
  GlobalTensor<std::int16_t, pto::TileShape2D<std::int16_t, 4, 16>,
               pto::BaseShape2D<std::int16_t, 4, 16>>
      dst(data);
  using Src = NdTile<std::int16_t, 4, 16>;
  Src src;
  TASSIGN(src, 0);
  TSTORE(dst, src);
  TSTORE<Src, decltype(dst), AtomicType::AtomicAdd>(dst, src);
  EXPECT_EQ(Calls().at(0).words.at("atomic"), "AtomicNone");
  const RecordedCall call = Calls().at(1);
  EXPECT_EQ(call.words.at("atomic"), "AtomicAdd");
  EXPECT_EQ(call.operands[0].name, "dst");
  EXPECT_EQ(call.operands[0].position, LANEDIFF_GM);
  EXPECT_EQ(call.numbers.at("dst.shape3"), 4);
  EXPECT_EQ(call.numbers.at("dst.shape4"), 16);
  EXPECT_EQ(call.numbers.at("dst.stride2"), 64);
  EXPECT_EQ(call.numbers.at("dst.stride3"), 16);
  EXPECT_EQ(call.numbers.at("dst.stride4"), 1);
}

TEST_F(Pto, ShapesAndStridesThatTheTypeKnowsOrNot) {
  const pto::BaseShape2D<float, 3, 5, Layout::DN> dn;
  EXPECT_EQ(dn.at(2), 15);
  EXPECT_EQ(dn.at(3), 1);
  EXPECT_EQ(dn.at(4), 3);
  const pto::BaseShape2D<float, -1, -1> some(7, 9);
  EXPECT_EQ(some.at(2), 63);
  EXPECT_EQ(some.at(3), 9);
  const pto::BaseShape2D<float, -1, -1, Layout::DN> other(7, 9);
  EXPECT_EQ(other.at(3), 1);
  EXPECT_EQ(other.at(4), 7);
  const pto::Shape<1, 1, 1, -1, -1> five(9, 9, 9, 7, 5);
  EXPECT_EQ(five.at(2), 1);
  EXPECT_EQ(five.at(3), 7);
  EXPECT_EQ(five.at(4), 5);
  const pto::TileShape2D<float, -1, 4> rows(6);
  EXPECT_EQ(rows.at(3), 6);
  EXPECT_EQ(rows.at(4), 4);
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
  const NdTile<float, 8, 8> full;
  EXPECT_EQ(full.GetValidRow(), 8);
}

TEST_F(Pto, ReshapingIsAnotherViewOfTheSameBytes) {
  Tile<TileType::Vec, float, 64, 1, BLayout::ColMajor> src;
  NdTile<float, 1, 64> dst;
  TASSIGN(src, 0x400);
  TRESHAPE(dst, src);
  float data[64] = {};
  GlobalTensor<float, pto::TileShape2D<float, 1, 64>,
               pto::BaseShape2D<float, 1, 64>>
      out(data);
  TSTORE(out, dst);
  const RecordedCall call = Calls().at(0);
  EXPECT_EQ(call.operands[1].at, 0x400U);
  EXPECT_EQ(call.numbers.at("src.rows"), 1);
  EXPECT_EQ(call.numbers.at("auto"), 0);
}

TEST_F(Pto, FlagsAndBarriers) {
  set_flag(PIPE_MTE2, PIPE_V, EVENT_ID3);
  wait_flag(PIPE_V, PIPE_MTE3, 300);
  const int line = __LINE__ + 1;
  pipe_barrier(PIPE_ALL);
  const std::vector<RecordedCall> calls = Calls();
  ASSERT_EQ(calls.size(), 3U);
  EXPECT_EQ(calls[0].name, "SetFlag");
  EXPECT_EQ(calls[0].words.at("event"), "MTE2_V");
  EXPECT_EQ(calls[0].numbers.at("id"), 3);
  EXPECT_EQ(calls[1].name, "WaitFlag");
  EXPECT_EQ(calls[1].words.at("event"), "V_MTE3");
  EXPECT_EQ(calls[1].numbers.at("id"), 300);
  EXPECT_EQ(calls[2].name, "PipeBarrier");
  EXPECT_EQ(calls[2].words.at("pipe"), "ALL");
  EXPECT_EQ(calls[2].line, line);
}

TEST_F(Pto, EventsRecordBehindAndWaitBefore) {
  float data[64] = {};
  GlobalTensor<float, pto::TileShape2D<float, 8, 8>,
               pto::BaseShape2D<float, 8, 8>>
      global(data);
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
  const int line = __LINE__ + 1;
  TSTORE(global, dst, done);
  std::vector<std::string> names;
  for (const RecordedCall& one : Calls()) {
    names.push_back(one.name);
    if (one.words.count("event") != 0) {
      names.back() += " " + one.words.at("event");
    }
  }
  const std::vector<std::string> expected = {
      "TLOAD",           "SetFlag MTE2_V",  "TLOAD",    "SetFlag MTE2_V",
      "WaitFlag MTE2_V", "WaitFlag MTE2_V", "TROWPROD", "SetFlag V_MTE3",
      "WaitFlag V_MTE3", "TSTORE"};
  EXPECT_EQ(names, expected);
  const std::vector<RecordedCall> calls = Calls();
  EXPECT_NE(calls[1].numbers.at("id"), calls[3].numbers.at("id"));
  EXPECT_EQ(calls[1].numbers.at("id"), calls[4].numbers.at("id"));
  EXPECT_EQ(calls[3].numbers.at("id"), calls[5].numbers.at("id"));
  EXPECT_EQ(calls[8].line, line);
}

TEST_F(Pto, SynchronizingByOperation) {
  pto::Event<Op::TADD, Op::TROWPROD> same;
  pto::Event<Op::TLOAD, Op::VECTOR> other;
  TSYNC(same, other);
  pto::TSYNC<Op::TROWPROD>();
  const std::vector<RecordedCall> calls = Calls();
  ASSERT_EQ(calls.size(), 3U);
  EXPECT_EQ(calls[0].name, "PipeBarrier");
  EXPECT_EQ(calls[0].words.at("pipe"), "V");
  EXPECT_EQ(calls[1].name, "WaitFlag");
  EXPECT_EQ(calls[2].name, "PipeBarrier");
}

/// Whatever `action` is refused for, in the words of its message.
template <typename Action>
std::string RefusalOf(const Action& action) {
  try {
    action();
  } catch (const recording::Refused& refused) {
    return refused.name + " (" + refused.why + ")";
  }
  return "not refused";
}

TEST_F(Pto, WhatIsRefusedWhenItIsReached) {
  NdTile<float, 8, 8> tile;
  Tile<TileType::Mat, float, 16, 16> mat;
  Tile<TileType::Vec, float, 16, 16, BLayout::RowMajor, 16, 16,
       pto::SLayout::RowMajor>
      boxed;
  float data[64] = {};
  GlobalTensor<float, pto::TileShape2D<float, 8, 8>,
               pto::BaseShape2D<float, 8, 8>>
      global(data);
  EXPECT_EQ(RefusalOf([&] { TADD(tile, tile, tile); }),
            "TADD (of PTO, TROWPROD is supported)");
  EXPECT_EQ(RefusalOf([&] { pto::TMATMUL(mat, mat, mat); }),
            "TMATMUL (of PTO, TROWPROD is supported)");
  EXPECT_EQ(RefusalOf([&] { pto::MGATHER(tile, global, tile); }),
            "MGATHER (of PTO, TROWPROD is supported)");
  EXPECT_EQ(RefusalOf([&] { TLOAD(mat, global); }),
            "TLOAD (tiles other than TileType::Vec)");
  EXPECT_EQ(RefusalOf([&] { TSTORE(global, mat); }),
            "TSTORE (tiles other than TileType::Vec)");
  EXPECT_EQ(RefusalOf([&] { TLOAD(boxed, global); }), "TLOAD (boxed tiles)");
  int line = 0;
  try {
    line = __LINE__ + 1;
    TEXP(tile, tile);
  } catch (const recording::Refused& refused) {
    EXPECT_EQ(refused.line, line);
  }
}

TEST_F(Pto, ARowProductOfOtherTilesIsTheOraclesToReject) {
  Tile<TileType::Mat, float, 8, 8> mat;
  NdTile<float, 8, 8> tile;
  TASSIGN(mat, 0);
  TASSIGN(tile, 0);
  TROWPROD(tile, mat, tile);
  EXPECT_EQ(Calls().at(0).operands[1].position, LANEDIFF_A1);
}

TEST_F(Pto, TensorsAreAssignedPointers) {
  float data[64] = {};
  GlobalTensor<float, pto::TileShape2D<float, 8, 8>,
               pto::BaseShape2D<float, 8, 8>>
      global;
  EXPECT_EQ(global.data(), nullptr);
  TASSIGN(global, data);
  EXPECT_EQ(global.data(), data);
}

TEST_F(Pto, KnowsProductAndBlock) {
  EXPECT_STREQ(recording::product, "atlas-a2");
  EXPECT_EQ(block_idx + 1, 6);
  static_assert(std::is_same_v<__fp16, half>);
}

}  // namespace
