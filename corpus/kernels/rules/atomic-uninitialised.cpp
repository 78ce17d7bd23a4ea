// An accumulating copy reads what it adds to: of device memory that nobody wrote, it has no sum.
#include "kernel_operator.h"
#include "tikicpulib.h"
using namespace AscendC;

void Kernel(GM_ADDR in, GM_ADDR out) {
  TPipe pipe;
  TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
  GlobalTensor<float> x, z;
  x.SetGlobalBuffer((__gm__ float*)in);
  z.SetGlobalBuffer((__gm__ float*)out);
  pipe.InitBuffer(queue, 1, 512);
  LocalTensor<float> t = queue.AllocTensor<float>();
  DataCopy(t, x, 64);
  queue.EnQue(t);
  t = queue.DeQue<float>();
  SetAtomicAdd<float>();
  DataCopy(z, t, 8);  //! INIT
  DataCopyPad(z[16], t, DataCopyExtParams(1, 20, 0, 0, 0));  //! INIT
  DataCopyPad(z[32], t[64], DataCopyExtParams(1, 20, 0, 0, 0));  //! INIT, of the source
  DataCopy(z[48], t, 8);
  SetAtomicNone();
  queue.FreeTensor(t);
}

int main() {
  static float x[64];
  auto* z = (float*)GmAlloc(256);
  for (int i = 32; i < 56; ++i) z[i] = 0;
  lanediff::Launch(Kernel, 1, lanediff::Gm(x, sizeof x), (GM_ADDR)z);
}
