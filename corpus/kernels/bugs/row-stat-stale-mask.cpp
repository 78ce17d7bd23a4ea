// Max takes its mask from the register: all ones in the first tile, and in the others what
// the end of the tile before has set for Add.
// shows: Max runs under mask 0x0 0xff that SetVectorMask
// shows: set; before, it ran under that of Duplicate
#define STALE_MASK
#include "row_stat.h"
