#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "audit/characterize/number.h"
#include "audit/characterize/tree.h"
#include "isa/memory_map.h"
#include "isa/units.h"

namespace lanediff::character {
namespace {

using Node = Tree::Node;
/// Lanes of a register; those with nothing in them take no part.
using Lanes = std::vector<std::optional<Node>>;

/// Builds trees over leaves that lie in lanes.
class Builder {
 public:
  Builder(std::size_t leaves, const std::vector<std::size_t>& lanes)
      : tree_(leaves), lanes_(lanes) {
    if (lanes_.empty()) {
      lanes_.resize(leaves);
      std::iota(lanes_.begin(), lanes_.end(), std::size_t{0});
    }
  }

  /// Lanes 0 and 1, 2 and 3, …, then the same of the results.
  Tree Neighbours() {
    Lanes row = Row();
    while (row.size() > 1) row = Paired(row);
    return Done(row[0]);
  }
  /// Lane i and lane i + w, w halved from that of a whole register.
  Tree Halves() {
    Lanes row = Row();
    row.resize(std::bit_ceil(row.size()));
    return Done(FoldHalves(std::move(row)));
  }
  /// The same, but w is half of what there is, rounded up.
  Tree HalvesOfAll() {
    Lanes row = Row();
    while (row.size() > 1) {
      const std::size_t width = (row.size() + 1) / 2;
      for (std::size_t i = width; i < row.size(); ++i) {
        row[i - width] = Both(row[i - width], row[i]);
      }
      row.resize(width);
    }
    return Done(row[0]);
  }
  Tree LeftFold() { return Done(Strided(1)[0]); }
  Tree RightFold() {
    std::optional<Node> all;
    for (Node leaf = tree_.leaves(); leaf-- > 0;) all = Both(leaf, all);
    return Done(all);
  }
  /// How accumulators are combined at the end.
  enum class End : std::uint8_t { kLeft, kRight, kHalves, kOneNode };

  /// Leaf j goes to accumulator j mod `width`.
  Tree BlockLanes(std::size_t width, End end) {
    Lanes accumulators = Strided(width);
    if (end == End::kHalves) return Done(FoldHalves(std::move(accumulators)));
    std::erase(accumulators, std::nullopt);
    if (end == End::kRight) std::ranges::reverse(accumulators);
    std::optional<Node> all;
    std::vector<Node> there;
    for (const auto& lane : accumulators) {
      there.push_back(*lane);
      if (end != End::kOneNode) all = Both(all, lane);
    }
    return Done(end == End::kOneNode ? tree_.Join(there) : all);
  }
  /// Pairs of adjacent repeats, an odd repeat and the tail into the first
  /// pair, pairs of pairs, then halves of the last repeat.
  Tree Documented(std::size_t width) {
    const std::size_t full = tree_.leaves() / width;
    std::vector<Lanes> tmp;
    for (std::size_t k = 0; k + 1 < full; k += 2) {
      tmp.push_back(Both(Repeat(width, k), Repeat(width, k + 1)));
    }
    if (tmp.empty()) tmp.emplace_back(width);
    if (full % 2 == 1) tmp[0] = Both(tmp[0], Repeat(width, full - 1));
    tmp[0] = Both(tmp[0], Repeat(width, full));
    while (tmp.size() > 1) tmp = Paired(tmp);
    return Done(FoldHalves(std::move(tmp[0])));
  }

 private:
  std::optional<Node> Both(std::optional<Node> a, std::optional<Node> b) {
    if (!a || !b) return a ? a : b;
    return tree_.Join(*a, *b);
  }
  Lanes Both(const Lanes& a, const Lanes& b) {
    Lanes both;
    for (std::size_t i = 0; i < a.size(); ++i) both.push_back(Both(a[i], b[i]));
    return both;
  }
  /// Neighbours joined; an odd one stays.
  template <class T>
  std::vector<T> Paired(const std::vector<T>& row) {
    std::vector<T> next;
    for (std::size_t i = 0; i < row.size(); i += 2) {
      next.push_back(i + 1 < row.size() ? Both(row[i], row[i + 1]) : row[i]);
    }
    return next;
  }
  std::optional<Node> FoldHalves(Lanes row) {
    for (std::size_t width = row.size() / 2; width >= 1; width /= 2) {
      for (std::size_t i = 0; i < width; ++i) {
        row[i] = Both(row[i], row[i + width]);
      }
    }
    return row[0];
  }
  /// The leaves in their lanes.
  Lanes Row() const {
    Lanes row(lanes_.back() + 1);
    for (Node leaf = 0; leaf < tree_.leaves(); ++leaf) row[lanes_[leaf]] = leaf;
    return row;
  }
  /// The leaves of repeat `k`, as far as there are any.
  Lanes Repeat(std::size_t width, std::size_t k) const {
    Lanes row(width);
    for (std::size_t i = 0; i < width && k * width + i < tree_.leaves(); ++i) {
      row[i] = k * width + i;
    }
    return row;
  }
  Lanes Strided(std::size_t width) {
    Lanes row(width);
    for (Node leaf = 0; leaf < tree_.leaves(); ++leaf) {
      row[lanes_[leaf] % width] = Both(row[lanes_[leaf] % width], leaf);
    }
    return row;
  }
  Tree Done(std::optional<Node> root) {
    tree_.set_root(root.value_or(0));
    return std::move(tree_);
  }

  Tree tree_;
  std::vector<std::size_t> lanes_;
};

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

std::vector<NamedTree> NamedTrees(const Fold& fold, std::size_t leaves) {
  const auto bytes = static_cast<std::size_t>(isa::SizeBytes(fold.dtype));
  const std::size_t block = isa::kDataBlockBytes / bytes;
  const std::size_t all = isa::kIterationBytes / bytes;
  const auto build = [&] { return Builder(leaves, fold.lanes); };
  std::vector<NamedTree> trees;
  const auto add = [&](std::string_view name, Tree tree) {
    trees.push_back({name, tree, tree});
  };
  const bool product = fold.family() == isa::Family::kTile;
  if (product) {
    add("documented", build().Documented(all));
    // What the shipped code does: for half the last chain runs in float.
    const bool half = fold.dtype == isa::DType::kHalf;
    const auto end = half ? Builder::End::kOneNode : Builder::End::kLeft;
    const auto lanes = [&](Builder::End of) {
      return build().BlockLanes(block, of);
    };
    trees.push_back({"block-lanes", lanes(Builder::End::kLeft), lanes(end)});
    for (const auto other : {Builder::End::kRight, Builder::End::kHalves}) {
      if (half) trees.push_back({"", lanes(other), lanes(end)});
    }
    // Halves that are widened before: registers of floats.
    if (half) add("", build().Documented(all / 2));
    add("register-lanes", build().BlockLanes(all, Builder::End::kHalves));
  }
  if (!product) add("neighbours", build().Neighbours());
  add("left-fold", build().LeftFold());
  add("right-fold", build().RightFold());
  add("halves", build().Halves());
  add("halves", build().HalvesOfAll());
  if (product) add("neighbours", build().Neighbours());
  add("block-lanes", build().BlockLanes(block, Builder::End::kLeft));
  if (!product)
    add("register-lanes", build().BlockLanes(all, Builder::End::kHalves));
  if (fold.order) {
    const auto requested =
        std::ranges::find(trees, isa::Name(*fold.order), &NamedTree::name);
    if (requested != trees.end())
      std::rotate(trees.begin(), requested, requested + 1);
  }
  return trees;
}

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
