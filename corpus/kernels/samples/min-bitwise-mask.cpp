// The sample of Min with a mask bit by bit, as Compute of a kernel of ours.
#include "kernel_operator.h"
using namespace AscendC;
class KernelMin {
 public:
  __aicore__ inline void Init(GM_ADDR a, GM_ADDR b, GM_ADDR c) {
    ga.SetGlobalBuffer((__gm__ half*)a, 512);
    gb.SetGlobalBuffer((__gm__ half*)b, 512);
    gc.SetGlobalBuffer((__gm__ half*)c, 512);
    pipe.InitBuffer(qa, 1, 1024);
    pipe.InitBuffer(qb, 1, 1024);
    pipe.InitBuffer(qc, 1, 1024);
  }
  __aicore__ inline void Process() {
    LocalTensor<half> a = qa.AllocTensor<half>();
    LocalTensor<half> b = qb.AllocTensor<half>();
    DataCopy(a, ga, 512);
    DataCopy(b, gb, 512);
    qa.EnQue(a);
    qb.EnQue(b);
    Compute();
    LocalTensor<half> c = qc.DeQue<half>();
    DataCopy(gc, c, 512);
    qc.FreeTensor(c);
  }
  __aicore__ inline void Compute() {
    LocalTensor<half> src0Local = qa.DeQue<half>();
    LocalTensor<half> src1Local = qb.DeQue<half>();
    LocalTensor<half> dstLocal = qc.AllocTensor<half>();
    uint64_t mask[2] = {UINT64_MAX, UINT64_MAX};
    AscendC::Min(dstLocal, src0Local, src1Local, mask, 4, {1, 1, 1, 8, 8, 8});
    qc.EnQue(dstLocal);
    qa.FreeTensor(src0Local);
    qb.FreeTensor(src1Local);
  }
  TPipe pipe;
  TQue<QuePosition::VECIN, 1> qa, qb;
  TQue<QuePosition::VECOUT, 1> qc;
  GlobalTensor<half> ga, gb, gc;
};
__global__ __aicore__ void min_kernel(GM_ADDR a, GM_ADDR b, GM_ADDR c) {
  KernelMin op;
  op.Init(a, b, c);
  op.Process();
}
#include <cstdio>

#include "tikicpulib.h"
int main() {
  AscendC::SetKernelMode(KernelMode::AIV_MODE);
  half* a = (half*)AscendC::GmAlloc(1024);
  half* b = (half*)AscendC::GmAlloc(1024);
  half* c = (half*)AscendC::GmAlloc(1024);
  for (int i = 0; i < 512; ++i) {
    a[i] = half((float)(i + 1));
    b[i] = half((float)(513 - i));
  }
  ICPU_RUN_KF(min_kernel, 1, (uint8_t*)a, (uint8_t*)b, (uint8_t*)c);
  std::printf("%g %g %g ... %g\n", (float)c[0], (float)c[1], (float)c[2], (float)c[511]);
  AscendC::GmFree(a);
  AscendC::GmFree(b);
  AscendC::GmFree(c);
}
