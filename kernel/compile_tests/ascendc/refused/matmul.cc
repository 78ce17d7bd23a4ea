// expect: refused: Matmul (matrix products)
#include "kernel_operator.h"
matmul::Matmul<half, half> product;
