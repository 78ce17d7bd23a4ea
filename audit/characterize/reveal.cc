#include "audit/characterize/reveal.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <span>
#include <vector>

namespace lanediff::character {
namespace {

struct Counting {
  double mask;
  double unit;
};

/// Sums of all units but two are less than half the last bit of the mask: in an
/// accumulator of 11 bits, in one of 24, where the unit is a subnormal half.
std::vector<Counting> CountingsOf(isa::DType type) {
  if (type == isa::DType::kHalf) {
    return {{0x1p15, 0x1p-4}, {0x1p15, 0x1p-16}};
  }
  return {{0x1p100, 1}};
}

/// What a triple leaves with k inside the smallest subtree of i and j.
std::optional<Triple> Inside(SummationTreeProbe& probe) {
  for (const Triple t : {Triple{0, 1, 2}, Triple{0, 2, 1}, Triple{1, 2, 0}}) {
    if (probe.Query(t) == Meeting::kNotFirst) return t;
  }
  return std::nullopt;
}

/// The one of which a unit is swallowed.
std::optional<Counting> CountingFor(SummationTreeProbe& probe) {
  const auto inside = Inside(probe);
  if (!inside) return std::nullopt;
  for (const Counting& c : CountingsOf(probe.prober().fold().dtype)) {
    std::vector<double> leaves(probe.leaves());
    leaves[inside->i] = c.mask;
    leaves[inside->j] = -c.mask;
    leaves[inside->k] = c.unit;
    if (probe.prober().Probe(probe.Spread(leaves)) == 0) return c;
  }
  return std::nullopt;
}

/// Thrown where answers fit no tree; does not leave this file.
struct NoTree {};

class Counter {
 public:
  Counter(SummationTreeProbe& probe, const Counting& counting)
      : probe_(probe), counting_(counting), tree_(probe.leaves()) {}

  Tree Reveal() {
    std::vector<std::size_t> all(probe_.leaves());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
    tree_.set_root(tree_.Join(Forest(all, all.size() + 1)));
    return std::move(tree_);
  }

 private:
  using Leaves = std::vector<std::size_t>;

  /// How many leaves the smallest subtree of both has.
  std::size_t Size(std::size_t i, std::size_t j) {
    std::vector<double> leaves(probe_.leaves(), counting_.unit);
    leaves[i] = counting_.mask;
    leaves[j] = -counting_.mask;
    const auto sum = probe_.prober().Probe(probe_.Spread(leaves));
    if (!sum) throw NoTree();
    const double outside = *sum / counting_.unit;
    const auto most = static_cast<double>(probe_.leaves() - 2);
    if (!(outside >= 0 && outside <= most) || std::trunc(outside) != outside) {
      throw NoTree();
    }
    return probe_.leaves() - static_cast<std::size_t>(outside);
  }

  /// The subtrees of `leaves` that are children of a node of `size` leaves.
  std::vector<Tree::Node> Forest(const Leaves& leaves, std::size_t size) {
    std::map<std::size_t, Leaves> by_size;
    for (const std::size_t j : std::span(leaves).subspan(1)) {
      by_size[Size(leaves[0], j)].push_back(j);
    }
    Leaves others;
    if (!by_size.empty() && by_size.rbegin()->first >= size) {
      if (by_size.rbegin()->first > size) throw NoTree();
      others = std::move(by_size.rbegin()->second);
      by_size.erase(std::prev(by_size.end()));
    }
    Tree::Node node = leaves[0];
    std::size_t below = 1;
    for (const auto& [inner_size, more] : by_size) {
      below += more.size();
      if (below != inner_size) throw NoTree();
      std::vector<Tree::Node> children = Forest(more, inner_size);
      children.push_back(node);
      node = tree_.Join(std::move(children));
    }
    std::vector<Tree::Node> forest = {node};
    if (!others.empty()) {
      const auto rest = Forest(others, size);
      forest.insert(forest.end(), rest.begin(), rest.end());
    }
    return forest;
  }

  SummationTreeProbe& probe_;
  Counting counting_;
  Tree tree_;
};

using Node = Tree::Node;

/// Puts one leaf after the other into a tree.
class Inserter {
 public:
  explicit Inserter(SummationTreeProbe& probe)
      : probe_(probe), tree_(probe.leaves()) {}

  /// False where answers fit no tree.
  bool Insert(std::size_t leaf) {
    top_ = tree_.root();
    cut_.clear();
    while (const auto node = Splitting()) {
      const Where where = Look(*node, leaf);
      if (where == Where::kNowhere) return false;
      if (where == Where::kHere) {
        tree_.AddChild(*node, leaf);
        return true;
      }
    }
    tree_.Graft(top_, leaf);
    return true;
  }

  Tree& tree() { return tree_; }

 private:
  enum class Where : std::uint8_t { kBelow, kAbove, kHere, kNowhere };

  /// Probes at `node` on which side the leaf is, and leaves that side only.
  Where Look(Node node, std::size_t leaf) {
    const auto& children = tree_.children(node);
    const std::size_t a = LeafBelow(children[0]);
    const std::size_t b = LeafBelow(children[1]);
    const Meeting above = probe_.Query({a, b, leaf});
    if (above == Meeting::kFirst) {
      cut_.insert(node);
      return Where::kAbove;
    }
    if (above != Meeting::kNotFirst) return Where::kNowhere;
    for (const Node child : children) {
      const std::size_t other = child == children[0] ? b : a;
      const Meeting below = probe_.Query({LeafBelow(child), leaf, other});
      if (below == Meeting::kFirst) {
        top_ = child;
        return Where::kBelow;
      }
      if (below != Meeting::kNotFirst) return Where::kNowhere;
    }
    return Where::kHere;
  }

  std::size_t LeafBelow(Node node) const {
    while (!tree_.is_leaf(node)) node = tree_.children(node).front();
    return node;
  }

  /// The nodes at or above which the leaf may still be, parents first.
  std::vector<Node> Region() const {
    std::vector<Node> region = {top_};
    for (std::size_t i = 0; i < region.size(); ++i) {
      if (cut_.contains(region[i])) continue;
      const auto& children = tree_.children(region[i]);
      region.insert(region.end(), children.begin(), children.end());
    }
    return region;
  }

  /// The inner node that leaves the least of the region, whatever the answer;
  /// nothing where one place is left.
  std::optional<Node> Splitting() const {
    const std::vector<Node> region = Region();
    std::vector<std::size_t> weight(tree_.nodes());
    std::optional<Node> best;
    std::size_t least = region.size() + 1;
    for (auto node = region.rbegin(); node != region.rend(); ++node) {
      weight[*node] = 1;
      if (tree_.is_leaf(*node) || cut_.contains(*node)) continue;
      std::size_t largest = 0;
      for (const Node child : tree_.children(*node)) {
        weight[*node] += weight[child];
        largest = std::max(largest, weight[child]);
      }
      largest = std::max(largest, region.size() - weight[*node] + 1);
      if (largest < least) {
        least = largest;
        best = *node;
      }
    }
    return best;
  }

  SummationTreeProbe& probe_;
  Tree tree_;
  Node top_ = 0;        ///< the leaf is below it, or right above
  std::set<Node> cut_;  ///< the leaf is not below these
};

}  // namespace

std::optional<Tree> RevealByCounting(SummationTreeProbe& probe) {
  if (probe.leaves() < 3) return std::nullopt;
  const auto counting = CountingFor(probe);
  if (!counting) return std::nullopt;
  try {
    return Counter(probe, *counting).Reveal();
  } catch (const NoTree&) {
    return std::nullopt;
  }
}

std::optional<Tree> RevealByTriples(SummationTreeProbe& probe) {
  Inserter inserter(probe);
  for (std::size_t leaf = 1; leaf < probe.leaves(); ++leaf) {
    if (!inserter.Insert(leaf)) return std::nullopt;
  }
  return std::move(inserter.tree());
}

}  // namespace lanediff::character
