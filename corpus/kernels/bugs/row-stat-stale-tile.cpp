// From the third tile on a row less is copied in, and eight are summed: the last is what an
// earlier tile left in the queue's buffer.
// shows: computed from bytes that this use of a queue's buffer has not written: DataCopyPad
#define STALE_TILE
#include "row_stat.h"
