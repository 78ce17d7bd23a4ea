// Pattern 9: dst of repeat n is a source of repeat n + 1.
#include "kernel_operator.h"
using namespace AscendC;

constexpr int kLanes = 64, kRows = 4;

void Kernel() {
  TPipe pipe;
  TBuf<> buf;
  pipe.InitBuffer(buf, 2 * (kRows + 1) * kLanes * sizeof(float));
  LocalTensor<float> a = buf.Get<float>(), b = a[(kRows + 1) * kLanes];
  Duplicate(a, 1.0f, 2 * (kRows + 1) * kLanes);
  PipeBarrier<PIPE_V>();
  Min(a[kLanes], a, b, kLanes, kRows, {1, 1, 1, 8, 8, 8});  //! MIN-OVERLAP-DEPENDENCY
  PipeBarrier<PIPE_V>();
  Add(a[kLanes], a, b, kLanes, kRows, {1, 1, 1, 8, 8, 8});  //! ADD-OVERLAP-DEPENDENCY
  PipeBarrier<PIPE_V>();
  Adds(a[kLanes], a, 1.0f, kLanes, kRows, {1, 1, 8, 8});  //! ADDS-OVERLAP-DEPENDENCY
}

int main() { lanediff::Launch(Kernel, 1); }
