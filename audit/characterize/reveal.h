#pragma once

#include <optional>

#include "audit/characterize/summation_tree_probe.h"
#include "audit/characterize/tree.h"

namespace lanediff::character {

/// The tree of a sum whose order is not known, by FPRev (arXiv 2411.00442):
/// with M and -M at two leaves and a unit everywhere else, what comes out
/// counts the leaves outside the smallest subtree that holds both. At most
/// n(n-1)/2 probes. Nothing where units are not swallowed as a sum rounded to
/// nearest does it, or answers fit no tree.
std::optional<Tree> RevealByCounting(SummationTreeProbe& probe);

/// The tree of a sum or a product, leaf by leaf: each is searched in the tree
/// of those before it, a node that splits the rest being probed first. About 2
/// n log n probes. Nothing where answers fit no tree.
std::optional<Tree> RevealByTriples(SummationTreeProbe& probe);

}  // namespace lanediff::character
