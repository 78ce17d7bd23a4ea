#include "diff/memory_set.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

namespace lanediff::diff {

namespace {

using Bytes = std::vector<std::uint8_t>;

/// Memories that are no longer used, by their exact size: a sanitizer must see
/// where each ends. Without them a comparison spends most of its time on fresh
/// pages from the operating system.
class Shelf {
 public:
  Bytes Take(std::size_t size) {
    const auto found = bytes_.find(size);
    if (found == bytes_.end() || found->second.empty()) return Bytes(size);
    Bytes bytes = std::move(found->second.back());
    found->second.pop_back();
    held_ -= size;
    return bytes;
  }
  void Put(Bytes&& bytes) {
    // Small ones are cheap to make, and there are too many sizes of them.
    if (bytes.size() < 4096 || held_ + bytes.size() > kMostHeld) return;
    held_ += bytes.size();
    bytes_[bytes.size()].push_back(std::move(bytes));
  }

 private:
  static constexpr std::size_t kMostHeld = std::size_t{64} << 20;
  std::map<std::size_t, std::vector<Bytes>> bytes_;
  std::size_t held_ = 0;
};

thread_local Shelf shelf;

}  // namespace

MemorySet::MemorySet(const Case& c) {
  const auto exists = MemoriesOf(c);
  for (std::size_t m = 0; m < bytes_.size(); ++m) {
    if (!exists[m]) continue;
    bytes_[m] = shelf.Take(
        static_cast<std::size_t>(SizeOf(c, static_cast<isa::Memory>(m))));
    if (!bytes_[m].empty()) {
      std::memset(bytes_[m].data(), c.memory[m] ? c.memory[m]->fill : 0,
                  bytes_[m].size());
    }
    if (!c.memory[m]) continue;
    for (const Region& region : c.memory[m]->regions) {
      std::ranges::copy(region.bytes, bytes_[m].begin() + region.at);
    }
  }
}

MemorySet::MemorySet(const MemorySet& other) {
  for (std::size_t m = 0; m < bytes_.size(); ++m) {
    bytes_[m] = shelf.Take(other.bytes_[m].size());
    CopyAll(other.bytes_[m], bytes_[m]);
  }
}

MemorySet::~MemorySet() {
  for (Bytes& bytes : bytes_) shelf.Put(std::move(bytes));
}

void CopyAll(const std::vector<std::uint8_t>& from,
             std::vector<std::uint8_t>& to) {
  if (!from.empty()) std::memcpy(to.data(), from.data(), from.size());
}

isa::Memories MemorySet::view() {
  isa::Memories memories;
  for (isa::Memory memory : kAllMemories) memories[memory] = (*this)[memory];
  return memories;
}

}  // namespace lanediff::diff
