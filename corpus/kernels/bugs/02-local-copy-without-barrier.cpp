// Pattern 2: a copy inside UB of what a vector call computed, with no barrier before it.
#include "kernel_operator.h"
using namespace AscendC;

constexpr int kCount = 64;
static half x[kCount], y[kCount];

void Kernel(GM_ADDR in, GM_ADDR out) {
  TPipe pipe;
  TBuf<> buf;
  GlobalTensor<half> gin, gout;
  gin.SetGlobalBuffer((__gm__ half*)in);
  gout.SetGlobalBuffer((__gm__ half*)out);
  pipe.InitBuffer(buf, 3 * kCount * sizeof(half));
  LocalTensor<half> a = buf.Get<half>(), b = a[kCount], c = a[2 * kCount];
  DataCopy(a, gin, kCount);
  SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
  WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
  Muls(b, a, half(2.0f), kCount);
  DataCopy(c, b, kCount);  //! (off) SYNC-RAW
  SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
  DataCopy(gout, c, kCount);
}

int main() { lanediff::Launch(Kernel, 1, lanediff::Gm(x, sizeof x), lanediff::Gm(y, sizeof y)); }
