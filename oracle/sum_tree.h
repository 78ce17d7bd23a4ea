#pragma once

#include <cstdint>
#include <vector>

#include "isa/vocabulary.h"
#include "oracle/oracle.h"

/// RRS-TREE, WRS-TREE: lanes are added as a binary tree of neighbours.
namespace lanediff::oracle {

/// A leaf or an inner node of the tree that takes part.
struct Term {
  std::int64_t position = 0;  ///< in its level, from 0
  std::uint64_t bits = 0;
};

/// The value written for `iteration`, always over all leaves, 128 for half and
/// 64 for float. `terms` are those that take part, at least one, in ascending
/// order; they are used up.
std::uint64_t SumTree(std::vector<Term>& terms, std::int64_t iteration,
                      isa::DType dtype, Oracle::State& state);

}  // namespace lanediff::oracle
