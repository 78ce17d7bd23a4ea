// Global memory is filled on MTE3: what reads it waits for that; to the byte into its buffer.
#include "kernel_operator.h"
#include "tikicpulib.h"
using namespace AscendC;

void Kernel(GM_ADDR in) {
  TPipe pipe;
  GlobalTensor<float> gm;
  gm.SetGlobalBuffer((__gm__ float*)in);
  InitGlobalMemory(gm, 63, 1.0f);
  InitOutput<float>(gm[63], 1);
  Fill(gm[1], 64, 2.0f);  //! KRN-BOUNDS
  TBuf<> buf;
  pipe.InitBuffer(buf, 256);
  DataCopy(buf.Get<float>(), gm, 8);  //! SYNC-RAW
  PipeBarrier<PIPE_ALL>();
  DataCopy(buf.Get<float>(), gm, 64);
}

int main() { lanediff::Launch(Kernel, 1, (GM_ADDR)GmAlloc(256)); }
