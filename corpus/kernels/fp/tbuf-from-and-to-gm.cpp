// A TBuf has no word of the documented routes, its memory has: KRN-POSITION is a note.
// note KRN-POSITION
#include "kernel_operator.h"
using namespace AscendC;

constexpr int kCount = 512;
static half x[kCount], y[kCount];

void Kernel(GM_ADDR in, GM_ADDR out) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buf;
  GlobalTensor<half> gin, gout;
  gin.SetGlobalBuffer((__gm__ half*)in);
  gout.SetGlobalBuffer((__gm__ half*)out);
  pipe.InitBuffer(buf, kCount * sizeof(half));
  LocalTensor<half> t = buf.Get<half>();
  DataCopy(t, gin, kCount);
  SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
  DataCopy(gout, t, kCount);
}

int main() {
  for (int i = 0; i < kCount; ++i) x[i] = half(float(i));
  lanediff::Launch(Kernel, 1, lanediff::Gm(x, sizeof x), lanediff::Gm(y, sizeof y));
  for (int i = 0; i < kCount; ++i) {
    if (float(y[i]) != float(i)) return 1;
  }
}
