#include "audit/characterize/wide_order.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <set>

#include "audit/characterize/number.h"

namespace lanediff::character {
namespace {

/// Exponents of powers of two that are normal, or subnormal, numbers.
struct Range {
  int low;
  int high;
};

Range RangeOf(isa::DType type) {
  const Format format = FormatOf(type);
  return {format.min_exponent - (format.precision - 1), format.max_exponent};
}

isa::DType Wider(isa::DType type) {
  return type == isa::DType::kHalf ? isa::DType::kFloat : isa::DType::kDouble;
}

using Exponents = std::vector<int>;

/// What a candidate makes of powers of two.
class Model {
 public:
  Model(const NamedTree& named, isa::DType type)
      : tree_(named.tree),
        below_(named.tree.LeavesBelow()),
        own_(RangeOf(type)),
        wide_(RangeOf(Wider(type))) {
    std::set<std::vector<std::size_t>> narrow;
    if (named.seen.leaves() != 0) {
      for (auto& leaves : named.seen.LeavesBelow()) narrow.insert(leaves);
    }
    for (const auto& leaves : below_) {
      narrow_.push_back(leaves.size() < tree_.leaves() &&
                        narrow.contains(leaves));
    }
  }

  const std::vector<std::vector<std::size_t>>& below() const { return below_; }

  /// Leaves that meet in nodes of the wider type only: one below each node of
  /// the own type that has no other above it.
  std::vector<std::size_t> Items() const {
    std::vector<std::size_t> items;
    std::vector<Tree::Node> walk = {tree_.root()};
    for (std::size_t i = 0; i < walk.size(); ++i) {
      if (tree_.is_leaf(walk[i]) || narrow_[walk[i]]) {
        items.push_back(below_[walk[i]].front());
        continue;
      }
      const auto& children = tree_.children(walk[i]);
      walk.insert(walk.end(), children.begin(), children.end());
    }
    std::ranges::sort(items);
    return items;
  }

  /// Whether some node leaves its range.
  bool Leaves(const Exponents& exponents) const {
    for (Tree::Node node = tree_.leaves(); node < tree_.nodes(); ++node) {
      int sum = 0;
      for (const std::size_t leaf : below_[node]) sum += exponents[leaf];
      const Range& range = narrow_[node] ? own_ : wide_;
      if (sum < range.low || sum > range.high) return true;
    }
    return false;
  }

 private:
  const Tree& tree_;
  std::vector<std::vector<std::size_t>> below_;
  std::vector<bool> narrow_;
  Range own_;
  Range wide_;
};

/// Shares `total` among the leaves at `places`.
void Share(int total, const std::vector<std::size_t>& places, Exponents& to) {
  const int count = static_cast<int>(places.size());
  for (int i = 0; i < count; ++i) {
    to[places[static_cast<std::size_t>(i)]] =
        total * (i + 1) / count - total * i / count;
  }
}

/// Exponents of which `inside` come to `total` and all to nothing; none where
/// no numbers of the type are that far from 1.
std::optional<Exponents> Balanced(const std::vector<std::size_t>& items,
                                  const std::vector<std::size_t>& inside,
                                  int total, std::size_t leaves,
                                  isa::DType type) {
  std::vector<std::size_t> in;
  std::vector<std::size_t> out;
  for (const std::size_t item : items) {
    (std::ranges::binary_search(inside, item) ? in : out).push_back(item);
  }
  if (in.empty() || out.empty()) return std::nullopt;
  Exponents exponents(leaves);
  Share(total, in, exponents);
  Share(-total, out, exponents);
  const Range range = RangeOf(type);
  const bool fit = std::ranges::all_of(
      exponents, [&](int e) { return e >= range.low && e <= range.high; });
  return fit ? std::optional(exponents) : std::nullopt;
}

class Apart {
 public:
  Apart(SummationTreeProbe& probe, std::vector<NamedTree>& candidates)
      : probe_(probe), type_(probe.prober().fold().dtype) {
    for (const NamedTree& named : candidates)
      models_.emplace_back(named, type_);
    left_.assign(models_.size(), true);
  }

  std::vector<bool> Run() {
    const Range wide = RangeOf(Wider(type_));
    for (std::size_t m = 0; m < models_.size(); ++m) {
      const auto items = models_[m].Items();
      for (const auto& inside : models_[m].below()) {
        for (const int total : {wide.high + 5, wide.low - 5}) {
          if (!left_[m]) break;
          const auto exponents =
              Balanced(items, inside, total, probe_.leaves(), type_);
          if (exponents) Try(*exponents, m);
        }
      }
    }
    if (probed_ && !beyond_) left_.assign(models_.size(), false);
    return left_;
  }
  bool probed() const { return probed_; }

 private:
  /// Probes where candidates differ, or nothing was beyond the range so far.
  void Try(const Exponents& exponents, std::size_t of) {
    std::vector<bool> leaves_range;
    bool differ = false;
    for (std::size_t m = 0; m < models_.size(); ++m) {
      leaves_range.push_back(models_[m].Leaves(exponents));
      differ = differ || (left_[m] && leaves_range[m] != leaves_range[of]);
    }
    if (!differ && (beyond_ || !leaves_range[of])) return;
    std::vector<double> leaves;
    for (const int e : exponents) leaves.push_back(std::ldexp(1.0, e));
    const auto value = probe_.prober().Probe(probe_.Spread(leaves));
    if (!value) {
      left_.assign(models_.size(), false);
      return;
    }
    probed_ = true;
    const bool left_range = *value != 1;
    beyond_ = beyond_ || left_range;
    for (std::size_t m = 0; m < models_.size(); ++m) {
      if (leaves_range[m] != left_range) left_[m] = false;
    }
  }

  SummationTreeProbe& probe_;
  isa::DType type_;
  std::vector<Model> models_;
  std::vector<bool> left_;
  bool probed_ = false;
  bool beyond_ = false;
};

}  // namespace

DistinguishedTrees Distinguish(SummationTreeProbe& probe,
                               std::vector<NamedTree> candidates) {
  Apart apart(probe, candidates);
  const std::vector<bool> fits = apart.Run();
  DistinguishedTrees distinct{.left = {}, .decided = apart.probed()};
  for (std::size_t m = 0; m < fits.size(); ++m) {
    if (fits[m]) distinct.left.push_back(candidates[m]);
  }
  const bool one =
      std::ranges::all_of(distinct.left, [&](const NamedTree& named) {
        return SameTree(named.tree, distinct.left.front().tree);
      });
  if (distinct.decided && !one) distinct.left.clear();
  return distinct;
}

}  // namespace lanediff::character
