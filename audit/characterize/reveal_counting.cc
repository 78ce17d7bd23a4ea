#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <vector>

#include "audit/characterize/reveal.h"

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

}  // namespace lanediff::character
