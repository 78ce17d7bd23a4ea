#ifndef LANEDIFF_ASCENDC_WORDS_H
#define LANEDIFF_ASCENDC_WORDS_H

#include <cstdint>

#include "lanediff/kernel_abi.h"

/// Enumerations of the documents. Those that are parameters of calls can be
/// written out: `WordOf` is null of a number that is no enumerator.

#define LANEDIFF_ENUMERATOR(WORD) WORD,
#define LANEDIFF_WORD(WORD) #WORD,
#define LANEDIFF_WORD_OF(ENUM, WORDS)                                 \
  namespace lanediff::front {                                         \
  constexpr const char* WordOf(ENUM value) {                          \
    constexpr const char* kWords[] = {WORDS(LANEDIFF_WORD)};          \
    const auto number = static_cast<std::uint64_t>(value);            \
    return number < sizeof(kWords) / sizeof(*kWords) ? kWords[number] \
                                                     : nullptr;       \
  }                                                                   \
  }
#define LANEDIFF_ENUM(ENUM, WORDS)                               \
  namespace AscendC {                                            \
  enum class ENUM : std::uint8_t { WORDS(LANEDIFF_ENUMERATOR) }; \
  }                                                              \
  LANEDIFF_WORD_OF(::AscendC::ENUM, WORDS)

#define LANEDIFF_ROUND_MODES(X) \
  X(CAST_NONE)                  \
  X(CAST_RINT)                  \
  X(CAST_FLOOR) X(CAST_CEIL) X(CAST_ROUND) X(CAST_TRUNC) X(CAST_ODD)
LANEDIFF_ENUM(RoundMode, LANEDIFF_ROUND_MODES)

#define LANEDIFF_CMP_MODES(X) X(LT) X(GT) X(EQ) X(LE) X(GE) X(NE)
LANEDIFF_ENUM(CMPMODE, LANEDIFF_CMP_MODES)

#define LANEDIFF_SEL_MODES(X) \
  X(VSEL_CMPMASK_SPR)         \
  X(VSEL_TENSOR_SCALAR_MODE) X(VSEL_TENSOR_TENSOR_MODE)
LANEDIFF_ENUM(SELMODE, LANEDIFF_SEL_MODES)

#define LANEDIFF_REDUCE_ORDERS(X) \
  X(ORDER_VALUE_INDEX)            \
  X(ORDER_INDEX_VALUE) X(ORDER_ONLY_VALUE) X(ORDER_ONLY_INDEX)
LANEDIFF_ENUM(ReduceOrder, LANEDIFF_REDUCE_ORDERS)

#define LANEDIFF_REDUCE_TYPES(X) X(SUM) X(MAX) X(MIN)
LANEDIFF_ENUM(ReduceType, LANEDIFF_REDUCE_TYPES)

#define LANEDIFF_MASK_MODES(X) X(NORMAL) X(COUNTER)
LANEDIFF_ENUM(MaskMode, LANEDIFF_MASK_MODES)

#define LANEDIFF_TRANSPOSE_TYPES(X) \
  X(TRANSPOSE_TYPE_NONE)            \
  X(TRANSPOSE_ND2ND_B16) X(TRANSPOSE_NCHW2NHWC) X(TRANSPOSE_NHWC2NCHW)
LANEDIFF_ENUM(TransposeType, LANEDIFF_TRANSPOSE_TYPES)

/// Source and destination pipe of a flag (SetFlag/WaitFlag(ISASI)).
// clang-format off
#define LANEDIFF_EVENTS(X) \
  X(MTE2_MTE1) X(MTE1_MTE2) X(MTE1_M) X(M_MTE1) X(MTE2_M) X(M_MTE2) \
  X(MTE2_MTE3) X(MTE3_MTE2) X(MTE1_MTE3) X(MTE3_MTE1) X(MTE2_V) X(V_MTE2) \
  X(MTE3_V) X(V_MTE3) X(S_V) X(V_S) X(S_MTE2) X(MTE2_S) \
  X(S_MTE3) X(MTE3_S) X(M_FIX) X(FIX_M) X(MTE1_FIX) X(FIX_MTE1) \
  X(MTE2_FIX) X(FIX_MTE2) X(FIX_MTE3) X(M_V) X(V_M) X(MTE1_V) \
  X(V_MTE1) X(M_S) X(FIX_S)
// clang-format on
LANEDIFF_ENUM(HardEvent, LANEDIFF_EVENTS)

#define LANEDIFF_PIPES(X) \
  X(PIPE_S)               \
  X(PIPE_V)               \
  X(PIPE_M) X(PIPE_MTE1) X(PIPE_MTE2) X(PIPE_MTE3) X(PIPE_ALL) X(PIPE_FIX)
enum pipe_t : std::uint8_t { LANEDIFF_PIPES(LANEDIFF_ENUMERATOR) };
LANEDIFF_WORD_OF(::pipe_t, LANEDIFF_PIPES)

#define LANEDIFF_EVENT_IDS(X) \
  X(EVENT_ID0)                \
  X(EVENT_ID1)                \
  X(EVENT_ID2)                \
  X(EVENT_ID3) X(EVENT_ID4) X(EVENT_ID5) X(EVENT_ID6) X(EVENT_ID7)
enum event_t : std::uint8_t { LANEDIFF_EVENT_IDS(LANEDIFF_ENUMERATOR) };

#undef LANEDIFF_ENUMERATOR
#undef LANEDIFF_WORD
#undef LANEDIFF_WORD_OF
#undef LANEDIFF_ENUM

namespace AscendC {

#define LANEDIFF_USING(WORD) using ::WORD;
LANEDIFF_EVENT_IDS(LANEDIFF_USING)
LANEDIFF_PIPES(LANEDIFF_USING)
#undef LANEDIFF_USING
using ::event_t;
using ::pipe_t;
using TEventID = std::int8_t;

/// Logical positions, as the ABI numbers them.
// clang-format off
#define LANEDIFF_POSITIONS(X) \
  X(GM) X(A1) X(A2) X(B1) X(B2) X(C1) X(C2) X(CO1) X(CO2) X(VECIN) X(VECOUT) \
  X(VECCALC) X(LCM) X(SPM) X(SHM) X(TSCM) X(C2PIPE2GM) X(C2PIPE2LOCAL)
// clang-format on
#define LANEDIFF_POSITION(WORD) WORD = LANEDIFF_##WORD,
enum class TPosition : std::uint8_t {
  LANEDIFF_POSITIONS(LANEDIFF_POSITION) MAX = LANEDIFF_NO_POSITION
};
#undef LANEDIFF_POSITION
#undef LANEDIFF_POSITIONS
using QuePosition = TPosition;

enum class Hardware : std::uint8_t { GM, UB, L1, L0A, L0B, L0C, BIAS, FIXBUF };
enum class CacheMode : std::uint8_t {
  CACHE_MODE_DISABLE,
  CACHE_MODE_NORMAL,
  CACHE_MODE_LAST,
  CACHE_MODE_PERSISTENT
};
enum class CacheRwMode : std::uint8_t { READ = 1, WRITE, RW };
enum class CacheLine : std::uint8_t { SINGLE_CACHE_LINE, ENTIRE_DATA_CACHE };
enum class DcciDst : std::uint8_t {
  CACHELINE_ALL,
  CACHELINE_UB,
  CACHELINE_OUT,
  CACHELINE_ATOMIC
};
enum class MemDsbT : std::uint8_t { ALL, DDR, UB, SEQ };
enum class DataFormat : std::uint8_t {
  ND,
  NZ,
  NCHW,
  NC1HWC0,
  NHWC,
  NCDHW,
  NDC1HWC0,
  FRACTAL_Z
};
enum class SaturationMode : std::uint8_t { FLOAT, CAST };
enum class GatherMaskMode : std::uint8_t { VERSION_V1, VERSION_V2 };

}  // namespace AscendC

#endif  // LANEDIFF_ASCENDC_WORDS_H
