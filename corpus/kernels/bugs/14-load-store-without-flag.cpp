// Pattern 14: MTE3 stores what MTE2 loads, and no flag stands between.
#include <pto/pto-inst.hpp>

using namespace pto;

static float x[256], y[256];

void Kernel(__gm__ float* in, __gm__ float* out) {
  using Shaped = GlobalTensor<float, TileShape2D<float, 16, 16>, BaseShape2D<float, 16, 16>>;
  Shaped from(in), to(out);
  Tile<TileType::Vec, float, 16, 16> tile;
  TASSIGN(tile, 0x0);
  TLOAD(tile, from);
  TSTORE(to, tile);  //! SYNC-RAW
}

int main() { lanediff::Launch(Kernel, 1, lanediff::Gm(x, sizeof x), lanediff::Gm(y, sizeof y)); }
