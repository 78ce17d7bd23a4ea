// A call that is known and not executed stops its block.
// status 2
#include "kernel_operator.h"
using namespace AscendC;

void Kernel() {
  TPipe pipe;
  TBuf<> buf;
  pipe.InitBuffer(buf, 32);
  Duplicate(buf.Get<float>(), 1.0f, 8);
  CrossCoreSetFlag<0, PIPE_MTE3>(0);
  Duplicate(buf.Get<float>()[1], 1.0f, 8);
}

int main() { lanediff::Launch(Kernel, 1); }
