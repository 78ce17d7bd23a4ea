// The results' stride is given in bytes where elements are meant: every other one is never
// written, and copied out.
#define STRIDE_IN_BYTES
#include "row_stat.h"
