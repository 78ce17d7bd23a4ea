#ifndef LANEDIFF_ASCENDC_QUEUE_H
#define LANEDIFF_ASCENDC_QUEUE_H

#include <cstdint>
#include <type_traits>

#include "lanediff_ascendc/tensor.h"

/// Queues and buffers (TQue, TQueBind, TBuf): numbers that the library knows
/// them by. What they hand out, in which order, and what that synchronizes is
/// the library's.
namespace AscendC {

/// What InitBuffer gives memory to: a number, negative before.
class TBufferBase {
 public:
  void lanediff_set_buffer(std::int64_t buffer) { buffer_ = buffer; }

 protected:
  std::int64_t buffer_ = -1;
};

template <TPosition src, TPosition dst, std::int32_t depth = 1, auto mask = 0>
class TQueBind : public TBufferBase {
  using Num = lanediff::front::Num;

 public:
  static constexpr TPosition kSrc = src;
  static constexpr TPosition kDst = dst;
  static constexpr std::int32_t kDepth = depth;

  /// The next block in turn.
  template <typename T>
  LocalTensor<T> AllocTensor(LANEDIFF_SITE) {
    if (buffer_ < 0) return {};
    return LocalTensor<T>(lanediff_alloc_tensor(buffer_, lanediff_site_));
  }
  template <typename T>
  void AllocTensor(LocalTensor<T>& tensor, LANEDIFF_SITE) {
    tensor = AllocTensor<T>(lanediff_site_);
  }
  template <typename T>
  bool EnQue(const LocalTensor<T>& tensor, LANEDIFF_SITE) {
    lanediff_en_que(buffer_, tensor.lanediff_tensor_of(), LANEDIFF_NO_POSITION,
                    LANEDIFF_NO_POSITION, lanediff_site_);
    return true;
  }
  /// The positions select the pipes between which the tensor goes this time.
  template <TPosition srcUserPos, TPosition dstUserPos, typename T>
  bool EnQue(const LocalTensor<T>& tensor, LANEDIFF_SITE) {
    lanediff_en_que(buffer_, tensor.lanediff_tensor_of(),
                    static_cast<std::uint8_t>(srcUserPos),
                    static_cast<std::uint8_t>(dstUserPos), lanediff_site_);
    return true;
  }
  template <typename T>
  LocalTensor<T> DeQue(LANEDIFF_SITE) {
    if (buffer_ < 0) return {};
    return LocalTensor<T>(lanediff_de_que(buffer_, lanediff_site_));
  }
  template <typename T>
  void DeQue(LocalTensor<T>& tensor, LANEDIFF_SITE) {
    tensor = DeQue<T>(lanediff_site_);
  }
  template <TPosition srcUserPos, TPosition dstUserPos, typename T>
  LocalTensor<T> DeQue(LANEDIFF_SITE) {
    return DeQue<T>(lanediff_site_);
  }
  template <typename T>
  void FreeTensor(const LocalTensor<T>& tensor, LANEDIFF_SITE) {
    lanediff_free_tensor(buffer_, tensor.lanediff_tensor_of(), lanediff_site_);
  }
  /// The library takes care of events itself.
  template <typename T>
  void FreeAllEvent() {}
  void FreeAllEvent() {}

  bool HasTensorInQue() const { return GetTensorCountInQue() > 0; }
  std::int32_t GetTensorCountInQue() const {
    return static_cast<std::int32_t>(lanediff_queue_count(buffer_, 0));
  }
  bool HasIdleBuffer() const { return lanediff_queue_count(buffer_, 1) > 0; }
  /// Whether the queue takes one more: depth 0 is one in place.
  bool VacantInQue() const {
    return GetTensorCountInQue() < (depth == 0 ? 1 : depth);
  }
};

template <TPosition pos, std::int32_t depth, auto mask = 0>
class TQue : public TQueBind<pos, pos, depth, mask> {};

template <TPosition pos = TPosition::VECCALC>
class TBuf : public TBufferBase {
  using Num = lanediff::front::Num;

 public:
  /// All of it.
  template <typename T>
  LocalTensor<T> Get(LANEDIFF_SITE) {
    if (buffer_ < 0) return {};
    return LocalTensor<T>(lanediff_get_buffer(buffer_, lanediff_site_));
  }
  /// Its first `len` elements.
  template <typename T>
  LocalTensor<T> Get(Num len, LANEDIFF_SITE) {
    auto tensor = Get<T>(lanediff_site_);
    tensor.SetSize(len);
    return tensor;
  }
  /// `size` elements from byte `bufOffset` on.
  template <typename T>
  LocalTensor<T> GetWithOffset(Num size, Num bufOffset, LANEDIFF_SITE) {
    auto tensor = Get<std::uint8_t>(lanediff_site_)[bufOffset]
                      .template ReinterpretCast<T>();
    tensor.SetSize(size);
    return tensor;
  }
};

}  // namespace AscendC

#endif  // LANEDIFF_ASCENDC_QUEUE_H
