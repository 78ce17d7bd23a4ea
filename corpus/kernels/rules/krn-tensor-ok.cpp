// A tensor that is given memory before it is used.
#include "kernel_operator.h"
using namespace AscendC;

void Kernel() {
  TPipe pipe;
  TBuf<> buf;
  LocalTensor<float> t;
  pipe.InitBuffer(buf, 32);
  t = buf.Get<float>();
  Duplicate(t, 1.0f, 8);
}

int main() { lanediff::Launch(Kernel, 1); }
