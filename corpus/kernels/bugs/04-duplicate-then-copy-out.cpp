// Pattern 4: a vector call writes, MTE3 reads, and nothing orders the two.
// note KRN-POSITION
#include "kernel_operator.h"
using namespace AscendC;

constexpr int kCount = 128;
static float y[kCount];

void Kernel(GM_ADDR out) {
  TPipe pipe;
  TBuf<> buf;
  GlobalTensor<float> gout;
  gout.SetGlobalBuffer((__gm__ float*)out);
  pipe.InitBuffer(buf, kCount * sizeof(float));
  LocalTensor<float> t = buf.Get<float>();
  Duplicate(t, 0.0f, kCount);
  DataCopy(gout, t, kCount);  //! SYNC-RAW
}

int main() { lanediff::Launch(Kernel, 1, lanediff::Gm(y, sizeof y)); }
