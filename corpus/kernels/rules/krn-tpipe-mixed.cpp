// A TPipe beside a static tensor: a note.
// note KRN-TPIPE
#include "kernel_operator.h"
using namespace AscendC;

void Kernel() {
  TPipe pipe;
  LocalTensor<float> t(TPosition::VECCALC, 0, 8);
  Duplicate(t, 1.0f, 8);
}

int main() { lanediff::Launch(Kernel, 1); }
