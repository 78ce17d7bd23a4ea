#ifndef LANEDIFF_ASCENDC_TENSOR_H
#define LANEDIFF_ASCENDC_TENSOR_H

#include <cstdint>
#include <type_traits>

#include "lanediff/kernel_number.h"
#include "lanediff_ascendc/types.h"
#include "lanediff_ascendc/words.h"

namespace AscendC {

using TTagType = std::int32_t;

/// LocalTensor · SetShapeInfo: dimensions that a program keeps with a tensor;
/// no call looks at them.
struct ShapeInfo {
  static constexpr int kMaxDimensions = 8;
  ShapeInfo() = default;
  ShapeInfo(lanediff::front::Num dimensions, const std::uint32_t sizes[],
            lanediff::front::Num original_dimensions,
            const std::uint32_t original_sizes[],
            DataFormat format = DataFormat::ND)
      : shapeDim(static_cast<std::uint8_t>(dimensions)),
        originalShapeDim(static_cast<std::uint8_t>(original_dimensions)),
        dataFormat(format) {
    for (int i = 0; i < kMaxDimensions; ++i) {
      if (i < shapeDim) shape[i] = sizes[i];
      if (i < originalShapeDim) originalShape[i] = original_sizes[i];
    }
  }
  ShapeInfo(lanediff::front::Num dimensions, const std::uint32_t sizes[],
            DataFormat format = DataFormat::ND)
      : ShapeInfo(dimensions, sizes, dimensions, sizes, format) {}

  std::uint8_t shapeDim = 0;
  std::uint8_t originalShapeDim = 0;
  std::uint32_t shape[kMaxDimensions] = {};
  std::uint32_t originalShape[kMaxDimensions] = {};
  DataFormat dataFormat = DataFormat::ND;
};

}  // namespace AscendC

namespace lanediff::front {

/// `tensor(i)`: reads and writes the element where it is used like one.
template <typename T>
class Element {
 public:
  Element(const lanediff_tensor& tensor, std::int64_t index, lanediff_site site)
      : operand_{"src", tensor, DtypeOf<T>()}, index_(index), site_(site) {}
  // NOLINTNEXTLINE(google-explicit-constructor): stands for an element
  operator T() const {
    return ValueOf<T>(lanediff_get_value(&operand_, index_, site_));
  }
  template <typename U = T, std::enable_if_t<kIsSmallFloat<U>, int> = 0>
  // NOLINTNEXTLINE(google-explicit-constructor): as half's own
  operator float() const {
    return static_cast<float>(static_cast<T>(*this));
  }
  Element& operator=(const T& value) {
    operand_.name = "dst";
    lanediff_set_value(&operand_, index_, BitsOf(value), site_);
    operand_.name = "src";
    return *this;
  }
  Element& operator=(const Element& other) {
    return *this = static_cast<T>(other);
  }
  Element(const Element&) = default;
  Element& operator+=(const T& by) {
    return *this = static_cast<T>(*this) + by;
  }
  Element& operator-=(const T& by) {
    return *this = static_cast<T>(*this) - by;
  }
  Element& operator*=(const T& by) {
    return *this = static_cast<T>(*this) * by;
  }
  Element& operator/=(const T& by) {
    return *this = static_cast<T>(*this) / by;
  }

 private:
  lanediff_operand operand_;
  std::int64_t index_;
  lanediff_site site_;
};

/// What LocalTensor and GlobalTensor have in common: a value that names bytes.
template <typename Derived, typename T>
class Tensor {
 public:
  using PrimType = T;

  T GetValue(Num offset, LANEDIFF_SITE) const {
    const lanediff_operand src = {"src", tensor_, DtypeOf<T>()};
    return ValueOf<T>(lanediff_get_value(&src, offset, lanediff_site_));
  }
  void SetValue(Num offset, const Same<T>& value, LANEDIFF_SITE) const {
    const lanediff_operand dst = {"dst", tensor_, DtypeOf<T>()};
    lanediff_set_value(&dst, offset, BitsOf<T>(value), lanediff_site_);
  }
  /// From element `offset` to the same end.
  Derived operator[](Num offset) const {
    Derived result(static_cast<const Derived&>(*this));
    const std::int64_t bytes = BytesOf<T>(offset);
    result.tensor_.at += static_cast<std::uint64_t>(bytes);
    result.tensor_.window -= bytes;
    if (tensor_.declared >= 0) {
      result.tensor_.declared =
          tensor_.declared > bytes ? tensor_.declared - bytes : 0;
    }
    return result;
  }
  Element<T> operator()(Num offset, LANEDIFF_SITE) const {
    return Element<T>(tensor_, offset, lanediff_site_);
  }
  /// Where the elements are in this process; see lanediff_address.
  T* GetPhyAddr(LANEDIFF_SITE) const {
    return static_cast<T*>(lanediff_address(tensor_, lanediff_site_));
  }
  void SetShapeInfo(const AscendC::ShapeInfo& info) { shape_ = info; }
  AscendC::ShapeInfo GetShapeInfo() const { return shape_; }
  const lanediff_tensor& lanediff_tensor_of() const { return tensor_; }

 protected:
  Tensor() = default;
  explicit Tensor(const lanediff_tensor& tensor) : tensor_(tensor) {}
  lanediff_tensor tensor_ = {};
  AscendC::ShapeInfo shape_;
};

/// src0 + src1, before it is known where to.
template <typename T>
struct [[nodiscard]] OfTwo {
  const char* name;
  lanediff_tensor src0;
  lanediff_tensor src1;
  int counted;  ///< by the call's count, of an element
};
/// src0 < src1 and its like.
template <typename T>
struct [[nodiscard]] Comparison {
  AscendC::CMPMODE mode;
  lanediff_tensor src0;
  lanediff_tensor src1;
  std::int64_t count;
};

}  // namespace lanediff::front

namespace AscendC {

template <typename T>
class LocalTensor : public lanediff::front::Tensor<LocalTensor<T>, T> {
  using Base = lanediff::front::Tensor<LocalTensor<T>, T>;
  using Num = lanediff::front::Num;

 public:
  LocalTensor() = default;
  explicit LocalTensor(const lanediff_tensor& tensor) : Base(tensor) {}
  /// Of `tileSize` elements at address `addr`.
  LocalTensor(TPosition position, Num addr, Num tileSize, LANEDIFF_SITE)
      : Base(lanediff_local_tensor(static_cast<std::uint8_t>(position), addr,
                                   lanediff::front::BytesOf<T>(tileSize),
                                   lanediff_site_)) {}

  using Base::GetPhyAddr;
  T* GetPhyAddr(Num offset, LANEDIFF_SITE) const {
    return (*this)[offset].GetPhyAddr(lanediff_site_);
  }
  /// In elements; as declared, else to the end of the allocation.
  std::uint32_t GetSize() const {
    return static_cast<std::uint32_t>(lanediff::front::ElementsOf<T>(Bytes()));
  }
  void SetSize(Num elements) {
    this->tensor_.declared = lanediff::front::BytesOf<T>(elements);
  }
  /// In bytes.
  std::uint32_t GetLength() const {
    return static_cast<std::uint32_t>(Bytes());
  }
  void SetBufferLen(Num bytes) { this->tensor_.declared = bytes; }
  std::int32_t GetPosition() const { return this->tensor_.position; }
  template <typename U>
  LocalTensor<U> ReinterpretCast() const {
    LocalTensor<U> result(this->tensor_);
    result.SetShapeInfo(this->shape_);
    result.SetUserTag(tag_);
    return result;
  }
  /// Becomes what `src` is from byte `offset` elements of T on.
  template <typename U>
  void SetAddrWithOffset(LocalTensor<U>& src, Num offset) {
    this->tensor_ =
        LocalTensor<T>(src.lanediff_tensor_of())[offset].lanediff_tensor_of();
  }
  void SetUserTag(TTagType tag) { tag_ = tag; }
  TTagType GetUserTag() const { return tag_; }
  /// dst = src0 + src1, and likewise - and *: the form with a count, of all of
  /// dst. An operator has no place.
  LocalTensor& operator=(const lanediff::front::OfTwo<T>& call);
  template <typename S>
  LocalTensor& operator=(const lanediff::front::Comparison<S>& call);

 private:
  std::int64_t Bytes() const {
    const lanediff_tensor& tensor = this->tensor_;
    if (tensor.declared >= 0) return tensor.declared;
    return tensor.window > 0 ? tensor.window : 0;
  }
  TTagType tag_ = 0;
};

template <typename T>
class GlobalTensor : public lanediff::front::Tensor<GlobalTensor<T>, T> {
  using Base = lanediff::front::Tensor<GlobalTensor<T>, T>;
  using Num = lanediff::front::Num;

 public:
  void SetGlobalBuffer(T* buffer) {
    this->tensor_ = {};
    this->tensor_.at = reinterpret_cast<std::uintptr_t>(buffer);
    this->tensor_.declared = -1;
    this->tensor_.position = LANEDIFF_GM;
    this->tensor_.given = 1;
  }
  /// `size` in elements.
  void SetGlobalBuffer(T* buffer, Num size) {
    SetGlobalBuffer(buffer);
    this->tensor_.declared = lanediff::front::BytesOf<T>(size);
  }
  using Base::GetPhyAddr;
  T* GetPhyAddr(Num offset, LANEDIFF_SITE) const {
    return (*this)[offset].GetPhyAddr(lanediff_site_);
  }
  /// In elements, as declared; else 0.
  std::uint64_t GetSize() const {
    const std::int64_t bytes = this->tensor_.declared;
    return bytes < 0 ? 0
                     : static_cast<std::uint64_t>(
                           lanediff::front::ElementsOf<T>(bytes));
  }
  /// Caches aren't modelled.
  template <CacheRwMode mode = CacheRwMode::RW>
  void SetL2CacheHint(CacheMode) {}
};

}  // namespace AscendC

#endif  // LANEDIFF_ASCENDC_TENSOR_H
