#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <compare>
#include <cstddef>
#include <string_view>

namespace lanediff::isa {

/// Identifier of one rule of the catalogue, such as "RRS-PRODUCT". Constants of
/// this type stand beside the step type that they speak of.
class RuleId {
 public:
  constexpr RuleId() = default;
  constexpr explicit RuleId(std::string_view text) : text_(text) {}

  constexpr std::string_view text() const { return text_; }

  friend constexpr bool operator==(RuleId, RuleId) = default;
  friend constexpr auto operator<=>(RuleId a, RuleId b) {
    return a.text_ <=> b.text_;
  }

 private:
  std::string_view text_;
};

/// A set of rule ids, ordered by their text. Holds at most `kCapacity`, more
/// than any step can break at once, and never allocates. Each step has two, so
/// that making and copying one costs what is in it.
class RuleSet {
 public:
  static constexpr std::size_t kCapacity = 24;

  RuleSet() {}
  RuleSet(const RuleSet& other) { *this = other; }
  RuleSet& operator=(const RuleSet& other) {
    std::copy(other.begin(), other.end(), First());
    size_ = other.size_;
    return *this;
  }

  void Add(RuleId id) {
    RuleId* const last = First() + size_;
    RuleId* const place = std::lower_bound(First(), last, id);
    if (place != last && *place == id) return;
    assert(size_ < kCapacity);
    std::copy_backward(place, last, last + 1);
    *place = id;
    ++size_;
  }
  void AddIf(bool condition, RuleId id) {
    if (condition) Add(id);
  }
  void AddAll(const RuleSet& other) {
    for (RuleId id : other) Add(id);
  }
  bool Contains(RuleId id) const {
    return std::binary_search(begin(), end(), id);
  }

  const RuleId* begin() const {
    return reinterpret_cast<const RuleId*>(ids_.data());
  }
  const RuleId* end() const { return begin() + size_; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  friend bool operator==(const RuleSet& a, const RuleSet& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  RuleId* First() { return reinterpret_cast<RuleId*>(ids_.data()); }

  /// Space for ids, of which there are `size_`.
  alignas(RuleId) std::array<std::byte, kCapacity * sizeof(RuleId)> ids_;
  std::size_t size_ = 0;
};

}  // namespace lanediff::isa
