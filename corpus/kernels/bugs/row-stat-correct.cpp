// The right one of row_stat.h.
#include "row_stat.h"
