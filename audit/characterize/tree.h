#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

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

}  // namespace lanediff::character
