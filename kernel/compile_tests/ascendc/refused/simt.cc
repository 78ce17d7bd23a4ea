// expect: refused: Simt::VF_CALL (SIMT programming)
#include "kernel_operator.h"
void function();
void call() { AscendC::Simt::VF_CALL<function>(1, 2); }
