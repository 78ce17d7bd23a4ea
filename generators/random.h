#pragma once

#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <vector>

#include "isa/vocabulary.h"

namespace lanediff::make {

/// A small random number generator (SplitMix64). The same seed gives the same
/// numbers with every compiler and standard library.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t Bits() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
  }
  /// In [low, high].
  std::int64_t Between(std::int64_t low, std::int64_t high) {
    const auto span =
        static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1;
    std::uint64_t offset = Bits();
    if (span != 0 && span <= 0xffffffff) {
      offset = Scale(offset, static_cast<std::uint32_t>(span));
    } else if (span != 0) {
      offset %= span;
    }
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + offset);
  }
  /// The upper half of `bits` as a number below `count`; no division.
  static constexpr std::uint64_t Scale(std::uint64_t bits,
                                       std::uint32_t count) {
    return (bits >> 32) * count >> 32;
  }
  /// True in `percent` of 100 cases.
  bool Percent(int percent) { return Between(0, 99) < percent; }

  template <class T>
  T OneOf(std::initializer_list<T> choices) {
    return Pick(choices);
  }
  template <class Range>
  auto Pick(const Range& choices) {
    return *std::next(
        std::begin(choices),
        Between(0, static_cast<std::int64_t>(std::size(choices)) - 1));
  }
  /// One of `all` itself; there must be one.
  template <class T>
  T& AnyOf(std::vector<T>& all) {
    return *std::next(all.begin(),
                      Between(0, static_cast<std::int64_t>(all.size()) - 1));
  }
  /// A word of the documents.
  template <class E>
  E AnyWord() {
    return static_cast<E>(
        Between(0, static_cast<std::int64_t>(isa::kCount<E>) - 1));
  }
  /// The value of one row of a table of `Weighted`, by its weights.
  template <class Table>
  auto PickWeighted(const Table& table) {
    int sum = 0;
    for (const auto& row : table) sum += row.weight;
    std::int64_t left = Between(0, sum - 1);
    auto row = std::begin(table);
    for (; left >= row->weight; ++row) left -= row->weight;
    return row->value;
  }

 private:
  std::uint64_t state_;
};

}  // namespace lanediff::make
