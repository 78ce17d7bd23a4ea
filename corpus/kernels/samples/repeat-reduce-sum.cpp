// The complete sample of RepeatReduceSum; main is ours.
// note RRS-PREFER-WHOLE-REDUCE-SUM
#include "kernel_operator.h"
class KernelReduce {
 public:
  __aicore__ inline KernelReduce() {}
  __aicore__ inline void Init(__gm__ uint8_t* src, __gm__ uint8_t* dstGm) {
    srcGlobal.SetGlobalBuffer((__gm__ half*)src);
    dstGlobal.SetGlobalBuffer((__gm__ half*)dstGm);
    repeat = srcDataSize / elemsInOneRepeate;
    pipe.InitBuffer(inQueueSrc, 1, srcDataSize * sizeof(half));
    pipe.InitBuffer(outQueueDst, 1, dstDataSize * sizeof(half));
  }
  __aicore__ inline void Process() {
    CopyIn();
    Compute();
    CopyOut();
  }

 private:
  __aicore__ inline void CopyIn() {
    AscendC::LocalTensor<half> srcLocal = inQueueSrc.AllocTensor<half>();
    AscendC::DataCopy(srcLocal, srcGlobal, srcDataSize);
    inQueueSrc.EnQue(srcLocal);
  }
  __aicore__ inline void Compute() {
    AscendC::LocalTensor<half> srcLocal = inQueueSrc.DeQue<half>();
    AscendC::LocalTensor<half> dstLocal = outQueueDst.AllocTensor<half>();
    AscendC::RepeatReduceSum<half>(dstLocal, srcLocal, repeat, elemsInOneRepeate, 0, 1, 1, 8);
    outQueueDst.EnQue<half>(dstLocal);
    inQueueSrc.FreeTensor(srcLocal);
  }
  __aicore__ inline void CopyOut() {
    AscendC::LocalTensor<half> dstLocal = outQueueDst.DeQue<half>();
    AscendC::DataCopy(dstGlobal, dstLocal, dstDataSize);
    outQueueDst.FreeTensor(dstLocal);
  }

 private:
  AscendC::TPipe pipe;
  AscendC::TQue<AscendC::QuePosition::VECIN, 1> inQueueSrc;
  AscendC::TQue<AscendC::QuePosition::VECOUT, 1> outQueueDst;
  AscendC::GlobalTensor<half> srcGlobal, dstGlobal;
  int srcDataSize = 2048;
  int dstDataSize = 16;
  int elemsInOneRepeate = 128;
  int repeat = 0;
};
extern "C" __global__ __aicore__ void reduce_kernel(__gm__ uint8_t* src, __gm__ uint8_t* dstGm) {
  KernelReduce op;
  op.Init(src, dstGm);
  op.Process();
}

#include <cstdio>

#include "tikicpulib.h"

int main() {
  half* src = (half*)AscendC::GmAlloc(2048 * sizeof(half));
  half* dst = (half*)AscendC::GmAlloc(16 * sizeof(half));
  for (int i = 0; i < 2048; ++i) src[i] = half(1.0f);
  AscendC::SetKernelMode(KernelMode::AIV_MODE);
  ICPU_RUN_KF(reduce_kernel, 1, (uint8_t*)src, (uint8_t*)dst);
  for (int i = 0; i < 16; ++i) std::printf("%g ", (float)dst[i]);
  std::printf("\n");
  AscendC::GmFree(src);
  AscendC::GmFree(dst);
}
