#include "audit/characterize/tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

namespace lanediff::character {
namespace {

/// The nodes of `tree` that the root leads to, children before parents.
std::vector<Tree::Node> ChildrenFirst(const Tree& tree) {
  std::vector<Tree::Node> order = {tree.root()};
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto& children = tree.children(order[i]);
    order.insert(order.end(), children.begin(), children.end());
  }
  std::ranges::reverse(order);
  return order;
}

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

}  // namespace lanediff::character
