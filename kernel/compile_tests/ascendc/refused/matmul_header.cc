// expect: refused: lib/matmul_intf.h (matrix products)
#include "lib/matmul_intf.h"
