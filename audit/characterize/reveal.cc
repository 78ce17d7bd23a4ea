#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include "audit/characterize/summation_tree_probe.h"
namespace lanediff::character {
namespace {

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

std::optional<Tree> RevealByTriples(SummationTreeProbe& probe) {
  Inserter inserter(probe);
  for (std::size_t leaf = 1; leaf < probe.leaves(); ++leaf) {
    if (!inserter.Insert(leaf)) return std::nullopt;
  }
  return std::move(inserter.tree());
}

}  // namespace lanediff::character
