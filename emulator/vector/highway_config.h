#pragma once

// For which targets Highway compiles; included before any of its headers.

// Those of emulator/vector/target.h and no others; of fuzz programs, which take
// twice as long to compile with all, AVX2, NEON and the fallback.
#ifdef LANEDIFF_FEW_VECTOR_TARGETS
#define LANEDIFF_LEFT_OUT HWY_SSE4 | HWY_AVX3
#else
#define LANEDIFF_LEFT_OUT 0
#endif
#define HWY_DISABLED_TARGETS                                     \
  (HWY_SSSE3 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | \
   LANEDIFF_LEFT_OUT)
// All of them, also those that the compiler may take for granted.
#define HWY_COMPILE_ALL_ATTAINABLE
// The fallback is single lanes everywhere: g++ before 12.3 miscompiles
// Highway's emulated 128-bit vectors.
#define HWY_BROKEN_EMU128 1
