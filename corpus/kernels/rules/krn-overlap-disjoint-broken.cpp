// Calls whose pages allow sources and results no byte in common; and Select of tensors, which
// takes the last 8 KiB of UB for itself.
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
  Gather(t, t, u[2048], 0, 64);         //! KRN-OVERLAP
  PipeBarrier<PIPE_V>();
  Gatherb(u, u, u[2048], 1, {1, 8});    //! KRN-OVERLAP
  PipeBarrier<PIPE_V>();
  Brcb(t, t, 1, {1, 8});                //! BRCB-OVERLAP
  PipeBarrier<PIPE_V>();
  MrgSort4Info info;
  for (auto& length : info.elementLengths) length = 8;
  info.validBit = 15;
  MrgSortSrcList<float> list(t, t[16], t[32], t[48]);
  MrgSort<float>(t, list, info);        //! KRN-OVERLAP
  PipeBarrier<PIPE_V>();
  Axpy(t, h, half(2), 64);              //! KRN-OVERLAP
  PipeBarrier<PIPE_V>();
  Axpy(t, h[64], half(2), 64, 1, {1, 1, 8, 4});  //! KRN-OVERLAP
  PipeBarrier<PIPE_V>();
  MulAddDst(t, h, h[1024], 64);         //! KRN-OVERLAP
  PipeBarrier<PIPE_V>();
  Select(last, buf.Get<uint8_t>()[8192], t, t[64], SELMODE::VSEL_TENSOR_TENSOR_MODE, 64);  //! KRN-OVERLAP
  PipeBarrier<PIPE_V>();
  Select(t, buf.Get<uint8_t>()[8192], t[128], 1.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, 64);
  PipeBarrier<PIPE_V>();
  Adds(t, last, 1.0f, 64);              //! KRN-OVERLAP
}

int main() { lanediff::Launch(Kernel, 1); }
