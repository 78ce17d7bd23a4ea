// Nobody set the mode; with --mask-start ones the run would be clean.
#include "kernel_operator.h"
using namespace AscendC;

void Kernel() {
  LocalTensor<float> t(TPosition::VECCALC, 0, 64);
  Duplicate(t, 1.0f, 64, 1, 1, 8);  //! STATE-MODE-UNKNOWN
}

int main() { lanediff::Launch(Kernel, 1); }
