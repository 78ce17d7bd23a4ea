#include <cstdint>
#include <functional>
#include <memory>

#include "bench/board.h"
#include "bench/calls.h"
#include "bench/works.h"
#include "bench/yardsticks.h"
#include "isa/min.h"
#include "make/random.h"

namespace lanediff::bench {
namespace {

using isa::DType;

constexpr std::int64_t kRepeats = 255;
constexpr std::int64_t kRepeatBytes = 256;

/// `kRepeats` repeats whose operands lie one after the other, `bytes` each.
isa::Min Call(DType type, std::int64_t blk_stride, std::int64_t rep_stride) {
  const std::int64_t bytes =
      32 * ((kRepeats - 1) * rep_stride + 7 * blk_stride + 1);
  isa::Min call;
  call.dtype = type;
  call.src0 = Window(isa::Position::kVecin, 0, bytes);
  call.src1 = Window(isa::Position::kVecin, bytes, bytes);
  call.dst = Window(isa::Position::kVecout, 2 * bytes, bytes);
  call.form = isa::Min::kContiguous;
  call.mask = kRepeatBytes / isa::SizeBytes(type);
  call.repeat_times = kRepeats;
  call.repeat_params = {.dst_blk_stride = blk_stride,
                        .src0_blk_stride = blk_stride,
                        .src1_blk_stride = blk_stride,
                        .dst_rep_stride = rep_stride,
                        .src0_rep_stride = rep_stride,
                        .src1_rep_stride = rep_stride};
  return call;
}

void FillSources(Board& board, const isa::Min& call, Data data) {
  // Both sources lie together; integers are random as they are.
  const auto bytes = static_cast<std::size_t>(2 * call.src0.bytes);
  if (call.dtype == DType::kHalf) {
    FillHalves(board.Ub<std::uint16_t>(0, bytes / 2), data, 1);
  } else if (call.dtype == DType::kFloat) {
    FillFloats(board.Ub<float>(0, bytes / 4), data, 1);
  }
}

/// The loop of `type` on the same bytes.
template <class T>
std::function<void()> Loop(std::shared_ptr<Board> board, const isa::Min& call,
                           void (*loop)(T*, const T*, const T*, std::size_t)) {
  return [=, dst = board->Ub<T>(call.dst.at), src0 = board->Ub<T>(call.src0.at),
          src1 = board->Ub<T>(call.src1.at)] {
    loop(dst, src0, src1, kRepeats * kRepeatBytes / sizeof(T));
  };
}

std::function<void()> LoopOf(std::shared_ptr<Board> board,
                             const isa::Min& call) {
  switch (call.dtype) {
    case DType::kInt16:
      return Loop<std::int16_t>(board, call, MinInt16Avx2);
    case DType::kInt32:
      return Loop<std::int32_t>(board, call, MinInt32Avx2);
    case DType::kHalf:
      return Loop<std::uint16_t>(board, call, MinHalfAvx2);
    default:
      return Loop<float>(board, call, MinFloatAvx2);
  }
}

}  // namespace

Prepared MinContiguous(const Setting& setting, DType type, Data data) {
  if (!HasAvx2()) return {.skipped = "this processor has no AVX2 and F16C"};
  auto board = std::make_shared<Board>(isa::Product::kAtlasInferenceAicore,
                                       setting.seams);
  const isa::Min call = Call(type, 1, 8);
  FillSources(*board, call, data);
  return OnEmulator(board, {call}, LoopOf(board, call));
}

Prepared MinMasked(const Setting& setting, DType type) {
  auto board = std::make_shared<Board>(isa::Product::kAtlasInferenceAicore,
                                       setting.seams);
  isa::Min call = Call(type, 2, 9);
  FillSources(*board, call, Data::kFinite);
  make::Random words(7);
  call.form = isa::Min::kBitwise;
  call.mask = 0;
  call.mask_words = {words.Bits(), words.Bits()};
  if (isa::SizeBytes(type) == 4) call.mask_words[1] = 0;
  return OnEmulator(board, {call}, Executes(board, {Call(type, 1, 8)}), false);
}

}  // namespace lanediff::bench
