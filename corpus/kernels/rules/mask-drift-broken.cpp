// The first turn runs under the mask of the TPipe, and in normal mode; the others under what
// the turn before has set. One whose mask ResetMask had set runs under the mask of another call.
#include "kernel_operator.h"
using namespace AscendC;

constexpr int kLanes = 64;
static float y[kLanes * 3];

void Kernel(GM_ADDR out) {
  TPipe pipe;
  TBuf<> buf;
  GlobalTensor<float> gout;
  gout.SetGlobalBuffer((__gm__ float*)out, kLanes * 3);
  pipe.InitBuffer(buf, kLanes * 3 * sizeof(float));
  LocalTensor<float> a = buf.Get<float>();
  Duplicate(a, 1.0f, kLanes * 3);
  PipeBarrier<PIPE_V>();
  LocalTensor<float> b = a[kLanes], c = a[2 * kLanes];
  for (int i = 0; i < 2; ++i) {
    Adds<float, false>(a, a, 1.0f, MASK_PLACEHOLDER, 1, {1, 1, 8, 8});  //! MASK-DRIFT
    SetVectorMask<float>(0, 0xff);
    Muls<float, false>(b, b, 2.0f, MASK_PLACEHOLDER, 1, {1, 1, 8, 8});
    PipeBarrier<PIPE_V>();
  }
  ResetMask();
  for (int i = 0; i < 2; ++i) {
    Mins<float, false>(a, a, 9.0f, MASK_PLACEHOLDER, 1, {1, 1, 8, 8});  //! MASK-DRIFT
    PipeBarrier<PIPE_V>();
    SetVectorMask<float>(0, 0xf);
    Maxs<float, false>(b, b, 1.0f, MASK_PLACEHOLDER, 1, {1, 1, 8, 8});
    PipeBarrier<PIPE_V>();
  }
  ResetMask();
  for (int i = 0; i < 2; ++i) {
    Max(c, c, a, 32, 1, {1, 1, 1, 8, 8, 8});  //! MASK-DRIFT
    PipeBarrier<PIPE_V>();
    SetMaskCount();
  }
  SetMaskNorm();
  ResetMask();
  SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
  DataCopy(gout, a, kLanes * 3);
}

int main() { lanediff::Launch(Kernel, 1, lanediff::Gm(y, sizeof y)); }
