#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "audit/characterize/probe_runner.h"

namespace lanediff::character {

/// In which order leaves are combined. Which side of a node is the left one
/// does not count: no sum or product shows it.
class Tree {
 public:
  /// A number of a node: leaves come first.
  using Node = std::size_t;

  explicit Tree(std::size_t leaves) : children_(leaves), leaves_(leaves) {}

  std::size_t leaves() const { return leaves_; }
  std::size_t nodes() const { return children_.size(); }
  bool is_leaf(Node node) const { return node < leaves_; }
  const std::vector<Node>& children(Node node) const { return children_[node]; }

  /// A node over `children`; of one child, that child.
  Node Join(std::vector<Node> children);
  Node Join(Node a, Node b) { return Join(std::vector<Node>{a, b}); }
  /// Puts `sibling` beside `node`, in a new node in its place.
  void Graft(Node node, Node sibling);
  /// Puts one more child below an inner node.
  void AddChild(Node node, Node child) { children_[node].push_back(child); }

  void set_root(Node root) { root_ = root; }
  Node root() const { return root_; }

  /// The leaves below each node, ascending.
  std::vector<std::vector<std::size_t>> LeavesBelow() const;

  /// "((0 1) 2)": the leaves by `names`, each node's children by their first
  /// leaf. Equal trees have equal texts.
  std::string Text(const std::vector<std::size_t>& names) const;
  /// By the leaves' own numbers.
  std::string Text() const;

 private:
  std::vector<std::vector<Node>> children_;
  std::size_t leaves_;
  Node root_ = 0;
};

bool SameTree(const Tree& a, const Tree& b);

/// Leaves i and j meet before either meets k.
struct Triple {
  std::size_t i, j, k;
};

/// One triple for each inner node but the root, of any of its leaves: a binary
/// tree is the only one in which all of them hold (Steel 1992). For nodes of
/// more than two children there are more, of which none holds in any
/// arrangement.
struct Definition {
  std::vector<Triple> first;
  std::vector<Triple> apart;
};
/// `pick` chooses among that many leaves.
template <class Pick>
Definition DefinitionOf(const Tree& tree, Pick pick) {
  const auto below = tree.LeavesBelow();
  const auto any = [&](Tree::Node node) {
    return below[node][pick(below[node].size())];
  };
  Definition all;
  for (Tree::Node node = tree.leaves(); node < tree.nodes(); ++node) {
    const auto& children = tree.children(node);
    for (std::size_t c = 0; c < children.size(); ++c) {
      const auto& inner = tree.children(children[c]);
      if (inner.empty()) continue;
      const Tree::Node other = children[c == 0 ? 1 : 0];
      all.first.push_back({any(inner[0]), any(inner[1]), any(other)});
    }
    for (std::size_t c = 2; c < children.size(); ++c) {
      all.apart.push_back(
          {any(children[c - 2]), any(children[c - 1]), any(children[c])});
    }
  }
  return all;
}

/// What a probe of three leaves showed.
enum class Meeting : std::uint8_t {
  kFirst,     ///< i and j meet before either meets k
  kNotFirst,  ///< they don't
  kStrange,   ///< no tree gives such a value
  kNoAnswer,
};

/// Finds which of three leaves meet first.
///
/// Of a sum: M, -M and one that M swallows. It survives exactly if M and -M
/// meet before it joins either; whatever the rounding, and of all accumulators
/// whose significand is shorter than M is above it.
///
/// Of a product: twice a number whose square is too large, and its inverse.
/// The product overflows exactly if the two meet before the inverse joins
/// either: it is infinite, or, where halves saturate, too small.
class SummationTreeProbe {
 public:
  /// Of `all` leaves those at `places` are probed, by their number in that
  /// list; the others always have the neutral value.
  SummationTreeProbe(Prober& prober, std::size_t all,
                     std::vector<std::size_t> places)
      : prober_(prober), all_(all), places_(std::move(places)) {}

  Meeting Query(const Triple& triple);
  /// Whether a second probe has the same answer as the first.
  bool IsRepeatable(const Triple& triple);

  Prober& prober() { return prober_; }
  std::size_t leaves() const { return places_.size(); }
  /// All leaves of a probe in which the leaves at `places` have these values.
  std::vector<double> Spread(const std::vector<double>& values) const;
  using Known =
      std::map<std::tuple<std::size_t, std::size_t, std::size_t>, Meeting>;
  const Known& known() const { return known_; }
  /// The cases of the first queried triples.
  const std::vector<Case>& shown() const { return shown_; }

 private:
  Meeting RunProbe(const Triple& triple);
  void Show(const Triple& triple, Meeting meeting);

  Prober& prober_;
  std::size_t all_;
  std::vector<std::size_t> places_;
  Known known_;
  std::vector<Case> shown_;
};

/// The tree of a sum or a product, leaf by leaf: each is searched in the tree
/// of those before it, a node that splits the rest being probed first. About 2
/// n log n probes. Nothing where answers fit no tree.
std::optional<Tree> RevealByTriples(SummationTreeProbe& probe);

/// The neutral value of a fold.
double NeutralOf(const Fold& fold);

/// Chooses among leaves; the same in every run.
class Chooser {
 public:
  std::size_t operator()(std::size_t count) { return random_() % count; }

 private:
  std::minstd_rand random_{20411};
};

/// An order that has a name, over some number of leaves.
struct NamedTree {
  std::string_view name;
  Tree tree;
  /// What probes of range show of it: where the last nodes are computed in
  /// a wider type, these are one.
  Tree seen;
};

/// The orders that `fold` may have over `leaves` leaves, the likeliest first;
/// a name may stand there twice, where it is used for two trees, and is empty
/// for an unnamed order that resembles a named one. Of leaves that lie in lanes
/// apart, by their lanes.
std::vector<NamedTree> NamedTrees(const Fold& fold, std::size_t leaves);

/// What range shows of named orders of a product some nodes of which are
/// computed in a wider type, so that triples leave the type's range nowhere:
/// products of many leaves leave that of the wider type, too, where enough of
/// them meet first.
struct DistinguishedTrees {
  /// Those that fit; all of one tree where it was decided.
  std::vector<NamedTree> left;
  /// False where no product that can be requested distinguishes any two.
  bool decided = false;
};

/// Nodes that `seen` has are of the leaves' own type; a `seen` without leaves
/// has none.
DistinguishedTrees Distinguish(SummationTreeProbe& probe,
                               std::vector<NamedTree> candidates);

}  // namespace lanediff::character
