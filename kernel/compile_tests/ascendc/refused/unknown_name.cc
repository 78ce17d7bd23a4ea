// expect: MulsCast
#include "kernel_operator.h"
void kernel(AscendC::LocalTensor<half>& a) { AscendC::MulsCast(a, a, a, 1); }
