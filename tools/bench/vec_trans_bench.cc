#include <cstdint>
#include <memory>

#include "isa/vec_trans.h"
#include "tools/bench/board.h"
#include "tools/bench/calls.h"
#include "tools/bench/works.h"
#include "tools/bench/yardsticks.h"

namespace lanediff::bench {

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
