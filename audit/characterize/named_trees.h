#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "audit/characterize/fold.h"
#include "audit/characterize/summation_tree_probe.h"
#include "audit/characterize/tree.h"

namespace lanediff::character {

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
