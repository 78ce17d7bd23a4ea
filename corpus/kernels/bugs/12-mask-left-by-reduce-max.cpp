// Pattern 12: nobody says what ReduceMax leaves in the mask register.
#include "kernel_operator.h"
using namespace AscendC;

constexpr int kLanes = 64;

void Kernel() {
  TPipe pipe;
  TBuf<> buf;
  pipe.InitBuffer(buf, 3 * kLanes * sizeof(float));
  LocalTensor<float> a = buf.Get<float>(), b = a[kLanes], tmp = a[2 * kLanes];
  Duplicate(a, 1.0f, 2 * kLanes);
  PipeBarrier<PIPE_V>();
  ReduceMax(b, a, tmp, kLanes);
  PipeBarrier<PIPE_V>();
  Muls<float, false>(a, a, 2.0f, MASK_PLACEHOLDER, 1, {1, 1, 8, 8});  //! STATE-MASK-UNKNOWN
}

int main() { lanediff::Launch(Kernel, 1); }
