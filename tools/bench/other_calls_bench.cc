// Rows of instructions beside Min and its family.

#include <cstdint>
#include <functional>
#include <memory>

#include "generators/random.h"
#include "isa/data_copy.h"
#include "isa/state.h"
#include "isa/vec_trans.h"
#include "isa/whole_reduce_sum.h"
#include "tools/bench/board.h"
#include "tools/bench/calls.h"
#include "tools/bench/works.h"
#include "tools/bench/yardsticks.h"

namespace lanediff::bench {
namespace {

constexpr std::int64_t kRepeats = 255;
constexpr std::int64_t kSrcBytes = kRepeats * 256;

std::shared_ptr<Board> NewBoard(const Setting& setting) {
  return std::make_shared<Board>(isa::Product::kAtlasA2, setting.seams);
}

Prepared Half(const Setting& setting, Data data,
              void (*tree)(std::uint16_t*, const std::uint16_t*, std::size_t)) {
  auto board = NewBoard(setting);
  FillHalves(board->Ub<std::uint16_t>(0, kSrcBytes / 2), data, 2);
  return OnEmulator(board, {SumCall(isa::DType::kHalf, kRepeats)}, [=] {
    tree(board->Ub<std::uint16_t>(kResults), board->Ub<std::uint16_t>(0),
         kRepeats);
  });
}

isa::DataCopy Call(isa::Position src, std::int64_t src_bytes, isa::Position dst,
                   std::int64_t dst_at, std::int64_t dst_bytes) {
  isa::DataCopy call;
  call.dtype = isa::DType::kHalf;
  call.src = Window(src, 0, src_bytes);
  call.dst = Window(dst, dst_at, dst_bytes);
  return call;
}

}  // namespace

Prepared ReduceSumBesideAvx2(const Setting& setting, Data data) {
  if (!HasAvx2()) return {.skipped = "this processor has no AVX2 and F16C"};
  return Half(setting, data, ReduceSumHalfAvx2);
}

Prepared ReduceSumBesideScalar(const Setting& setting, Data data) {
  return Half(setting, data, ReduceSumHalfScalar);
}

Prepared ReduceSumFloatBesideHalf(const Setting& setting) {
  auto floats = NewBoard(setting);
  auto halves = NewBoard(setting);
  FillFloats(floats->Ub<float>(0, kSrcBytes / 4), Data::kFinite, 3);
  FillHalves(halves->Ub<std::uint16_t>(0, kSrcBytes / 2), Data::kFinite, 2);
  return OnEmulator(floats, {SumCall(isa::DType::kFloat, kRepeats)},
                    Executes(halves, {SumCall(isa::DType::kHalf, kRepeats)}),
                    false);
}

Prepared WholeReduceSumMasked(const Setting& setting) {
  auto board = NewBoard(setting);
  FillHalves(board->Ub<std::uint16_t>(0, kSrcBytes / 2), Data::kFinite, 2);
  const isa::RepeatReduceSum all = SumCall(isa::DType::kHalf, kRepeats);
  make::Random words(8);
  isa::WholeReduceSum call;
  call.dtype = all.dtype;
  call.dst = all.dst;
  call.src = all.src;
  call.form = isa::WholeReduceSum::kBitwise;
  call.mask_words = {words.Bits(), words.Bits()};
  call.repeat_times = all.repeat;
  call.dst_rep_stride = all.dst_rep_stride;
  call.src_blk_stride = all.src_blk_stride;
  call.src_rep_stride = all.src_rep_stride;
  return OnEmulator(board, {call}, Executes(board, {all}), false);
}

Prepared CopyContiguous(const Setting& setting, bool from_gm,
                        std::int64_t bytes) {
  auto board = std::make_shared<Board>(isa::Product::kAtlasInferenceAicore,
                                       setting.seams);
  const std::int64_t to = from_gm ? 0 : bytes;
  isa::DataCopy call = Call(
      from_gm ? isa::Position::kGm : isa::Position::kVecin, bytes,
      from_gm ? isa::Position::kVecin : isa::Position::kVeccalc, to, bytes);
  call.form = isa::DataCopy::kCount;
  call.count = bytes / 2;
  const auto* src = from_gm ? board->At<std::uint8_t>(isa::Memory::kGm, 0)
                            : board->Ub<std::uint8_t>(0);
  return OnEmulator(board, {call, isa::PipeBarrier{}}, [=] {
    CopyBytes(board->Ub<std::uint8_t>(to), src,
              static_cast<std::size_t>(bytes));
  });
}

Prepared CopyBlocks(const Setting& setting, std::int64_t blocks,
                    std::int64_t src_gap, std::int64_t dst_gap) {
  auto board = std::make_shared<Board>(isa::Product::kAtlasInferenceAicore,
                                       setting.seams);
  const auto extent = [=](std::int64_t gap) {
    return 32 * (blocks * (1 + gap) - gap);
  };
  isa::DataCopy call = Call(isa::Position::kGm, extent(src_gap),
                            isa::Position::kVecin, 0, extent(dst_gap));
  call.form = isa::DataCopy::kParams;
  call.params = {.block_count = blocks,
                 .block_len = 1,
                 .src_gap = src_gap,
                 .dst_gap = dst_gap};
  return OnEmulator(
      board, {call, isa::PipeBarrier{}},
      [=] {
        CopyBytes(board->Ub<std::uint8_t>(0),
                  board->At<std::uint8_t>(isa::Memory::kGm, 0),
                  static_cast<std::size_t>(32 * blocks));
      },
      false);
}

using isa::DType;

Prepared RowProducts(const Setting& setting, DType type, std::int64_t rows,
                     std::int64_t cols, isa::Order order, Data data) {
  auto board = std::make_shared<Board>(isa::Product::kAtlasA2, setting.seams);
  const auto r = static_cast<std::size_t>(rows);
  const auto c = static_cast<std::size_t>(cols);
  std::function<void()> fold;
  if (type == DType::kHalf) {
    FillHalves(board->Ub<std::uint16_t>(0, r * c), data, 4);
    fold = [=] {
      LeftFoldHalfScalar(board->Ub<std::uint16_t>(kResults),
                         board->Ub<std::uint16_t>(0), r, c);
    };
  } else {
    FillFloats(board->Ub<float>(0, r * c), data, 4);
    fold = [=] {
      LeftFoldFloatScalar(board->Ub<float>(kResults), board->Ub<float>(0), r,
                          c);
    };
  }
  // Only the left fold itself gives the yardstick's bits.
  return OnEmulator(board, {ProductCall(type, rows, cols, order)}, fold,
                    order == isa::Order::kLeftFold);
}

Prepared Transpose(const Setting& setting) {
  constexpr std::int64_t kBytes = 255 * 512;
  auto board = std::make_shared<Board>(isa::Product::kAtlasInferenceAicore,
                                       setting.seams);
  isa::VecTrans call;
  call.dtype = isa::DType::kHalf;
  call.src = Window(isa::Position::kUb, 0, kBytes);
  call.dst = Window(isa::Position::kUb, kBytes, kBytes);
  call.repeat_times = 255;
  call.dst_rep_stride = 1;
  call.src_rep_stride = 1;
  return OnEmulator(
      board, {call},
      [=] {
        CopyBytes(board->Ub<std::uint8_t>(kBytes), board->Ub<std::uint8_t>(0),
                  kBytes);
      },
      false);
}

}  // namespace lanediff::bench
