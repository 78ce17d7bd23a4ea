#include <cstdint>
#include <memory>

#include "isa/data_copy.h"
#include "isa/state.h"
#include "tools/bench/board.h"
#include "tools/bench/calls.h"
#include "tools/bench/works.h"
#include "tools/bench/yardsticks.h"

namespace lanediff::bench {
namespace {

isa::DataCopy Call(isa::Position src, std::int64_t src_bytes, isa::Position dst,
                   std::int64_t dst_at, std::int64_t dst_bytes) {
  isa::DataCopy call;
  call.dtype = isa::DType::kHalf;
  call.src = Window(src, 0, src_bytes);
  call.dst = Window(dst, dst_at, dst_bytes);
  return call;
}

}  // namespace

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

}  // namespace lanediff::bench
