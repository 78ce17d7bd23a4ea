// The buffer has no place for the limits: they lie behind its end.
// shows: iteration 0 writes 32 bytes at 24608 of UB; the tensor of dst ends at 24576
// shows: src1 needs 32 bytes from 24608, and its tensor ends at 24576; iteration 0 is the first
#define SMALL_BUFFER
#include "ping_pong.h"
