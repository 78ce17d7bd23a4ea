#include "differential/memory/touched.h"

namespace lanediff::diff {

Touched::Touched(const MemorySizes& sizes) : sizes_(sizes) {
  constexpr std::size_t kWordBytes = kChunkBytes * 64;
  for (std::size_t m = 0; m < words_.size(); ++m) {
    words_[m].resize((sizes[m] + kWordBytes - 1) / kWordBytes);
    used_[m].resize((words_[m].size() + 63) / 64);
  }
}

void Touched::Add(const Touched& other) {
  for (std::size_t m = 0; m < words_.size(); ++m) {
    const auto& words = other.words_[m];
    for (std::size_t i = 0; i < used_[m].size(); ++i) {
      used_[m][i] |= other.used_[m][i];
    }
    for (std::size_t i = 0; i < words.size(); ++i) {
      i = other.NextUsed(m, i);
      if (i < words.size()) words_[m][i] |= words[i];
    }
  }
}

void Touched::Clear() {
  for (std::size_t m = 0; m < words_.size(); ++m) {
    for (std::size_t i = 0; i < words_[m].size(); ++i) {
      i = NextUsed(m, i);
      if (i < words_[m].size()) words_[m][i] = 0;
    }
    std::ranges::fill(used_[m], std::uint64_t{0});
  }
}

}  // namespace lanediff::diff
