// Pattern 11: 256 repeats go into a uint8_t.
#include "kernel_operator.h"
using namespace AscendC;

constexpr int kLanes = 64, kRepeats = 256;

void Kernel() {
  TPipe pipe;
  TBuf<> buf;
  pipe.InitBuffer(buf, kRepeats * kLanes * sizeof(float));
  LocalTensor<float> a = buf.Get<float>();
  Duplicate(a, 1.0f, kRepeats * kLanes);
  PipeBarrier<PIPE_V>();
  Min(a, a, a, kLanes, kRepeats, {1, 1, 1, 8, 8, 8});  //! MIN-REPEAT
  Add(a, a, a, kLanes, kRepeats, {1, 1, 1, 8, 8, 8});  //! ADD-REPEAT
  Adds(a, a, 1.0f, kLanes, kRepeats, {1, 1, 8, 8});    //! ADDS-REPEAT
}

int main() { lanediff::Launch(Kernel, 1); }
