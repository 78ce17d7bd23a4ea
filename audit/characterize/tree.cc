#include "audit/characterize/tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <utility>

#include "audit/characterize/number.h"

namespace lanediff::character {
namespace {

using Node = Tree::Node;

/// The nodes of `tree` that the root leads to, children before parents.
std::vector<Node> ChildrenFirst(const Tree& tree) {
  std::vector<Node> order = {tree.root()};
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto& children = tree.children(order[i]);
    order.insert(order.end(), children.begin(), children.end());
  }
  std::ranges::reverse(order);
  return order;
}

/// M, and what it swallows: as far apart as normal numbers of the type are,
/// half an accumulator's width at least.
struct Mask {
  double large;
  double unit;
};

Mask MaskOf(isa::DType type) {
  if (type == isa::DType::kHalf) return {0x1p15, 0x1p-14};
  return {0x1p100, 0x1p-100};
}

Meeting JudgeSum(const Mask& mask, double value) {
  if (value == mask.unit) return Meeting::kFirst;
  return std::isfinite(value) && std::fabs(value) < mask.large
             ? Meeting::kNotFirst
             : Meeting::kStrange;
}

/// A number whose square is beyond the type and whose inverse is normal.
double FactorOf(isa::DType type) {
  return type == isa::DType::kHalf ? 0x1p10 : 0x1p100;
}

/// What an overflow may leave: an infinity, NaN, the largest number on its
/// own or times the inverse; some saturate a little early.
Meeting JudgeProduct(isa::DType type, double value) {
  const double factor = FactorOf(type);
  if (value == factor) return Meeting::kNotFirst;
  if (!std::isfinite(value)) return Meeting::kFirst;
  const double bound = LargestOf(type);
  const auto near = [&](double expected) {
    return value > expected * 0.9 && value <= expected;
  };
  return near(bound) || near(bound / factor) ? Meeting::kFirst
                                             : Meeting::kStrange;
}

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

Tree::Node Tree::Join(std::vector<Node> children) {
  if (children.size() == 1) return children.front();
  children_.push_back(std::move(children));
  return children_.size() - 1;
}

void Tree::Graft(Node node, Node sibling) {
  const Node parent = Join(node, sibling);
  if (root_ == node) root_ = parent;
  for (Node n = leaves_; n < parent; ++n) {
    std::ranges::replace(children_[n], node, parent);
  }
}

std::vector<std::vector<std::size_t>> Tree::LeavesBelow() const {
  std::vector<std::vector<std::size_t>> below(nodes());
  for (const Node node : ChildrenFirst(*this)) {
    if (is_leaf(node)) below[node] = {node};
    for (const Node child : children_[node]) {
      below[node].insert(below[node].end(), below[child].begin(),
                         below[child].end());
    }
    std::ranges::sort(below[node]);
  }
  return below;
}

std::string Tree::Text(const std::vector<std::size_t>& names) const {
  std::vector<std::string> text(nodes());
  std::vector<std::size_t> first(nodes());
  for (const Node node : ChildrenFirst(*this)) {
    if (is_leaf(node)) {
      first[node] = node;
      text[node] = fmt::format("{}", names[node]);
      continue;
    }
    std::vector<Node> children = children_[node];
    std::ranges::sort(children, {}, [&](Node child) { return first[child]; });
    first[node] = first[children.front()];
    for (const Node child : children) {
      text[node] += text[node].empty() ? "(" : " ";
      text[node] += std::exchange(text[child], {});
    }
    text[node] += ")";
  }
  return text[root_];
}

std::string Tree::Text() const {
  std::vector<std::size_t> names(leaves_);
  std::iota(names.begin(), names.end(), std::size_t{0});
  return Text(names);
}

bool SameTree(const Tree& a, const Tree& b) {
  return a.leaves() == b.leaves() && a.Text() == b.Text();
}

double NeutralOf(const Fold& fold) {
  return fold.combine == Combine::kProduct ? 1 : 0;
}

std::vector<double> SummationTreeProbe::Spread(
    const std::vector<double>& values) const {
  std::vector<double> leaves(all_, NeutralOf(prober_.fold()));
  for (std::size_t i = 0; i < places_.size(); ++i) {
    leaves[places_[i]] = values[i];
  }
  return leaves;
}

Meeting SummationTreeProbe::RunProbe(const Triple& t) {
  const Fold& fold = prober_.fold();
  std::vector<double> leaves(places_.size(), NeutralOf(fold));
  const bool product = fold.combine == Combine::kProduct;
  const Mask mask = MaskOf(fold.dtype);
  const double factor = FactorOf(fold.dtype);
  leaves[t.i] = product ? factor : mask.large;
  leaves[t.j] = product ? factor : -mask.large;
  leaves[t.k] = product ? 1 / factor : mask.unit;
  const auto value = prober_.Probe(Spread(leaves));
  if (!value) return Meeting::kNoAnswer;
  const Meeting meeting =
      product ? JudgeProduct(fold.dtype, *value) : JudgeSum(mask, *value);
  Show(t, meeting);
  return meeting;
}

void SummationTreeProbe::Show(const Triple& t, Meeting meeting) {
  constexpr std::size_t kMost = 3;
  if (shown_.size() >= kMost) return;
  shown_.push_back(prober_.Shown());
  const auto& lanes = prober_.fold().lanes;
  const auto name = [&](std::size_t leaf) {
    return lanes.empty() ? places_[leaf] : lanes[places_[leaf]];
  };
  shown_.back().note += fmt::format(
      " Leaves {} and {} {} before either meets {}.", name(t.i), name(t.j),
      meeting == Meeting::kFirst ? "meet" : "do not meet", name(t.k));
}

Meeting SummationTreeProbe::Query(const Triple& t) {
  const auto key = std::tuple(std::min(t.i, t.j), std::max(t.i, t.j), t.k);
  const auto found = known_.find(key);
  if (found != known_.end()) return found->second;
  return known_[key] = RunProbe(t);
}

bool SummationTreeProbe::IsRepeatable(const Triple& t) {
  const Meeting before = Query(t);
  return RunProbe({t.j, t.i, t.k}) == before;
}

std::optional<Tree> RevealByTriples(SummationTreeProbe& probe) {
  Inserter inserter(probe);
  for (std::size_t leaf = 1; leaf < probe.leaves(); ++leaf) {
    if (!inserter.Insert(leaf)) return std::nullopt;
  }
  return std::move(inserter.tree());
}

}  // namespace lanediff::character
