#ifndef LANEDIFF_PTO_WORDS_H
#define LANEDIFF_PTO_WORDS_H

#include <cstdint>

#include "lanediff_ascendc/product.h"
#include "lanediff_ascendc/types.h"
#include "lanediff_ascendc/words.h"

/// Qualifiers and enumerations of PTO.

#ifndef AICORE
#define AICORE
#endif
#define PTO_INST inline
#define PTO_INTERNAL inline
#define __in__
#define __out__
/// The device's word; a host's compiler may have another type of this name.
#define __fp16 half

namespace pto {

/// A size that is known only when the kernel runs.
inline constexpr int DYNAMIC = -1;

enum class TileType : std::uint8_t {
  Vec,
  Mat,
  Left,
  Right,
  Acc,
  Bias,
  Scaling
};
enum class BLayout : std::uint8_t { RowMajor, ColMajor };
enum class SLayout : std::uint8_t { NoneBox, RowMajor, ColMajor };
enum class PadValue : std::uint8_t { Null, Zero, Max, Min };
enum class Layout : std::uint8_t { ND, DN, NZ };
enum class AtomicType : std::uint8_t { AtomicNone, AtomicAdd };
enum class GlobalTensorDim : std::uint8_t {
  DIM_0,
  DIM_1,
  DIM_2,
  DIM_3,
  DIM_4,
  TOTAL_DIM
};

struct TileConfig {
  static constexpr int alignedSize = 32;
  static constexpr int fractalABSize = 512;
  static constexpr int fractalCSize = 1024;
};

}  // namespace pto

#endif  // LANEDIFF_PTO_WORDS_H
