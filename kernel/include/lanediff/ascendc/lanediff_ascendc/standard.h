#ifndef LANEDIFF_ASCENDC_STANDARD_H
#define LANEDIFF_ASCENDC_STANDARD_H

#include <tuple>
#include <type_traits>

/// What kernels have of C++'s library.
namespace AscendC::Std {

using std::get;
using std::is_same;
using std::make_tuple;
using std::tuple;

/// Compared in the first one's type.
template <typename T, typename U>
constexpr T min(const T src0, const U src1) {
  const T other = static_cast<T>(src1);
  return other < src0 ? other : src0;
}
template <typename T, typename U>
constexpr T max(const T src0, const U src1) {
  const T other = static_cast<T>(src1);
  return src0 < other ? other : src0;
}

}  // namespace AscendC::Std

namespace AscendC {

template <typename T, typename U>
using IsSameType = std::is_same<T, U>;

}  // namespace AscendC

using float32_t = float;

#endif  // LANEDIFF_ASCENDC_STANDARD_H
