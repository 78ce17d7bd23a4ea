#include <cstdint>
#include <functional>
#include <memory>

#include "bench/board.h"
#include "bench/works.h"
#include "bench/yardsticks.h"
#include "isa/memory_map.h"
#include "isa/repeat_reduce_sum.h"

namespace lanediff::bench {
namespace {

constexpr std::int64_t kRepeats = 255;
constexpr std::int64_t kSrcBytes = kRepeats * 256;
constexpr std::int64_t kDst = 131072;

std::shared_ptr<Board> NewBoard(const Setting& setting) {
  return std::make_shared<Board>(isa::Product::kAtlasA2, setting.seams);
}

/// All lanes of 255 repeats, results side by side.
isa::RepeatReduceSum Call(isa::DType type) {
  const std::int64_t size = isa::SizeBytes(type);
  isa::RepeatReduceSum call;
  call.dtype = type;
  call.src = {.position = isa::Position::kVecin,
              .at = 0,
              .bytes = kSrcBytes,
              .dtype = {}};
  call.dst = {.position = isa::Position::kVecout,
              .at = kDst,
              .bytes = kRepeats * size,
              .dtype = {}};
  call.repeat = kRepeats;
  call.elems_in_one_repeat = 256 / size;
  call.src_blk_stride = 1;
  call.dst_rep_stride = 1;
  call.src_rep_stride = 8;
  return call;
}

Prepared Half(const Setting& setting, Data data,
              void (*tree)(std::uint16_t*, const std::uint16_t*, std::size_t)) {
  auto board = NewBoard(setting);
  FillHalves(board->Ub<std::uint16_t>(0, kSrcBytes / 2), data, 2);
  return OnEmulator(board, {Call(isa::DType::kHalf)}, [=] {
    tree(board->Ub<std::uint16_t>(kDst), board->Ub<std::uint16_t>(0), kRepeats);
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
  return OnEmulator(floats, {Call(isa::DType::kFloat)},
                    Executes(halves, {Call(isa::DType::kHalf)}), false);
}

}  // namespace lanediff::bench
