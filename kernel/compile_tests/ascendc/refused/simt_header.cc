// expect: refused: simt_api/asc_simt.h (SIMT programming)
#include "simt_api/asc_simt.h"
