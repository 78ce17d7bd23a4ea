// Pattern 14: the result's tile ends beyond UB.
#include <pto/pto-inst.hpp>

using namespace pto;

static float x[256];

void Kernel(__gm__ float* in) {
  using Shaped = GlobalTensor<float, TileShape2D<float, 16, 16>, BaseShape2D<float, 16, 16>>;
  Shaped from(in);
  Tile<TileType::Vec, float, 16, 16> src, tmp;
  Tile<TileType::Vec, float, 16, 1, BLayout::ColMajor> dst;
  TASSIGN(src, 0x0);
  TASSIGN(tmp, 0x1000);
  TASSIGN(dst, 192 * 1024 - 32);  //! KRN-UB-CAPACITY
  TLOAD(src, from);
  set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
  wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
  TROWPROD(dst, src, tmp);  //! TRP-BOUNDS
}

int main() { lanediff::Launch(Kernel, 1, lanediff::Gm(x, sizeof x)); }
// follows: TRP-BOUNDS 19 from KRN-UB-CAPACITY 15
