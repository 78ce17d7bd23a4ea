// Pattern 12: without a TPipe nothing sets the mask register.
#include "kernel_operator.h"
using namespace AscendC;

constexpr int kLanes = 64;

void Kernel() {
  SetMaskNorm();
  LocalTensor<float> a(TPosition::VECCALC, 0, kLanes);
  Duplicate<float, false>(a, 1.0f, MASK_PLACEHOLDER, 1, 1, 8);  //! STATE-MASK-UNKNOWN
}

int main() { lanediff::Launch(Kernel, 1); }
