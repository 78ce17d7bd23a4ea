#include <cstdint>
#include <functional>
#include <memory>

#include "generators/random.h"
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

}  // namespace lanediff::bench
