#include <gtest/gtest.h>

#include <cstdint>

#include "emulator/emulator.h"
#include "emulator/vector/random_run.h"

namespace lanediff::emulator {
namespace {

using isa::DType;
using isa::Trowprod;

isa::Tile TileOf(std::int64_t rows, std::int64_t cols) {
  return {.position = isa::Position::kUb,
          .at = 0,
          .rows = rows,
          .cols = cols,
          .valid_row = rows,
          .valid_col = cols,
          .layout = isa::Layout::kNd,
          .dtype = {}};
}

Sample DrawSample(RandomWords& random) {
  Sample s = {.path = Path::kStrided, .legal = true};
  Trowprod call;
  const bool half = Draw(random, 0, 1) == 0;
  call.dtype = s.dtype = half ? DType::kHalf : DType::kFloat;
  const std::int64_t element = half ? 2 : 4;
  const std::int64_t unit = 32 / element;
  call.order = static_cast<isa::Order>(
      Draw(random, 0, static_cast<std::int64_t>(isa::kCount<isa::Order>) - 1));
  if (Draw(random, 0, 2) == 0) {
    s.program.emplace_back(isa::SetSaturation{.enabled = false});
  }
  // Up to seven pairs of repeats, often a whole number of repeats.
  std::int64_t cols = Draw(random, 1, 15 * 256 / element);
  if (Draw(random, 0, 2) == 0) cols = Draw(random, 1, 15) * 256 / element;
  if (Draw(random, 0, 3) == 0) cols = Draw(random, 1, 3 * unit);
  // Enough rows for every number of groups, where the memory has space for
  // them.
  const std::int64_t rows = Draw(random, 1, cols * element <= 1024 ? 67 : 19);
  const std::int64_t padding = Draw(random, 0, 1) * Draw(random, 0, 2) * unit;
  call.src = TileOf(rows, (cols + unit - 1) / unit * unit + padding);
  call.src.valid_col = cols;
  call.tmp = call.src;
  if (Draw(random, 0, 1) == 0) {
    call.dst = TileOf((rows + unit - 1) / unit * unit, 1);
    call.dst.layout = isa::Layout::kDn;
  } else {
    call.dst = TileOf(rows, unit * Draw(random, 1, 2));
  }
  call.dst.valid_row = rows;
  call.src.at = 32 * Draw(random, 0, 3);
  call.dst.at = call.src.at + rows * call.src.cols * element;
  call.tmp.at = call.dst.at + call.dst.rows * call.dst.cols * element;
  s.bytes =
      static_cast<std::size_t>(call.tmp.at + rows * call.src.cols * element);
  if (call.src.cols == cols && call.dst.layout == isa::Layout::kDn) {
    s.path = Path::kContiguous;
  }
  s.program.emplace_back(call);
  return s;
}

TEST(TrowprodVectors, LeaveWhatPlainSeamsLeave) {
  ExpectSameLeft(11, 1500, DrawSample, {101, 301, 0});
}

}  // namespace
}  // namespace lanediff::emulator
