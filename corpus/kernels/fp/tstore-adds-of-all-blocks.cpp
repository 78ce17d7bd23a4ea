// All blocks add a tile to the same bytes.
#include <pto/pto-inst.hpp>

using namespace pto;

constexpr int kRows = 2, kCols = 8;
static float x[kRows * kCols], y[kRows * kCols];

void Kernel(__gm__ float* in, __gm__ float* out) {
  using In =
      GlobalTensor<float, TileShape2D<float, kRows, kCols>, BaseShape2D<float, kRows, kCols>>;
  In from(in), to(out);
  Tile<TileType::Vec, float, kRows, kCols> src;
  TASSIGN(src, 0x0);
  TLOAD(src, from);
  set_flag(PIPE_MTE2, PIPE_MTE3, EVENT_ID0);
  wait_flag(PIPE_MTE2, PIPE_MTE3, EVENT_ID0);
  TSTORE<decltype(src), In, AtomicType::AtomicAdd>(to, src);
}

int main() {
  for (int i = 0; i < kRows * kCols; ++i) x[i] = i;
  lanediff::Launch(Kernel, 3, lanediff::Gm(x, sizeof x), lanediff::Gm(y, sizeof y));
  for (int i = 0; i < kRows * kCols; ++i) {
    if (y[i] != 3 * i) return 1;
  }
}
