// UB of 192 KiB, handed out to its last byte.
#include "kernel_operator.h"
using namespace AscendC;

void Kernel() {
  TPipe pipe;
  TBuf<> big, rest;
  pipe.InitBuffer(big, 192 * 1024 - 32);
  pipe.InitBuffer(rest, 32);
  Duplicate(rest.Get<float>(), 1.0f, 8);
}

int main() { lanediff::Launch(Kernel, 1); }
