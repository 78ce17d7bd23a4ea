// Products of rows whose tiles have other sizes than what of them is valid.
#include <pto/pto-inst.hpp>

using namespace pto;

constexpr int kRows = 16, kCols = 24, kValidRows = 8, kValidCols = 19;
static float x[kRows * kCols], y[kValidRows];

void Kernel(__gm__ float* in, __gm__ float* out) {
  using In =
      GlobalTensor<float, TileShape2D<float, kRows, kCols>, BaseShape2D<float, kRows, kCols>>;
  using Out =
      GlobalTensor<float, TileShape2D<float, 1, kValidRows>, BaseShape2D<float, 1, kValidRows>>;
  In from(in);
  Out to(out);
  Tile<TileType::Vec, float, kRows, kCols> all;
  Tile<TileType::Vec, float, kRows, kCols, BLayout::RowMajor, kValidRows, kValidCols> src, tmp;
  Tile<TileType::Vec, float, kRows, 1, BLayout::ColMajor, kValidRows, 1> column;
  Tile<TileType::Vec, float, 1, kRows, BLayout::RowMajor, 1, kValidRows> row;
  TASSIGN(all, 0x0);
  TASSIGN(src, 0x0);
  TASSIGN(tmp, 0x1000);
  TASSIGN(column, 0x2000);
  TLOAD(all, from);
  set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
  wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
  TROWPROD(column, src, tmp);
  TRESHAPE(row, column);
  set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
  wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
  TSTORE(to, row);
}

int main() {
  for (int i = 0; i < kRows * kCols; ++i) x[i] = 1 + i % 5 % 2 + (i % 31 == 7);
  lanediff::Launch(Kernel, 1, lanediff::Gm(x, sizeof x), lanediff::Gm(y, sizeof y));
  for (int r = 0; r < kValidRows; ++r) {
    float product = 1;
    for (int c = 0; c < kValidCols; ++c) product *= x[r * kCols + c];
    if (y[r] != product) return 1;
  }
}
