#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "differential/testcase/case.h"

namespace lanediff::diff {

/// The bytes of a memory that is too large to allocate: at first only their
/// addresses are reserved. The first access to a block of them, by any code,
/// raises a fault, which is caught: the block is then made as the case has it,
/// and the access goes on. A target can write outside its operands, and the
/// open blocks are all that is compared.
class LazyBytes {
 public:
  static constexpr std::size_t kBlockBytes = 4096;

  /// `size` bytes, all `fill`.
  LazyBytes(std::size_t size, std::uint8_t fill);
  LazyBytes(const LazyBytes& other);
  LazyBytes& operator=(const LazyBytes&) = delete;
  ~LazyBytes();

  /// The series among `regions`, which are in ascending order, are what the
  /// memory begins with, or the complement of it. Before the first access.
  void LayUnder(const std::vector<Region>& regions, bool inverted);

  std::span<std::uint8_t> bytes() const { return {begin_, size_}; }

  /// Whether the bytes are what they were at first. Opens nothing.
  bool IsPristine(std::size_t at, std::size_t bytes) const;
  /// Calls `visit(at, bytes)` for each open block.
  template <class Visit>
  void ForEachOpen(Visit visit) const {
    for (const auto& [block, first] : open_) {
      visit(block * kBlockBytes, BytesOf(block));
    }
  }

  /// Opens the block with `address` in it; false if it isn't one of these
  /// bytes. For the handler of faults.
  bool OpenAt(const void* address);

 private:
  std::size_t BytesOf(std::size_t block) const;
  void Make(std::size_t first, std::size_t last);
  bool HasSeries(std::size_t at, std::size_t bytes) const;

  std::size_t size_;
  std::size_t mapped_;
  std::uint8_t fill_;
  bool inverted_ = false;
  std::vector<Region> series_;
  std::uint8_t* begin_ = nullptr;
  /// The open blocks, and what those that series lie in were at first.
  std::map<std::size_t, std::vector<std::uint8_t>> open_;
};

}  // namespace lanediff::diff
