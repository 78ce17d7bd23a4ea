// expect: refused: lib/matrix/matmul/matmul.h (matrix products)
#include "lib/matrix/matmul/matmul.h"
