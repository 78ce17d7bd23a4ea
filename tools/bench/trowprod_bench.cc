#include <cstdint>
#include <functional>
#include <memory>

#include "tools/bench/board.h"
#include "tools/bench/calls.h"
#include "tools/bench/works.h"
#include "tools/bench/yardsticks.h"

namespace lanediff::bench {
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

}  // namespace lanediff::bench
