#ifndef LANEDIFF_PTO_GLOBAL_TENSOR_H
#define LANEDIFF_PTO_GLOBAL_TENSOR_H

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "lanediff/kernel_number.h"
#include "lanediff_pto/words.h"

/// Tensors in GM of five dimensions (GlobalTensor Programming Model); TLOAD and
/// TSTORE use the given numbers.
namespace lanediff::pto_front {

/// Five numbers, each known to the type or DYNAMIC. `Tag` keeps shapes and
/// strides apart.
template <typename Tag, int... kSizes>
class Five {
  static_assert(sizeof...(kSizes) == 5, "there are five dimensions");

 public:
  static constexpr int kStatic[5] = {kSizes...};
  static constexpr std::size_t kDynamic =
      (std::size_t{0} + ... + (kSizes == ::pto::DYNAMIC ? 1 : 0));

  Five() = default;
  /// The dynamic ones in their order, or all five.
  template <
      typename... V,
      std::enable_if_t<(sizeof...(V) > 0) &&
                           (std::is_constructible_v<front::Num, V> && ...),
                       int> = 0>
  // NOLINTNEXTLINE(google-explicit-constructor): as documented
  Five(V... values) {
    static_assert(sizeof...(V) == kDynamic || sizeof...(V) == 5,
                  "as many numbers as dimensions are DYNAMIC, or five");
    const std::int64_t given[] = {front::Num(values)...};
    std::size_t next = 0;
    for (std::size_t k = 0; k < 5; ++k) {
      if (sizeof...(V) == 5) next = k;
      if (kStatic[k] == ::pto::DYNAMIC) sizes_[k] = given[next++];
    }
  }
  template <int... kOther>
  // NOLINTNEXTLINE(google-explicit-constructor): from sizes known or not
  Five(const Five<Tag, kOther...>& other)
      : Five(other.at(0), other.at(1), other.at(2), other.at(3), other.at(4)) {}

  std::int64_t at(std::size_t dimension) const { return sizes_[dimension]; }

 private:
  std::int64_t sizes_[5] = {kSizes...};
};

struct ShapeTag {};
struct StrideTag {};

/// a·b, where either may be DYNAMIC.
constexpr int Product(int a, int b) {
  return a == ::pto::DYNAMIC || b == ::pto::DYNAMIC ? ::pto::DYNAMIC : a * b;
}

}  // namespace lanediff::pto_front

namespace pto {

template <int N1 = DYNAMIC, int N2 = DYNAMIC, int N3 = DYNAMIC,
          int N4 = DYNAMIC, int N5 = DYNAMIC>
struct Shape : lanediff::pto_front::Five<lanediff::pto_front::ShapeTag, N1, N2,
                                         N3, N4, N5> {
  using Shape::Five::Five;
  Shape() = default;
  static constexpr int staticShape[5] = {N1, N2, N3, N4, N5};
};
/// In elements.
template <int S1 = DYNAMIC, int S2 = DYNAMIC, int S3 = DYNAMIC,
          int S4 = DYNAMIC, int S5 = DYNAMIC>
struct Stride : lanediff::pto_front::Five<lanediff::pto_front::StrideTag, S1,
                                          S2, S3, S4, S5> {
  using Stride::Five::Five;
  Stride() = default;
  static constexpr int staticStride[5] = {S1, S2, S3, S4, S5};
};
template <typename... V>
Shape(V...) -> Shape<>;
template <typename... V>
Stride(V...) -> Stride<>;

template <typename T, int rows, int cols, Layout layout = Layout::ND>
struct TileShape2D : Shape<1, 1, 1, rows, cols> {
  static_assert(layout != Layout::NZ,
                "lanediff: TileShape2D of Layout::NZ is refused; ND and DN are "
                "supported");
  using Shape<1, 1, 1, rows, cols>::Shape;
  TileShape2D() = default;
};

/// Strides of the whole of a matrix of rows × cols.
template <typename T, int rows, int cols, Layout layout = Layout::ND>
struct BaseShape2D
    : Stride<lanediff::pto_front::Product(rows, cols),
             lanediff::pto_front::Product(rows, cols),
             lanediff::pto_front::Product(rows, cols),
             layout == Layout::ND ? cols : 1, layout == Layout::ND ? 1 : rows> {
  static_assert(layout != Layout::NZ,
                "lanediff: BaseShape2D of Layout::NZ is refused; ND and DN are "
                "supported");
  using Base =
      Stride<lanediff::pto_front::Product(rows, cols),
             lanediff::pto_front::Product(rows, cols),
             lanediff::pto_front::Product(rows, cols),
             layout == Layout::ND ? cols : 1, layout == Layout::ND ? 1 : rows>;
  BaseShape2D() = default;
  BaseShape2D(std::int64_t r, std::int64_t c)
      : Base(r * c, r * c, r * c, layout == Layout::ND ? c : 1,
             layout == Layout::ND ? 1 : r) {}
};

template <typename Element_, typename Shape_, typename Stride_,
          Layout Layout_ = Layout::ND>
class GlobalTensor {
 public:
  using RawDType = Element_;
  using DType = Element_;
  using Shape = Shape_;
  using Stride = Stride_;
  static constexpr Layout layout = Layout_;

  GlobalTensor() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): as documented
  GlobalTensor(DType* data, const Shape& shape = Shape(),
               const Stride& stride = Stride())
      : data_(data), shape_(shape), stride_(stride) {}

  DType* data() const { return data_; }
  void SetAddr(DType* data) { data_ = data; }
  std::int64_t GetShape(GlobalTensorDim dimension) const {
    return shape_.at(static_cast<std::size_t>(dimension));
  }
  std::int64_t GetStride(GlobalTensorDim dimension) const {
    return stride_.at(static_cast<std::size_t>(dimension));
  }
  template <GlobalTensorDim dimension>
  static constexpr std::int64_t GetShape() {
    return Shape::kStatic[static_cast<int>(dimension)];
  }
  template <GlobalTensorDim dimension>
  static constexpr std::int64_t GetStride() {
    return Stride::kStatic[static_cast<int>(dimension)];
  }

 private:
  DType* data_ = nullptr;
  Shape shape_;
  Stride stride_;
};

}  // namespace pto

#endif  // LANEDIFF_PTO_GLOBAL_TENSOR_H
