// The flags that the last turns set are never waited for.
// shows: SetFlag MTE3_V 1 sets a flag that nothing waits for
// shows: missing: WaitFlag MTE3_V 1 behind
#define NO_LAST_WAIT
#include "ping_pong.h"
