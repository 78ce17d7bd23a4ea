// t[i] of one buffer, filled and read in pieces that share no byte: nothing between them.
// note KRN-POSITION
#include "kernel_operator.h"
using namespace AscendC;

constexpr int kPiece = 128;
static float x[2 * kPiece], y[2 * kPiece];

void Kernel(GM_ADDR in, GM_ADDR out) {
  TPipe pipe;
  TBuf<> buf;
  GlobalTensor<float> gin, gout;
  gin.SetGlobalBuffer((__gm__ float*)in);
  gout.SetGlobalBuffer((__gm__ float*)out);
  pipe.InitBuffer(buf, 4 * kPiece * sizeof(float));
  LocalTensor<float> t = buf.Get<float>();
  DataCopy(t, gin, kPiece);
  DataCopy(t[kPiece], gin[kPiece], kPiece);
  SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
  WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
  Muls(t[2 * kPiece], t, 2.0f, kPiece);
  Muls(t[3 * kPiece], t[kPiece], 3.0f, kPiece);
  SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
  DataCopy(gout, t[2 * kPiece], kPiece);
  DataCopy(gout[kPiece], t[3 * kPiece], kPiece);
}

int main() {
  for (int i = 0; i < 2 * kPiece; ++i) x[i] = i;
  lanediff::Launch(Kernel, 1, lanediff::Gm(x, sizeof x), lanediff::Gm(y, sizeof y));
  for (int i = 0; i < 2 * kPiece; ++i) {
    if (y[i] != i * (i < kPiece ? 2 : 3)) return 1;
  }
}
