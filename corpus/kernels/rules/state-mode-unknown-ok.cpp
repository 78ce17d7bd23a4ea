// Mode and register are set before the first masked call, without a TPipe.
#include "kernel_operator.h"
using namespace AscendC;

void Kernel() {
  LocalTensor<float> t(TPosition::VECCALC, 0, 64);
  SetMaskNorm();
  Duplicate(t, 1.0f, 64, 1, 1, 8);
  PipeBarrier<PIPE_V>();
  ResetMask();
  Adds<float, false>(t, t, 1.0f, MASK_PLACEHOLDER, 1, {1, 1, 8, 8});
}

int main() { lanediff::Launch(Kernel, 1); }
