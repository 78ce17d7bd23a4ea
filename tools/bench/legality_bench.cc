#include <benchmark/benchmark.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <variant>

#include "emulator/state.h"
#include "isa/rule.h"
#include "isa/step.h"
#include "isa/units.h"
#include "oracle/oracle.h"
#include "tools/bench/board.h"
#include "tools/bench/calls.h"
#include "tools/bench/works.h"

namespace lanediff::bench {
namespace {

using emulator::Seams;

/// The seam of each type of step, judging it.
struct Judge {
  const Seams& seams;
  const emulator::State& state;

  isa::RuleSet operator()(const isa::RepeatReduceSum& call) const {
    return seams.repeat_reduce_sum.legality(call, state);
  }
  isa::RuleSet operator()(const isa::WholeReduceSum& call) const {
    return seams.whole_reduce_sum.legality(call, state);
  }
  template <isa::Elementwise Call>
  isa::RuleSet operator()(const Call& call) const {
    return emulator::RowOf<Call>(seams.elementwise).legality(call, state);
  }
  isa::RuleSet operator()(const isa::DataCopy& call) const {
    return seams.data_copy.legality(call, state);
  }
  isa::RuleSet operator()(const isa::Trowprod& call) const {
    return seams.trowprod.legality(call, state);
  }
  isa::RuleSet operator()(const isa::VecTrans& call) const {
    return seams.vec_trans.legality(call, state);
  }
  isa::RuleSet operator()(const isa::StateStep auto&) const { return {}; }
};

/// Whether `rules` is what the call breaks; only the illegal one breaks any.
std::string Verdict(Judged which, const isa::RuleSet& rules,
                    const isa::RuleSet& right) {
  if (rules != right) return "its rules are not those of the other side";
  if (rules.empty() == (which == Judged::kMinIllegal)) {
    return "the call is not as legal as it is meant to be";
  }
  return "";
}

using isa::DType;
using isa::Operand;
using isa::Position;
using isa::Product;

constexpr std::int64_t kUbBytes = 262144;
using isa::kDataBlockBytes;

/// From block `at` on, as many blocks; to the end of UB without a number.
Operand Blocks(Position position, std::int64_t at, std::int64_t blocks = -1) {
  return Window(
      position, at * kDataBlockBytes,
      blocks < 0 ? kUbBytes - at * kDataBlockBytes : blocks * kDataBlockBytes);
}

/// Where an operand of a vector call is, in DataBlocks.
struct Place {
  std::int64_t at, blk_stride, rep_stride;
};

/// 16-bit lanes, full mask. Windows go up to `bytes` or to the end of UB.
isa::Min MinOf(std::int64_t repeats, Place dst, Place src0, Place src1,
               std::int64_t blocks = -1) {
  isa::Min call;
  call.dtype = DType::kHalf;
  call.dst = Blocks(Position::kVecout, dst.at, blocks);
  call.src0 = Blocks(Position::kVecin, src0.at, blocks);
  call.src1 = Blocks(Position::kVecin, src1.at, blocks);
  call.form = isa::Min::kContiguous;
  call.mask = 128;
  call.repeat_times = repeats;
  call.repeat_params = {.dst_blk_stride = dst.blk_stride,
                        .src0_blk_stride = src0.blk_stride,
                        .src1_blk_stride = src1.blk_stride,
                        .dst_rep_stride = dst.rep_stride,
                        .src0_rep_stride = src0.rep_stride,
                        .src1_rep_stride = src1.rep_stride};
  return call;
}

/// The three operands one after the other, in windows that just hold them.
isa::Min MinApart(std::int64_t repeats, std::int64_t blk_stride,
                  std::int64_t rep_stride) {
  const std::int64_t blocks = (repeats - 1) * rep_stride + 7 * blk_stride + 1;
  const auto place = [&](std::int64_t n) {
    return Place{n * blocks, blk_stride, rep_stride};
  };
  return MinOf(repeats, place(2), place(0), place(1), blocks);
}

/// 128 halves a repeat; `dst`'s repeat stride is in blocks, too.
isa::RepeatReduceSum SumOf(std::int64_t repeats, Place dst, Place src) {
  isa::RepeatReduceSum call;
  call.dtype = DType::kHalf;
  call.dst = Blocks(Position::kVecout, dst.at);
  call.src = Blocks(Position::kVecin, src.at);
  call.repeat = repeats;
  call.elems_in_one_repeat = 128;
  call.src_blk_stride = src.blk_stride;
  call.dst_rep_stride = dst.rep_stride * kDataBlockBytes / 2;
  call.src_rep_stride = src.rep_stride;
  return call;
}

/// Results side by side behind the source.
isa::RepeatReduceSum SumApart(std::int64_t repeats, std::int64_t blk_stride,
                              std::int64_t rep_stride) {
  const std::int64_t blocks = (repeats - 1) * rep_stride + 7 * blk_stride + 1;
  isa::RepeatReduceSum call =
      SumOf(repeats, {blocks, 1, 1}, {0, blk_stride, rep_stride});
  call.src.bytes = blocks * kDataBlockBytes;
  call.dst_rep_stride = 1;
  return call;
}

/// Blocks of one DataBlock from VECIN to VECCALC.
isa::DataCopy CopyOf(std::int64_t blocks, std::int64_t dst_at,
                     std::int64_t src_gap, std::int64_t dst_gap) {
  isa::DataCopy call;
  call.dtype = DType::kHalf;
  call.src = Blocks(Position::kVecin, 0);
  call.dst = Blocks(Position::kVeccalc, dst_at);
  call.form = isa::DataCopy::kParams;
  call.params = {.block_count = blocks,
                 .block_len = 1,
                 .src_gap = src_gap,
                 .dst_gap = dst_gap};
  return call;
}

isa::DataCopy CopyCount() {
  isa::DataCopy call = CopyOf(0, 4096, 0, 0);
  call.form = isa::DataCopy::kCount;
  call.params = {};
  call.count = 32768;
  call.src.bytes = 65536;
  return call;
}

isa::DataCopy CopyApart() {
  isa::DataCopy call = CopyOf(2047, 4096, 1, 1);
  call.src.bytes = 4096 * kDataBlockBytes;
  return call;
}

/// `dst_at` and strides in blocks of 512 bytes.
isa::VecTrans TransOf(std::int64_t repeats, std::int64_t dst_at,
                      std::int64_t stride) {
  isa::VecTrans call;
  call.dtype = DType::kHalf;
  call.src = Blocks(Position::kUb, 0);
  call.dst = Blocks(Position::kUb, dst_at * 16);
  call.repeat_times = repeats;
  call.dst_rep_stride = stride;
  call.src_rep_stride = stride;
  return call;
}

isa::VecTrans TransApart(std::int64_t repeats) {
  isa::VecTrans call = TransOf(repeats, repeats, 1);
  call.src.bytes = repeats * 512;
  return call;
}

}  // namespace

Prepared EmulatorLegality(const Setting& setting, Judged which) {
  const JudgedCall call = CallOf(which);
  auto board = std::make_shared<Board>(call.product, setting.seams);
  auto state = std::make_shared<emulator::State>(
      emulator::State{.product = call.product, .memories = board->memories()});
  Prepared prepared;
  prepared.work = [=, step = call.step] {
    benchmark::DoNotOptimize(std::visit(Judge{board->seams(), *state}, step));
  };
  prepared.check = [=, step = call.step] {
    oracle::Oracle oracle(board->product(), board->memories());
    return Verdict(which, std::visit(Judge{board->seams(), *state}, step),
                   oracle.Execute(step).rules);
  };
  return prepared;
}

Prepared OracleLegality(const Setting& setting, Judged which) {
  const JudgedCall call = CallOf(which);
  auto board = std::make_shared<Board>(call.product, setting.seams);
  auto oracle =
      std::make_shared<oracle::Oracle>(call.product, board->memories());
  Prepared prepared;
  prepared.work = [=, step = call.step] {
    benchmark::DoNotOptimize(oracle->BrokenAnywhere(step));
  };
  prepared.check = [=, step = call.step] {
    return Verdict(which, oracle->BrokenAnywhere(step),
                   board->emulator().Execute(step).rules);
  };
  return prepared;
}

JudgedCall CallOf(Judged which) {
  using enum Judged;
  static const std::map<Judged, isa::Step> calls = {
      {kMinRepeat1, MinApart(1, 1, 8)},
      {kMinRepeat8, MinApart(8, 1, 8)},
      {kMinRepeat255, MinApart(255, 1, 8)},
      {kMinStrided, MinApart(255, 2, 9)},
      {kMinInterleaved, MinOf(255, {2, 3, 24}, {0, 3, 24}, {1, 3, 24})},
      // Sources in even blocks, dst in odd ones.
      {kMinCoprime, MinOf(255, {1, 6, 30}, {0, 2, 14}, {2, 4, 26})},
      {kMinIllegal, MinOf(255, {1, 1, 21}, {0, 1, 13}, {2, 1, 8})},
      {kSumRepeat1, SumApart(1, 1, 8)},
      {kSumRepeat8, SumApart(8, 1, 8)},
      {kSumRepeat255, SumApart(255, 1, 8)},
      {kSumStrided, SumApart(255, 2, 9)},
      {kSumInterleaved, SumOf(255, {1, 1, 16}, {0, 2, 16})},
      {kSumCoprime, SumOf(255, {1, 1, 22}, {0, 2, 14})},
      {kCopyCount, CopyCount()},
      {kCopyBlocks, CopyApart()},
      {kCopyInterleaved, CopyOf(4095, 1, 1, 1)},
      {kCopyCoprime, CopyOf(1365, 1, 3, 5)},
      {kTransRepeat8, TransApart(8)},
      {kTransRepeat255, TransApart(255)},
      {kTransInterleaved, TransOf(255, 1, 2)},
      {kProductApart,
       ProductCall(DType::kFloat, 128, 128, isa::Order::kDocumented)},
  };
  return {which == kProductApart ? Product::kAtlasA2
                                 : Product::kAtlasInferenceAicore,
          calls.at(which)};
}

}  // namespace lanediff::bench
