// The buffer has no place for the limits: they lie behind its end.
// shows: dst needs 32 bytes from 24608, and its tensor ends at 24576; iteration 0 is the first
// shows: src1 needs 32 bytes from 24608, and its tensor ends at 24576; iteration 0 is the first
#define SMALL_BUFFER
#include "ping_pong.h"
