#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <cstddef>
#include <string_view>
#include <vector>

namespace lanediff::isa {

/// Identifier of one rule of the catalogue, such as "RRS-PRODUCT". Those of
/// calls are in their rows, others stand beside the type of their step.
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

/// A set of rule ids, ordered by their text. Up to `kInPlace`, more than a step
/// usually breaks at once, need no allocation. Each step has two, so that
/// making and copying one costs what is in it.
class RuleSet {
 public:
  static constexpr std::size_t kInPlace = 24;

  RuleSet() {}
  RuleSet(const RuleSet& other) { *this = other; }
  RuleSet& operator=(const RuleSet& other) {
    if (this == &other) return *this;
    more_ = other.more_;
    size_ = other.size_;
    if (more_.empty()) std::copy(other.begin(), other.end(), First());
    return *this;
  }

  void Add(RuleId id) {
    const RuleId* const place = std::lower_bound(begin(), end(), id);
    if (place != end() && *place == id) return;
    const auto at = place - begin();
    if (size_ == kInPlace) more_.assign(begin(), end());
    if (!more_.empty()) {
      more_.insert(more_.begin() + at, id);
    } else {
      std::copy_backward(First() + at, First() + size_, First() + size_ + 1);
      First()[at] = id;
    }
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
    return more_.empty() ? reinterpret_cast<const RuleId*>(ids_.data())
                         : more_.data();
  }
  const RuleId* end() const { return begin() + size_; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  friend bool operator==(const RuleSet& a, const RuleSet& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  RuleId* First() { return reinterpret_cast<RuleId*>(ids_.data()); }

  /// Space for ids, of which there are `size_` unless they are in `more_`.
  alignas(RuleId) std::array<std::byte, kInPlace * sizeof(RuleId)> ids_;
  std::vector<RuleId> more_;
  std::size_t size_ = 0;
};

}  // namespace lanediff::isa
