#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

namespace lanediff::diff {

/// Memory that another process can map, page by page: a file that has no name,
/// all of it mapped here. There is one or none. A fork of this process has a
/// copy of its own, as of all other memory.
class SharedArena {
 public:
  static constexpr std::size_t kPage = 4096;

  /// Null before `Enable`, and where there can be none.
  static SharedArena* There();
  /// Makes it, if it isn't there; null where there can be none.
  static SharedArena* Enable();

  /// At least `bytes` bytes on pages of their own; null where it is full.
  void* Allocate(std::size_t bytes);
  void Free(void* bytes, std::size_t size);

  bool Has(const void* place) const {
    const auto* const p = static_cast<const std::uint8_t*>(place);
    return first_ <= p && p < first_ + size_;
  }
  std::size_t OffsetOf(const void* place) const {
    return static_cast<std::size_t>(static_cast<const std::uint8_t*>(place) -
                                    first_);
  }
  /// How many bytes the allocation with `bytes` bytes has in all.
  static std::size_t RoundedSize(std::size_t bytes);
  int file() const { return file_; }
  std::uint8_t* first() const { return first_; }
  std::size_t size() const { return size_; }

  /// While one lives, a fork that this thread makes shares the arena with us
  /// instead of having a copy.
  class ShareInFork {
   public:
    ShareInFork();
    ~ShareInFork();
    ShareInFork(const ShareInFork&) = delete;
    ShareInFork& operator=(const ShareInFork&) = delete;
  };

 private:
  SharedArena() = default;
  bool Make();
  static void CopyInFork();

  int file_ = -1;
  std::uint8_t* first_ = nullptr;
  std::size_t size_ = 0;
  std::size_t used_ = 0;
};

/// Takes memory from the arena where there is one.
template <class T>
struct SharedAllocator {
  using value_type = T;

  SharedAllocator() = default;
  template <class U>
  SharedAllocator(const SharedAllocator<U>&) {}  // NOLINT: as allocators do

  T* allocate(std::size_t n) {
    if (SharedArena* const arena = SharedArena::There()) {
      if (void* const place = arena->Allocate(n * sizeof(T))) {
        return static_cast<T*>(place);
      }
    }
    return std::allocator<T>().allocate(n);
  }
  void deallocate(T* place, std::size_t n) {
    SharedArena* const arena = SharedArena::There();
    if (arena != nullptr && arena->Has(place)) {
      arena->Free(place, n * sizeof(T));
    } else {
      std::allocator<T>().deallocate(place, n);
    }
  }
  friend bool operator==(const SharedAllocator&, const SharedAllocator&) {
    return true;
  }
};

}  // namespace lanediff::diff
