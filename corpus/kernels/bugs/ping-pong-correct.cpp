// The right one of ping_pong.h.
#include "ping_pong.h"
