// expect: refused: RegTensor (register programming)
#include "kernel_operator.h"
AscendC::MicroAPI::RegTensor<half> reg;
