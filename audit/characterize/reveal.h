#pragma once

#include <optional>

#include "audit/characterize/summation_tree_probe.h"
#include "audit/characterize/tree.h"

namespace lanediff::character {

/// The tree of a sum or a product, leaf by leaf: each is searched in the tree
/// of those before it, a node that splits the rest being probed first. About 2
/// n log n probes. Nothing where answers fit no tree.
std::optional<Tree> RevealByTriples(SummationTreeProbe& probe);

}  // namespace lanediff::character
