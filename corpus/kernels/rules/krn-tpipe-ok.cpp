// One TPipe after another: Destroy ends the first.
#include "kernel_operator.h"
using namespace AscendC;

void Kernel() {
  TPipe first;
  first.Destroy();
  TPipe second;
  TBuf<> buf;
  second.InitBuffer(buf, 32);
  Duplicate(buf.Get<float>(), 1.0f, 8);
}

int main() { lanediff::Launch(Kernel, 1); }
