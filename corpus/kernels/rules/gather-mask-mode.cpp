// GatherMask ends in normal mode: the call behind it that counts on counter mode has the mode
// wrong, and with the mode set again nothing.
#include "kernel_operator.h"
using namespace AscendC;

void Kernel() {
  TPipe pipe;
  TBuf<> buf;
  pipe.InitBuffer(buf, 2048);
  LocalTensor<float> t = buf.Get<float>();
  Duplicate(t, 1.0f, 512);
  PipeBarrier<PIPE_V>();
  uint64_t kept = 0;
  SetMaskCount();
  SetVectorMask<float, MaskMode::COUNTER>(80);
  GatherMask(t[256], t, (uint8_t)1, true, 4, GatherMaskParams(1, 1, 8, 0), kept);
  PipeBarrier<PIPE_V>();
  Adds<float, false>(t[256], t, 1.0f, MASK_PLACEHOLDER, 1, {1, 1, 8, 8});  //! KRN-MASK-MODE
  PipeBarrier<PIPE_V>();
  SetMaskCount();
  Adds<float, false>(t[256], t, 1.0f, MASK_PLACEHOLDER, 1, {1, 1, 8, 8});
  PipeBarrier<PIPE_V>();
  GatherMask(t[256], t, (uint8_t)1, false, 0, GatherMaskParams(1, 1, 8, 0), kept);
  PipeBarrier<PIPE_V>();
  uint64_t lanes = 64;
  Adds(t[256], t, 1.0f, lanes, 1, {1, 1, 8, 8});
  ResetMask();
}

int main() { lanediff::Launch(Kernel, 1); }
