#ifndef LANEDIFF_ASCENDC_PIPE_H
#define LANEDIFF_ASCENDC_PIPE_H

#include <cstdint>
#include <tuple>

#include "lanediff_ascendc/queue.h"
#include "lanediff_ascendc/words.h"

/// TPipe, TBufPool, LocalMemAllocator, PopStackBuffer: who hands out memory.
namespace AscendC {

template <TPosition pos, std::uint32_t bufIDSize>
class TBufPool;

class TPipe {
  using Num = lanediff::front::Num;

 public:
  // NOLINTNEXTLINE(google-explicit-constructor): `{}` makes one
  TPipe(LANEDIFF_SITE) { Init(lanediff_site_); }
  ~TPipe() { Destroy(site_); }
  TPipe(const TPipe&) = delete;
  TPipe& operator=(const TPipe&) = delete;

  /// Begins again behind Destroy.
  void Init(LANEDIFF_SITE) {
    if (number_ >= 0) return;
    site_ = lanediff_site_;
    number_ = lanediff_tpipe_begin(lanediff_site_);
    *lanediff_block_slot() = this;
  }
  void Reset(LANEDIFF_SITE) { lanediff_tpipe_reset(number_, lanediff_site_); }
  void Destroy(LANEDIFF_SITE) {
    if (number_ < 0) return;
    lanediff_tpipe_end(number_, lanediff_site_);
    number_ = -1;
    void** const slot = lanediff_block_slot();
    if (*slot == this) *slot = nullptr;
  }

  /// `num` blocks of `len` bytes each, side by side.
  template <TPosition src, TPosition dst, std::int32_t depth, auto mask>
  bool InitBuffer(TQueBind<src, dst, depth, mask>& que, Num num, Num len,
                  LANEDIFF_SITE) {
    return lanediff_init(que, num, len, -1, lanediff_site_);
  }
  template <TPosition pos>
  bool InitBuffer(TBuf<pos>& buf, Num len, LANEDIFF_SITE) {
    return lanediff_init(buf, len, -1, lanediff_site_);
  }
  /// Blocks at addresses: {address, bytes} of each, of one size and side by
  /// side.
  template <TPosition src, TPosition dst, std::int32_t depth, auto mask,
            typename U, typename V>
  bool InitBuffer(TQueBind<src, dst, depth, mask>& que,
                  const std::tuple<U, V>& addr0, LANEDIFF_SITE) {
    return lanediff_init(que, 1, std::get<1>(addr0),
                         static_cast<std::int64_t>(std::get<0>(addr0)),
                         lanediff_site_);
  }
  template <TPosition src, TPosition dst, std::int32_t depth, auto mask,
            typename U, typename V, typename W, typename X>
  bool InitBuffer(TQueBind<src, dst, depth, mask>& que,
                  const std::tuple<U, V>& addr0, const std::tuple<W, X>& addr1,
                  LANEDIFF_SITE) {
    const auto at0 = static_cast<std::int64_t>(std::get<0>(addr0));
    const auto at1 = static_cast<std::int64_t>(std::get<0>(addr1));
    const auto len = static_cast<std::int64_t>(std::get<1>(addr0));
    if (at1 != at0 + len ||
        len != static_cast<std::int64_t>(std::get<1>(addr1))) {
      lanediff_refused("InitBuffer",
                       "blocks at addresses that are not side by side",
                       lanediff_site_);
    }
    return lanediff_init(que, 2, len, at0, lanediff_site_);
  }
  template <TPosition pos, std::uint32_t bufIDSize>
  bool InitBufPool(TBufPool<pos, bufIDSize>& pool, Num len, LANEDIFF_SITE) {
    TBuf<pos> buf;
    lanediff_init(buf, len, -1, lanediff_site_);
    pool.lanediff_own(*this, buf.template Get<std::uint8_t>(lanediff_site_));
    return true;
  }
  /// In the same memory as `shared`.
  template <TPosition pos, std::uint32_t bufIDSize, typename Shared>
  bool InitBufPool(TBufPool<pos, bufIDSize>& pool, Num len, Shared& shared,
                   LANEDIFF_SITE) {
    TBuf<pos> buf;
    lanediff_init(buf, len, shared.lanediff_at(), lanediff_site_);
    pool.lanediff_own(*this, buf.template Get<std::uint8_t>(lanediff_site_));
    return true;
  }

  template <HardEvent event>
  TEventID AllocEventID(LANEDIFF_SITE) {
    return static_cast<TEventID>(
        lanediff_alloc_event(lanediff::front::WordOf(event), lanediff_site_));
  }
  template <HardEvent event>
  TEventID FetchEventID(LANEDIFF_SITE) {
    return FetchEventID(event, lanediff_site_);
  }
  TEventID FetchEventID(HardEvent event, LANEDIFF_SITE) {
    return static_cast<TEventID>(
        lanediff_fetch_event(lanediff::front::WordOf(event), lanediff_site_));
  }
  template <HardEvent event>
  void ReleaseEventID(Num id, LANEDIFF_SITE) {
    lanediff_release_event(lanediff::front::WordOf(event),
                           static_cast<std::int32_t>(id), lanediff_site_);
  }
  /// Where the position's memory begins in this process.
  template <typename Position>
  std::uint64_t GetBaseAddr(Position logicPos, LANEDIFF_SITE) {
    lanediff_tensor tensor = {};
    tensor.declared = -1;
    tensor.position = static_cast<std::uint8_t>(logicPos);
    tensor.given = 1;
    return reinterpret_cast<std::uintptr_t>(
        lanediff_address(tensor, lanediff_site_));
  }

  template <TPosition src, TPosition dst, std::int32_t depth, auto mask>
  bool lanediff_init(TQueBind<src, dst, depth, mask>& que, Num num, Num len,
                     Num at, lanediff_site site) {
    que.lanediff_set_buffer(lanediff_init_buffer(
        number_, static_cast<std::uint8_t>(src), static_cast<std::uint8_t>(dst),
        depth, num, len, at, site));
    return true;
  }
  template <TPosition pos>
  bool lanediff_init(TBuf<pos>& buf, Num len, Num at, lanediff_site site) {
    const auto position = static_cast<std::uint8_t>(pos);
    buf.lanediff_set_buffer(lanediff_init_buffer(number_, position, position,
                                                 -1, 1, len, at, site));
    return true;
  }

 private:
  std::int64_t number_ = -1;
  lanediff_site site_ = {};
};

/// The block's TPipe; null where it has none.
inline TPipe* GetTPipePtr() {
  return static_cast<TPipe*>(*lanediff_block_slot());
}

/// A piece of a TPipe's memory that hands out its own.
template <TPosition pos, std::uint32_t bufIDSize = 4>
class TBufPool {
  using Num = lanediff::front::Num;

 public:
  template <TPosition src, TPosition dst, std::int32_t depth, auto mask>
  bool InitBuffer(TQueBind<src, dst, depth, mask>& que, Num num, Num len,
                  LANEDIFF_SITE) {
    return pipe_->lanediff_init(que, num, len, Take(num, len, lanediff_site_),
                                lanediff_site_);
  }
  template <TPosition bufPos>
  bool InitBuffer(TBuf<bufPos>& buf, Num len, LANEDIFF_SITE) {
    return pipe_->lanediff_init(buf, len, Take(1, len, lanediff_site_),
                                lanediff_site_);
  }
  template <TPosition other, std::uint32_t size>
  bool InitBufPool(TBufPool<other, size>& pool, Num len, LANEDIFF_SITE) {
    pool.lanediff_own(*pipe_, Part(Take(1, len, lanediff_site_), len));
    return true;
  }
  /// In the same memory as `shared`.
  template <TPosition other, std::uint32_t size, typename Shared>
  bool InitBufPool(TBufPool<other, size>& pool, Num len, Shared& shared) {
    pool.lanediff_own(*pipe_, Part(shared.lanediff_at(), len));
    return true;
  }
  /// What it handed out stays; the memory is another pool's to use.
  void Reset() {}

  void lanediff_own(TPipe& pipe, const LocalTensor<std::uint8_t>& memory) {
    pipe_ = &pipe;
    memory_ = memory.lanediff_tensor_of();
    used_ = 0;
  }
  std::int64_t lanediff_at() const {
    return static_cast<std::int64_t>(memory_.at);
  }

 private:
  static constexpr std::int64_t kUnit = 32;  ///< InitBuffer rounds up to it

  std::int64_t Take(std::int64_t num, std::int64_t len, lanediff_site site) {
    const std::int64_t at = used_;
    used_ += num * ((len + kUnit - 1) / kUnit * kUnit);
    if (pipe_ == nullptr || used_ > memory_.window) {
      lanediff_refused("TBufPool::InitBuffer",
                       pipe_ == nullptr ? "the pool has no memory yet"
                                        : "more than the pool has",
                       site);
    }
    return lanediff_at() + at;
  }
  LocalTensor<std::uint8_t> Part(std::int64_t at, std::int64_t len) const {
    lanediff_tensor part = memory_;
    part.at = static_cast<std::uint64_t>(at);
    part.window = len;
    part.declared = -1;
    return LocalTensor<std::uint8_t>(part);
  }

  TPipe* pipe_ = nullptr;
  lanediff_tensor memory_ = {};
  std::int64_t used_ = 0;
};

/// Addresses of one memory from 0 upward, at multiples of 32.
template <Hardware hard = Hardware::UB>
class LocalMemAllocator {
  using Num = lanediff::front::Num;
  static_assert(hard != Hardware::GM, "GM is not a local memory");
  static constexpr const char* kMemory[] = {"GM",  "UB",  "L1", "L0A",
                                            "L0B", "L0C", "BT", "FB"};

 public:
  // NOLINTNEXTLINE(google-explicit-constructor): `{}` makes one
  LocalMemAllocator(LANEDIFF_SITE) {
    lanediff_local_allocator(kMemory[static_cast<int>(hard)], lanediff_site_);
  }
  std::uint32_t GetCurAddr() const { return static_cast<std::uint32_t>(head_); }

  /// `tileSize` in elements.
  template <TPosition pos, typename T>
  LocalTensor<T> Alloc(Num tileSize, LANEDIFF_SITE) {
    return Next<T>(static_cast<std::uint8_t>(pos), tileSize, lanediff_site_);
  }
  template <typename T>
  LocalTensor<T> Alloc(Num tileSize, LANEDIFF_SITE) {
    return Next<T>(kNoWord, tileSize, lanediff_site_);
  }
  template <TPosition pos, typename T, std::uint32_t tileSize>
  LocalTensor<T> Alloc(LANEDIFF_SITE) {
    return Next<T>(static_cast<std::uint8_t>(pos), tileSize, lanediff_site_);
  }
  template <typename T, std::uint32_t tileSize>
  LocalTensor<T> Alloc(LANEDIFF_SITE) {
    return Next<T>(kNoWord, tileSize, lanediff_site_);
  }

 private:
  /// Of UB; a tensor of another memory is given by a position that lies there.
  static constexpr std::uint8_t kNoWord =
      hard == Hardware::UB     ? LANEDIFF_NO_POSITION
      : hard == Hardware::L1   ? LANEDIFF_A1
      : hard == Hardware::L0A  ? LANEDIFF_A2
      : hard == Hardware::L0B  ? LANEDIFF_B2
      : hard == Hardware::L0C  ? LANEDIFF_CO1
      : hard == Hardware::BIAS ? LANEDIFF_C2
                               : LANEDIFF_C2PIPE2GM;
  static constexpr std::int64_t kUnit = 32;

  template <typename T>
  LocalTensor<T> Next(std::uint8_t position, std::int64_t elements,
                      lanediff_site site) {
    const std::int64_t bytes = lanediff::front::BytesOf<T>(elements);
    LocalTensor<T> tensor(lanediff_local_tensor(position, head_, bytes, site));
    head_ += (bytes + kUnit - 1) / kUnit * kUnit;
    return tensor;
  }
  std::int64_t head_ = 0;
};

/// What InitBuffer has left of the position's memory.
template <typename T, TPosition pos>
bool PopStackBuffer(LocalTensor<T>& popLocal, LANEDIFF_SITE) {
  popLocal = LocalTensor<T>(lanediff_pop_stack_buffer(
      static_cast<std::uint8_t>(pos), lanediff_site_));
  return true;
}

}  // namespace AscendC

using AscendC::GetTPipePtr;

#endif  // LANEDIFF_ASCENDC_PIPE_H
