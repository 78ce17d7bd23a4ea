// Offsets that nothing has written: INIT-READ at Gather and Gatherb themselves, whatever becomes of
// the elements.
// shows: Gather reads 32 bytes on V, 4 of which, UB [540,544), nothing has written
// shows: Gatherb reads UB [768,800) on V, which nothing has written
#include "kernel_operator.h"
#include "tikicpulib.h"
using namespace AscendC;

void Kernel(GM_ADDR in) {
  TPipe pipe;
  TBuf<> bufs;
  GlobalTensor<float> x;
  x.SetGlobalBuffer((__gm__ float*)in, 64);
  pipe.InitBuffer(bufs, 2048);
  auto t = bufs.Get<float>();
  auto offsets = t[128].ReinterpretCast<uint32_t>();
  DataCopy(t, x, 64);
  for (uint32_t i = 0; i < 7; ++i) offsets.SetValue(i, 4 * i);
  PipeBarrier<PIPE_ALL>();
  Gather(t[256], t, offsets, 0, 8);                                                                   //! INIT-READ
  Gatherb(t[320].ReinterpretCast<uint32_t>(), t.ReinterpretCast<uint32_t>(), offsets[64], 1, {1, 8});  //! INIT-READ
}

int main() {
  static float x[64];
  lanediff::Launch(Kernel, 1, lanediff::Gm(x, sizeof x));
}
