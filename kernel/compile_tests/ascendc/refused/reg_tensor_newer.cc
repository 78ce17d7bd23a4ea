// expect: refused: RegTensor (register programming)
#include "kernel_operator.h"
AscendC::Reg::RegTensor<half> reg;
