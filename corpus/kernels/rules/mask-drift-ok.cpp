// A call runs under masks that one place sets, of different values, and under the same mask
// that two places set; in counter mode it sets back what it found. A function that is called
// under a mask that each caller sets for it runs under masks of several places, as meant.
#include "kernel_operator.h"
using namespace AscendC;

constexpr int kLanes = 64;
static float y[kLanes * 2];

void Double(const LocalTensor<float>& a) {
  Muls<float, false>(a, a, 2.0f, MASK_PLACEHOLDER, 1, {1, 1, 8, 8});
  PipeBarrier<PIPE_V>();
  Adds<float, false>(a, a, 1.0f, MASK_PLACEHOLDER, 1, {1, 1, 8, 8});
  PipeBarrier<PIPE_V>();
}

void Kernel(GM_ADDR out) {
  TPipe pipe;
  TBuf<> buf;
  GlobalTensor<float> gout;
  gout.SetGlobalBuffer((__gm__ float*)out, kLanes * 2);
  pipe.InitBuffer(buf, kLanes * 2 * sizeof(float));
  LocalTensor<float> a = buf.Get<float>();
  Duplicate(a, 1.0f, kLanes * 2);
  PipeBarrier<PIPE_V>();
  LocalTensor<float> b = a[kLanes];
  for (int i = 0; i < 3; ++i) {
    SetVectorMask<float>(0, 0xff << i);
    Adds<float, false>(a, a, 1.0f, MASK_PLACEHOLDER, 1, {1, 1, 8, 8});
    PipeBarrier<PIPE_V>();
  }
  ResetMask();
  for (int i = 0; i < 3; ++i) {
    Muls<float, false>(b, b, 2.0f, MASK_PLACEHOLDER, 1, {1, 1, 8, 8});
    PipeBarrier<PIPE_V>();
    SetVectorMask<float>(0, 0xff);
    Adds<float, false>(a, a, 1.0f, MASK_PLACEHOLDER, 1, {1, 1, 8, 8});
    PipeBarrier<PIPE_V>();
    ResetMask();
  }
  SetMaskCount();
  SetVectorMask<float, MaskMode::COUNTER>(0, 48);
  for (int i = 0; i < 2; ++i) {
    Max<float, false>(b, b, a, MASK_PLACEHOLDER, 1, {1, 1, 1, 8, 8, 8});
    PipeBarrier<PIPE_V>();
    Min<float, false>(b, b, a, MASK_PLACEHOLDER, 1, {1, 1, 1, 8, 8, 8});
    PipeBarrier<PIPE_V>();
  }
  SetVectorMask<float, MaskMode::COUNTER>(0, 32);
  Double(a);
  SetVectorMask<float, MaskMode::COUNTER>(0, 16);
  Double(b);
  SetMaskNorm();
  ResetMask();
  for (int i = 0; i < 3; ++i) {
    if (i < 2) {
      SetVectorMask<float>(0, ~0ULL);
    } else {
      SetVectorMask<float>(0, 0xff);
    }
    Maxs<float, false>(a, a, 1.0f, MASK_PLACEHOLDER, 1, {1, 1, 8, 8});
    PipeBarrier<PIPE_V>();
  }
  ResetMask();
  SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
  DataCopy(gout, a, kLanes * 2);
}

int main() { lanediff::Launch(Kernel, 1, lanediff::Gm(y, sizeof y)); }
