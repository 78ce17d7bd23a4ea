// Two elements that go to one place, and one between two places; then each to its own.
#define LANEDIFF_PRODUCT_ATLAS_INFERENCE_AICORE
#include "kernel_operator.h"
using namespace AscendC;

static uint32_t offsets[24] = {0, 2, 4, 2, 0, 0, 0, 0, 0, 2, 5, 8, 0, 0, 0, 0, 6, 2, 4, 0};

void Kernel(GM_ADDR a) {
  TPipe pipe;
  TBuf<> buf;
  pipe.InitBuffer(buf, 1024);
  GlobalTensor<uint32_t> ga;
  ga.SetGlobalBuffer((__gm__ uint32_t*)a, 24);
  LocalTensor<half> h = buf.Get<half>();
  LocalTensor<uint32_t> u = buf.Get<uint32_t>();
  Duplicate(h, half(1), 512);
  SetFlag<HardEvent::V_MTE2>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE2>(EVENT_ID0);
  DataCopy(u[128], ga, 24);
  SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
  WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
  Scatter(h, h[128], u[128], 0, 4);  //! KRN-CONTENTS
  PipeBarrier<PIPE_V>();
  Scatter(h, h[128], u[136], 0, 4);  //! KRN-CONTENTS
  PipeBarrier<PIPE_V>();
  Scatter(h, h[128], u[144], 0, 4);
}

int main() { lanediff::Launch(Kernel, 1, lanediff::Gm(offsets, sizeof offsets)); }
