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
/// than any step can break at once, and never allocates.
class RuleSet {
 public:
  static constexpr std::size_t kCapacity = 24;

  constexpr void Add(RuleId id) {
    auto* const place = std::lower_bound(ids_.data(), ids_.data() + size_, id);
    if (place != ids_.data() + size_ && *place == id) return;
    assert(size_ < kCapacity);
    std::copy_backward(place, ids_.data() + size_, ids_.data() + size_ + 1);
    *place = id;
    ++size_;
  }
  constexpr void AddIf(bool condition, RuleId id) {
    if (condition) Add(id);
  }
  constexpr void AddAll(const RuleSet& other) {
    for (RuleId id : other) Add(id);
  }
  constexpr bool Contains(RuleId id) const {
    return std::binary_search(begin(), end(), id);
  }

  constexpr const RuleId* begin() const { return ids_.data(); }
  constexpr const RuleId* end() const { return ids_.data() + size_; }
  constexpr std::size_t size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }

  friend constexpr bool operator==(const RuleSet& a, const RuleSet& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  std::array<RuleId, kCapacity> ids_{};
  std::size_t size_ = 0;
};

}  // namespace lanediff::isa
