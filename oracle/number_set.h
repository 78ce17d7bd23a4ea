#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lanediff::oracle {

/// A set of numbers from 0 on, a bit for each up to the greatest that was
/// added.
class NumberSet {
 public:
  void Add(std::size_t number) {
    if (WordOf(number) >= words_.size()) words_.resize(WordOf(number) + 1);
    words_[WordOf(number)] |= BitOf(number);
  }
  void Remove(std::size_t number) {
    if (WordOf(number) < words_.size())
      words_[WordOf(number)] &= ~BitOf(number);
  }
  void AddAll(const NumberSet& other) {
    if (words_.size() < other.words_.size()) words_.resize(other.words_.size());
    for (std::size_t i = 0; i < other.words_.size(); ++i) {
      words_[i] |= other.words_[i];
    }
  }
  bool Contains(std::size_t number) const {
    return WordOf(number) < words_.size() &&
           (words_[WordOf(number)] & BitOf(number)) != 0;
  }

 private:
  static std::size_t WordOf(std::size_t number) { return number / 64; }
  static std::uint64_t BitOf(std::size_t number) {
    return std::uint64_t{1} << (number % 64);
  }

  std::vector<std::uint64_t> words_;
};

}  // namespace lanediff::oracle
