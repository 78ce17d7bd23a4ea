#include "diff/touched.h"

namespace lanediff::diff {

Touched::Touched(const MemorySizes& sizes) : sizes_(sizes) {
  constexpr std::size_t kWordBytes = kChunkBytes * 64;
  for (std::size_t m = 0; m < words_.size(); ++m) {
    words_[m].resize((sizes[m] + kWordBytes - 1) / kWordBytes);
  }
}

void Touched::Add(const Touched& other) {
  for (std::size_t m = 0; m < words_.size(); ++m) {
    for (std::size_t i = 0; i < words_[m].size(); ++i) {
      words_[m][i] |= other.words_[m][i];
    }
  }
}

void Touched::Clear() {
  for (auto& words : words_) std::ranges::fill(words, std::uint64_t{0});
}

}  // namespace lanediff::diff
