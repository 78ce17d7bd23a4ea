#ifndef LANEDIFF_ASCENDC_TYPES_H
#define LANEDIFF_ASCENDC_TYPES_H

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "lanediff/kernel_abi.h"
#include "lanediff/kernel_half.h"

namespace lanediff::front {

/// Two elements of 4 bits stand in one byte.
struct Int4 {
  std::uint8_t storage;
};

template <typename T>
constexpr std::uint8_t DtypeOf() {
  if constexpr (std::is_same_v<T, SmallFloat<10>>) return LANEDIFF_HALF;
  if constexpr (std::is_same_v<T, SmallFloat<7>>) return LANEDIFF_BFLOAT16;
  if constexpr (std::is_same_v<T, Int4>) return LANEDIFF_INT4;
  if constexpr (std::is_same_v<T, float>) return LANEDIFF_FLOAT;
  if constexpr (std::is_same_v<T, double>) return LANEDIFF_DOUBLE;
  if constexpr (std::is_same_v<T, bool>) return LANEDIFF_UINT8;
  if constexpr (std::is_integral_v<T>) {
    constexpr int size = sizeof(T) == 1   ? 0
                         : sizeof(T) == 2 ? 1
                         : sizeof(T) == 4 ? 2
                                          : 3;
    return static_cast<std::uint8_t>(2 * size + (std::is_signed_v<T> ? 0 : 1));
  }
  return LANEDIFF_NO_DTYPE;
}
static_assert(LANEDIFF_INT8 == 0 && LANEDIFF_UINT16 == 3 &&
              LANEDIFF_UINT64 == 7);

/// Bytes of `elements` elements.
template <typename T>
constexpr std::int64_t BytesOf(std::int64_t elements) {
  if constexpr (std::is_same_v<T, Int4>) return elements / 2;
  return elements * static_cast<std::int64_t>(sizeof(T));
}
template <typename T>
constexpr std::int64_t ElementsOf(std::int64_t bytes) {
  if constexpr (std::is_same_v<T, Int4>) return bytes * 2;
  return bytes / static_cast<std::int64_t>(sizeof(T));
}

/// The element's bits, low end first, and back.
template <typename T>
std::uint64_t BitsOf(const T& value) {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 8,
                "an element has at most 8 bytes");
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(T));
  return bits;
}
template <typename T>
T ValueOf(std::uint64_t bits) {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 8,
                "an element has at most 8 bytes");
  T value;
  std::memcpy(static_cast<void*>(&value), &bits, sizeof(T));
  return value;
}

}  // namespace lanediff::front

using half = lanediff::front::SmallFloat<10>;
using float16_t = half;
using bfloat16_t = lanediff::front::SmallFloat<7>;
using int4b_t = lanediff::front::Int4;

namespace AscendC {
using ::bfloat16_t;
using ::half;
using ::int4b_t;
}  // namespace AscendC

#endif  // LANEDIFF_ASCENDC_TYPES_H
