// A call through a pointer has no place of its own: it is told behind the last one that has.
#include "kernel_operator.h"
using namespace AscendC;

void Apply(const LocalTensor<float>& t,
           void (*function)(const LocalTensor<float>&, const LocalTensor<float>&, const int32_t&)) {
  function(t, t, 8);
}

void Kernel(GM_ADDR in) {
  TPipe pipe;
  TBuf<> buf;
  pipe.InitBuffer(buf, 32);
  GlobalTensor<float> gm;
  gm.SetGlobalBuffer((__gm__ float*)in);
  LocalTensor<float> t = buf.Get<float>();
  DataCopy(t, gm, 8);
  Apply(t, Abs<float>);  //! SYNC-RAW, told behind line 17
}

int main() {
  static float x[8];
  lanediff::Launch(Kernel, 1, lanediff::Gm(x, sizeof x));
}
