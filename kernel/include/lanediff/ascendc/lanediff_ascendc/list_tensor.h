#ifndef LANEDIFF_ASCENDC_LIST_TENSOR_H
#define LANEDIFF_ASCENDC_LIST_TENSOR_H

#include <cstdint>

#include "lanediff_ascendc/block.h"
#include "lanediff_ascendc/tensor.h"

/// Inputs of which there are any number. In GM, words of 64 bits: in bytes, at
/// which distance the pointers are; of each tensor a word with the number of
/// dimensions (low half) and its index, and the dimensions; the pointers.
/// Reading them is a scalar's access to GM, and unseen.
namespace AscendC {

template <class T>
class TensorDesc {
 public:
  /// Where GetDesc puts the dimensions, a word each.
  void SetShapeAddr(std::uint64_t* shapePtr) { shape_ = shapePtr; }
  std::uint64_t GetDim() const { return dimensions_; }
  std::uint64_t GetIndex() const { return index_; }
  std::uint64_t GetShape(lanediff::front::Num offset) const {
    return shape_[offset];
  }
  T* GetDataPtr() const { return data_; }
  GlobalTensor<T> GetDataObj() const {
    GlobalTensor<T> tensor;
    tensor.SetGlobalBuffer(data_);
    return tensor;
  }

 private:
  friend class ListTensorDesc;
  std::uint64_t* shape_ = nullptr;
  std::uint64_t dimensions_ = 0;
  std::uint64_t index_ = 0;
  T* data_ = nullptr;
};

class ListTensorDesc {
 public:
  ListTensorDesc() = default;
  explicit ListTensorDesc(__gm__ void* data, std::uint32_t length = ~0U,
                          std::uint32_t shapeSize = ~0U, LANEDIFF_SITE) {
    Init(data, length, shapeSize, lanediff_site_);
  }
  /// `length` in bytes, `shapeSize` the number of pointers: checked where they
  /// are given.
  void Init(__gm__ void* data, std::uint32_t length = ~0U,
            std::uint32_t shapeSize = ~0U, LANEDIFF_SITE) {
    words_ = static_cast<const std::uint64_t*>(data);
    pointers_ = words_ + words_[0] / sizeof *words_;
    size_ = 0;
    for (const std::uint64_t* at = words_ + 1; at < pointers_;
         at = Behind(at)) {
      ++size_;
    }
    lanediff::front::Assert("shapeSize is the number of tensors of the list",
                            lanediff_site_.file, lanediff_site_.line,
                            shapeSize == ~0U || shapeSize == size_);
    lanediff::front::Assert("the list is not longer than length",
                            lanediff_site_.file, lanediff_site_.line,
                            words_[0] + size_ * sizeof *words_ <= length);
  }
  template <class T>
  void GetDesc(TensorDesc<T>& desc, lanediff::front::Num index) const {
    const std::uint64_t* at = words_ + 1;
    for (std::int64_t i = 0; i < index; ++i) at = Behind(at);
    desc.dimensions_ = *at & ~0U;
    desc.index_ = *at >> 32;
    desc.data_ = GetDataPtr<T>(index);
    for (std::uint64_t i = 0; i < desc.dimensions_; ++i) {
      desc.shape_[i] = at[1 + i];
    }
  }
  template <class T>
  T* GetDataPtr(lanediff::front::Num index) const {
    return reinterpret_cast<T*>(pointers_[index]);
  }
  std::uint32_t GetSize() const { return size_; }

 private:
  static const std::uint64_t* Behind(const std::uint64_t* desc) {
    return desc + 1 + (*desc & ~0U);
  }
  const std::uint64_t* words_ = nullptr;
  const std::uint64_t* pointers_ = nullptr;
  std::uint32_t size_ = 0;
};

}  // namespace AscendC

#endif  // LANEDIFF_ASCENDC_LIST_TENSOR_H
