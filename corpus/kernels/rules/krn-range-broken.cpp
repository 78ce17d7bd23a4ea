// 256 repeats, a stride of 256 blocks, a mask of 65 lanes of float.
#include "kernel_operator.h"
using namespace AscendC;

void Kernel() {
  TPipe pipe;
  TBuf<> buf;
  pipe.InitBuffer(buf, 256 * 256);
  LocalTensor<float> t = buf.Get<float>();
  Duplicate(t, 1.0f, 64, 255, 1, 8);
  PipeBarrier<PIPE_V>();
  Adds(t, t, 1.0f, 64, 256, {1, 1, 8, 8});  //! ADDS-REPEAT
  Adds(t, t, 1.0f, 64, -1, {1, 1, 8, 8});   //! ADDS-REPEAT
  Adds(t, t, 1.0f, 64, 1, {1, 1, 8, 256});  //! ADDS-STRIDE-RANGE
  Adds(t, t, 1.0f, 65, 1, {1, 1, 8, 8});    //! ADDS-MASK-CONTIGUOUS
}

int main() { lanediff::Launch(Kernel, 1); }
