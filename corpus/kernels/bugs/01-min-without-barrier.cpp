// Pattern 1: a call that reads what Min<float, false> computed, with no PIPE_V barrier
// between. The compiler puts one there.
#include "kernel_operator.h"
using namespace AscendC;

constexpr int kCount = 64;
static float x[kCount], y[kCount];

void Kernel(GM_ADDR in, GM_ADDR out) {
  TPipe pipe;
  TBuf<> buf;
  GlobalTensor<float> gin, gout;
  gin.SetGlobalBuffer((__gm__ float*)in);
  gout.SetGlobalBuffer((__gm__ float*)out);
  pipe.InitBuffer(buf, 3 * kCount * sizeof(float));
  LocalTensor<float> a = buf.Get<float>(), b = a[kCount], c = a[2 * kCount];
  DataCopy(a, gin, kCount);
  SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
  WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
  Min<float, false>(b, a, a, MASK_PLACEHOLDER, 1, {1, 1, 1, 8, 8, 8});
  Adds<float, false>(c, b, 1.0f, MASK_PLACEHOLDER, 1, {1, 1, 8, 8});  //! (off) SYNC-RAW
  SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
  DataCopy(gout, c, kCount);
}

int main() { lanediff::Launch(Kernel, 1, lanediff::Gm(x, sizeof x), lanediff::Gm(y, sizeof y)); }
