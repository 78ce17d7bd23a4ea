#include <cstdint>
#include <functional>
#include <memory>

#include "bench/board.h"
#include "bench/works.h"
#include "bench/yardsticks.h"
#include "isa/memory_map.h"
#include "isa/trowprod.h"

namespace lanediff::bench {
namespace {

using isa::DType;

constexpr std::int64_t kDst = 131072;

isa::Trowprod Call(DType type, std::int64_t rows, std::int64_t cols,
                   isa::Order order) {
  isa::Trowprod call;
  call.dtype = type;
  call.order = order;
  call.src = {.position = isa::Position::kUb,
              .at = 0,
              .rows = rows,
              .cols = cols,
              .valid_row = rows,
              .valid_col = cols,
              .layout = isa::Layout::kNd,
              .dtype = {}};
  call.tmp = call.src;
  call.tmp.at = rows * cols * isa::SizeBytes(type);
  call.dst = {.position = isa::Position::kUb,
              .at = kDst,
              .rows = rows,
              .cols = 1,
              .valid_row = rows,
              .valid_col = 1,
              .layout = isa::Layout::kDn,
              .dtype = {}};
  return call;
}

}  // namespace

Prepared RowProducts(const Setting& setting, DType type, std::int64_t rows,
                     std::int64_t cols, isa::Order order, Data data) {
  auto board = std::make_shared<Board>(isa::Product::kAtlasA2, setting.seams);
  const auto r = static_cast<std::size_t>(rows);
  const auto c = static_cast<std::size_t>(cols);
  std::function<void()> fold;
  if (type == DType::kHalf) {
    FillHalves(board->Ub<std::uint16_t>(0, r * c), data, 4);
    fold = [=] {
      LeftFoldHalfScalar(board->Ub<std::uint16_t>(kDst),
                         board->Ub<std::uint16_t>(0), r, c);
    };
  } else {
    FillFloats(board->Ub<float>(0, r * c), data, 4);
    fold = [=] {
      LeftFoldFloatScalar(board->Ub<float>(kDst), board->Ub<float>(0), r, c);
    };
  }
  // Only the left fold itself gives the yardstick's bits.
  return OnEmulator(board, {Call(type, rows, cols, order)}, fold,
                    order == isa::Order::kLeftFold);
}

}  // namespace lanediff::bench
