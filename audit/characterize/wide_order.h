#pragma once

#include <vector>

#include "audit/characterize/named_trees.h"
#include "audit/characterize/summation_tree_probe.h"

namespace lanediff::character {

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
