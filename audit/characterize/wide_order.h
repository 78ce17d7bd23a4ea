#pragma once

#include <vector>

#include "audit/characterize/meetings.h"
#include "audit/characterize/named_trees.h"

namespace lanediff::character {

/// What range tells of named orders of a product some nodes of which are
/// computed in a wider type, so that triples leave the type's range nowhere:
/// products of many leaves leave that of the wider type, too, where enough of
/// them meet first.
struct ToldApart {
  /// Those that fit; all of one tree where it was decided.
  std::vector<NamedTree> left;
  /// False where no product that can be requested tells any two apart.
  bool decided = false;
};

/// Nodes that `seen` has are of the leaves' own type; a `seen` without leaves
/// has none.
ToldApart TellApart(Meetings& meetings, std::vector<NamedTree> candidates);

}  // namespace lanediff::character
