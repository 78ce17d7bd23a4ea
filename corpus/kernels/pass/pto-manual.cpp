// PTO with addresses and flags: products of rows.
#include <pto/pto-inst.hpp>

using namespace pto;

constexpr int kRows = 16, kCols = 8;
static float x[kRows * kCols], y[kRows];

void Kernel(__gm__ float* in, __gm__ float* out) {
  using In =
      GlobalTensor<float, TileShape2D<float, kRows, kCols>, BaseShape2D<float, kRows, kCols>>;
  using Out = GlobalTensor<float, TileShape2D<float, 1, kRows>, BaseShape2D<float, 1, kRows>>;
  In from(in);
  Out to(out);
  Tile<TileType::Vec, float, kRows, kCols> src, tmp;
  Tile<TileType::Vec, float, kRows, 1, BLayout::ColMajor> column;
  Tile<TileType::Vec, float, 1, kRows> row;
  TASSIGN(src, 0x0);
  TASSIGN(tmp, 0x1000);
  TASSIGN(column, 0x2000);
  TLOAD(src, from);
  set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
  wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
  TROWPROD(column, src, tmp);
  TRESHAPE(row, column);
  set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
  wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
  TSTORE(to, row);
}

int main() {
  for (int i = 0; i < kRows * kCols; ++i) x[i] = 1 + i % 3;
  lanediff::Launch(Kernel, 1, lanediff::Gm(x, sizeof x), lanediff::Gm(y, sizeof y));
  for (int r = 0; r < kRows; ++r) {
    float product = 1;
    for (int c = 0; c < kCols; ++c) product *= x[r * kCols + c];
    if (y[r] != product) return 1;
  }
}
