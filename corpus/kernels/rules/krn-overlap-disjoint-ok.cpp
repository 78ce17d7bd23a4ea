// Beside each other; offsets may lie where the result goes, Axpy of one type in place, and what
// a Select has overwritten may be written anew. Mode 0 and no element take nothing for themselves.
#include "kernel_operator.h"
using namespace AscendC;

constexpr int kLast = 196608 - 8192;

void Kernel() {
  TPipe pipe;
  TBuf<> buf, high;
  pipe.InitBuffer(buf, kLast);
  pipe.InitBuffer(high, 8192);
  LocalTensor<float> t = buf.Get<float>();
  LocalTensor<half> h = buf.Get<half>();
  LocalTensor<uint32_t> u = buf.Get<uint32_t>();
  LocalTensor<float> last = high.Get<float>();
  Duplicate(t, 0.0f, 4096);
  Duplicate(last, 1.0f, 64);
  PipeBarrier<PIPE_V>();
  Gather(t, t[64], u, 0, 64);
  PipeBarrier<PIPE_V>();
  Gatherb(u, u[64], u[2048], 1, {1, 8});
  PipeBarrier<PIPE_V>();
  Brcb(t, t[64], 1, {1, 8});
  PipeBarrier<PIPE_V>();
  Duplicate(t, 0.0f, 64);
  PipeBarrier<PIPE_V>();
  MrgSort4Info info;
  for (auto& length : info.elementLengths) length = 8;
  info.validBit = 15;
  MrgSortSrcList<float> list(t, t[16], t[32], t[48]);
  MrgSort<float>(t[64], list, info);
  PipeBarrier<PIPE_V>();
  Axpy(t, h[128], half(2), 64);
  PipeBarrier<PIPE_V>();
  Axpy(t, t, 2.0f, 64);
  PipeBarrier<PIPE_V>();
  MulAddDst(t, h[1024], h[1024], 64);
  PipeBarrier<PIPE_V>();
  Select(last, buf.Get<uint8_t>()[8192], t, t[64], SELMODE::VSEL_CMPMASK_SPR, 64);
  PipeBarrier<PIPE_V>();
  Select(t, buf.Get<uint8_t>()[8192], t[128], 1.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, 64);
  PipeBarrier<PIPE_V>();
  Duplicate(last, 1.0f, 64);
  PipeBarrier<PIPE_V>();
  Select(t, buf.Get<uint8_t>()[8192], t[128], 1.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, 0);
  Adds(t, last, 1.0f, 64);
}

int main() { lanediff::Launch(Kernel, 1); }
