// expect: MulAddRelu
#include "kernel_operator.h"
void kernel(AscendC::LocalTensor<half>& a) { AscendC::MulAddRelu(a, a, a, 1); }
