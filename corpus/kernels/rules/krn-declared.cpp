// Beyond the size told, inside the allocation: notes.
// note KRN-DECLARED
#include "kernel_operator.h"
using namespace AscendC;

void Kernel() {
  TPipe pipe;
  TBuf<> buf;
  pipe.InitBuffer(buf, 64);
  LocalTensor<float> t = buf.Get<float>(8);
  Duplicate(t, 1.0f, 16);
}

int main() { lanediff::Launch(Kernel, 1); }
