// Pattern 12: a row maximum of 16 lanes leaves its mask, and the next call takes the
// register for all ones.
#include "kernel_operator.h"
using namespace AscendC;

constexpr int kLanes = 64;

void Kernel() {
  TPipe pipe;
  TBuf<> buf;
  pipe.InitBuffer(buf, 2 * kLanes * sizeof(float));
  LocalTensor<float> a = buf.Get<float>(), b = a[kLanes];
  Duplicate(a, 1.0f, 2 * kLanes);
  PipeBarrier<PIPE_V>();
  WholeReduceMax<float>(b, a, 16, 1, 1, 1, 8, ReduceOrder::ORDER_ONLY_VALUE);
  PipeBarrier<PIPE_V>();
  Muls<float, false>(a, a, 2.0f, MASK_PLACEHOLDER, 1, {1, 1, 8, 8});  //! STATE-MASK-LEFTOVER
}

int main() { lanediff::Launch(Kernel, 1); }
