// The sample of DataCopy. It declares inQueueSrc and uses inQueueSrc0, and gives the global
// tensors no memory: the macro, two SetGlobalBuffer, the kernel around it and main are ours.
// It has no synchronization at all.
// note DC-ROUTE-EXAMPLE
// note KRN-QUEUE-LEFT
#include "kernel_operator.h"
#define inQueueSrc0 inQueueSrc
extern "C" __global__ __aicore__ void copy_kernel(GM_ADDR src, GM_ADDR dst) {
  AscendC::TPipe pipe;
  AscendC::TQue<AscendC::TPosition::VECIN, 1> inQueueSrc;
  AscendC::TQue<AscendC::TPosition::VECOUT, 1> outQueueDst;
  AscendC::GlobalTensor<half> srcGlobal, dstGlobal;
  srcGlobal.SetGlobalBuffer((__gm__ half*)src);
  dstGlobal.SetGlobalBuffer((__gm__ half*)dst);
  pipe.InitBuffer(inQueueSrc, 1, 512 * sizeof(half));
  pipe.InitBuffer(outQueueDst, 1, 512 * sizeof(half));
  AscendC::LocalTensor<half> srcLocal = inQueueSrc0.AllocTensor<half>();
  AscendC::LocalTensor<half> dstLocal = outQueueDst.AllocTensor<half>();
  AscendC::DataCopy(srcLocal, srcGlobal, 512);
  AscendC::DataCopy(dstLocal, srcLocal, 512);   //! SYNC-RAW
  AscendC::DataCopy(dstGlobal, dstLocal, 512);  //! SYNC-RAW
}
#include <cstdio>

#include "tikicpulib.h"
int main() {
  half* src = (half*)AscendC::GmAlloc(1024);
  half* dst = (half*)AscendC::GmAlloc(1024);
  for (int i = 0; i < 512; ++i) src[i] = half((float)(i + 1));
  AscendC::SetKernelMode(KernelMode::AIV_MODE);
  ICPU_RUN_KF(copy_kernel, 1, (uint8_t*)src, (uint8_t*)dst);
  int same = 0;
  for (int i = 0; i < 512; ++i) same += (float)dst[i] == i + 1;
  std::printf("%d equal\n", same);
  AscendC::GmFree(src);
  AscendC::GmFree(dst);
}
