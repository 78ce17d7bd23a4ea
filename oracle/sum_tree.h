#pragma once

#include <cstdint>
#include <vector>

#include "isa/vocabulary.h"
#include "oracle/call_operations.h"
#include "oracle/oracle.h"

/// *-TREE, *-VALUE of reductions: lanes are joined as a binary tree of
/// neighbours.
namespace lanediff::oracle {

/// A leaf or an inner node of the tree that takes part.
struct Term {
  std::int64_t position = 0;  ///< in its level, from 0
  std::uint64_t bits = 0;
  bool is_node = false;  ///< of two sides that take part
};

/// Makes of the `terms` that take part, in ascending order, what `iteration`
/// writes: a term for each result that has one of its `lanes`, a power of two,
/// always over all of its leaves.
void ReduceTrees(const Operation& operation, std::int64_t lanes,
                 std::int64_t iteration, isa::DType dtype,
                 std::vector<Term>& terms, Oracle::State& state);

}  // namespace lanediff::oracle
