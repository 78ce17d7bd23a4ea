// expect: option_TILING_HEADER_TYPE_must_name_the_tiling_struct
#include "kernel_operator.h"
void kernel(GM_ADDR tiling) { GET_TILING_DATA(data, tiling); }
