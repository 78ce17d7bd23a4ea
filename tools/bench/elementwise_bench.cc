#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <type_traits>

#include "generators/random.h"
#include "isa/step.h"
#include "tools/bench/board.h"
#include "tools/bench/calls.h"
#include "tools/bench/works.h"
#include "tools/bench/yardsticks.h"

namespace lanediff::bench {
namespace {

using isa::DType;

constexpr std::int64_t kRepeats = 255;
constexpr std::int64_t kRepeatBytes = 256;

/// `kRepeats` repeats whose operands lie one after the other, `bytes` each.
template <class Call>
Call CallOf(DType type, std::int64_t blk_stride, std::int64_t rep_stride) {
  const std::int64_t bytes =
      32 * ((kRepeats - 1) * rep_stride + 7 * blk_stride + 1);
  Call call;
  call.dtype = type;
  call.src0 = Window(isa::Position::kVecin, 0, bytes);
  call.src1 = Window(isa::Position::kVecin, bytes, bytes);
  call.dst = Window(isa::Position::kVecout, 2 * bytes, bytes);
  call.form = Call::kContiguous;
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

/// Whether the results are no larger than the sources: what is too large is not
/// for the yardstick.
template <class Call>
constexpr bool kStaysSmall =
    std::is_same_v<Call, isa::Min> || std::is_same_v<Call, isa::Max>;

template <class T>
void FillSmall(std::span<T> integers) {
  make::Random words(1);
  for (T& integer : integers) {
    integer = static_cast<T>(static_cast<int>(words.Bits() % 257) - 128);
  }
}

template <class Call>
void FillSources(Board& board, const Call& call, Data data) {
  // Both sources lie together; integers are random as they are.
  const auto bytes = static_cast<std::size_t>(2 * call.src0.bytes);
  if (call.dtype == DType::kHalf) {
    FillHalves(board.Ub<std::uint16_t>(0, bytes / 2), data, 1);
  } else if (call.dtype == DType::kFloat) {
    FillFloats(board.Ub<float>(0, bytes / 4), data, 1);
  } else if (kStaysSmall<Call>) {
    return;
  } else if (call.dtype == DType::kInt16) {
    FillSmall(board.Ub<std::int16_t>(0, bytes / 2));
  } else {
    FillSmall(board.Ub<std::int32_t>(0, bytes / 4));
  }
}

/// The loop of `T` on the same bytes.
template <class T, class Call>
std::function<void()> Loop(std::shared_ptr<Board> board, const Call& call) {
  return
      [board, dst = board->Ub<T>(call.dst.at),
       src0 = board->Ub<T>(call.src0.at), src1 = board->Ub<T>(call.src1.at)] {
        ElementwiseAvx2<kYardstickOf<Call>, T>(
            dst, src0, src1, kRepeats * kRepeatBytes / sizeof(T));
      };
}

template <class Call>
std::function<void()> LoopOf(std::shared_ptr<Board> board, const Call& call) {
  switch (call.dtype) {
    case DType::kInt16:
      return Loop<std::int16_t>(board, call);
    case DType::kInt32:
      return Loop<std::int32_t>(board, call);
    case DType::kHalf:
      return Loop<std::uint16_t>(board, call);
    default:
      return Loop<float>(board, call);
  }
}

}  // namespace

template <class Call>
Prepared ElementwiseContiguous(const Setting& setting, DType type, Data data) {
  if (!HasAvx2()) return {.skipped = "this processor has no AVX2 and F16C"};
  auto board = std::make_shared<Board>(isa::Product::kAtlasInferenceAicore,
                                       setting.seams);
  const Call call = CallOf<Call>(type, 1, 8);
  FillSources(*board, call, data);
  return OnEmulator(board, {call}, LoopOf(board, call));
}

template <class Call>
Prepared ElementwiseMasked(const Setting& setting, DType type, Data data) {
  auto board = std::make_shared<Board>(isa::Product::kAtlasInferenceAicore,
                                       setting.seams);
  Call call = CallOf<Call>(type, 2, 9);
  FillSources(*board, call, data);
  make::Random words(7);
  call.form = Call::kBitwise;
  call.mask = 0;
  call.mask_words = {words.Bits(), words.Bits()};
  if (isa::SizeBytes(type) == 4) call.mask_words[1] = 0;
  return OnEmulator(board, {call}, Executes(board, {CallOf<Call>(type, 1, 8)}),
                    false);
}

#define LANEDIFF_WORKS(CALL)                                                  \
  template Prepared ElementwiseContiguous<CALL>(const Setting&, DType, Data); \
  template Prepared ElementwiseMasked<CALL>(const Setting&, DType, Data);

LANEDIFF_WORKS(isa::Min)
LANEDIFF_WORKS(isa::Max)
LANEDIFF_WORKS(isa::Add)
LANEDIFF_WORKS(isa::Sub)
LANEDIFF_WORKS(isa::Mul)

}  // namespace lanediff::bench
