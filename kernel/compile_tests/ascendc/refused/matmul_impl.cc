// expect: refused: MatmulImpl (matrix products)
#include "kernel_operator.h"
AscendC::MatmulImpl<half, half, float> product;
