// The block ends where the queue is empty: what it has not written by then is unknown, and the
// flag that it still waits for follows.
// shows: unknown: 256 bytes that leave the core depend on the call (argument 2, elements 0 to 63)
// follows: SYNC-FLAG-UNWAITED 19 from KRN-QUEUE 20
#include "kernel_operator.h"
#include "tikicpulib.h"
using namespace AscendC;
constexpr int32_t kLen = 64;

void Kernel(GM_ADDR in, GM_ADDR out) {
  TPipe pipe;
  TQue<TPosition::VECIN, 1> qin;
  GlobalTensor<float> x, z;
  x.SetGlobalBuffer((__gm__ float*)in, kLen);
  z.SetGlobalBuffer((__gm__ float*)out, kLen);
  pipe.InitBuffer(qin, 1, kLen * sizeof(float));
  auto a = qin.AllocTensor<float>();
  DataCopy(a, x, kLen);
  SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);  //! SYNC-FLAG-UNWAITED
  a = qin.DeQue<float>();  //! KRN-QUEUE
  WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
  DataCopy(z, a, kLen);
  qin.FreeTensor(a);
}

int main() {
  static float x[kLen], z[kLen];
  lanediff::Launch(Kernel, 1, lanediff::Gm(x, sizeof x), lanediff::Out(z, sizeof z));
}
