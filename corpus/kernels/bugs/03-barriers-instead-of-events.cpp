// Pattern 3: barriers of MTE2 and MTE3 order each pipe by itself. In goes by MTE2, out by
// MTE3, and the next turn's copy in overwrites what is still going out.
// note KRN-POSITION
#include "kernel_operator.h"
using namespace AscendC;

constexpr int kTile = 64;
static float x[2 * kTile], y[2 * kTile];

void Kernel(GM_ADDR in, GM_ADDR out) {
  TPipe pipe;
  TBuf<> buf;
  GlobalTensor<float> gin, gout;
  gin.SetGlobalBuffer((__gm__ float*)in);
  gout.SetGlobalBuffer((__gm__ float*)out);
  pipe.InitBuffer(buf, kTile * sizeof(float));
  LocalTensor<float> t = buf.Get<float>();
  for (int i = 0; i < 2; ++i) {
    DataCopy(t, gin[i * kTile], kTile);  //! SYNC-WAR
    PipeBarrier<PIPE_MTE2>();
    DataCopy(gout[i * kTile], t, kTile);  //! SYNC-RAW
    PipeBarrier<PIPE_MTE3>();
  }
}

int main() { lanediff::Launch(Kernel, 1, lanediff::Gm(x, sizeof x), lanediff::Gm(y, sizeof y)); }
