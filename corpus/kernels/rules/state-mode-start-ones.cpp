// The contract's start.
// run: --mask-start ones
#include "kernel_operator.h"
using namespace AscendC;

void Kernel() {
  LocalTensor<float> t(TPosition::VECCALC, 0, 64);
  Duplicate<float, false>(t, 1.0f, MASK_PLACEHOLDER, 1, 1, 8);
}

int main() { lanediff::Launch(Kernel, 1); }
