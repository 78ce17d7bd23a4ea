// expect: AbsSub
#include "kernel_operator.h"
void kernel(AscendC::LocalTensor<half>& a) { AscendC::AbsSub(a, a, a, 1); }
