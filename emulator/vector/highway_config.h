#pragma once

// For which targets Highway compiles; included before any of its headers.

// Those of emulator/vector/target.h and no others.
#define HWY_DISABLED_TARGETS \
  (HWY_SSSE3 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
// All of them, also those that the compiler may take for granted.
#define HWY_COMPILE_ALL_ATTAINABLE
// The fallback is single lanes everywhere: g++ before 12.3 miscompiles
// Highway's emulated 128-bit vectors.
#define HWY_BROKEN_EMU128 1
