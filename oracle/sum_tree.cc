#include "oracle/sum_tree.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "oracle/count_events.h"
#include "oracle/exact_text.h"
#include "oracle/memory_map.h"
#include "oracle/node.h"
#include "oracle/state.h"
#include "oracle/vector_lanes.h"

namespace lanediff::oracle {
namespace {

using isa::DType;

void Trace(Oracle::State& state, std::int64_t iteration, int level,
           std::size_t index, DType dtype, std::uint64_t left,
           std::uint64_t right, const NodeResult& result, bool is_add) {
  state.nodes.push_back({.iteration = iteration,
                         .level = level,
                         .index = static_cast<std::int64_t>(index),
                         .dtype = dtype,
                         .operation = is_add ? "add" : "write",
                         .left = left,
                         .right = right,
                         .result = result.bits,
                         .exact = is_add
                                      ? ExactAdd(dtype, left, right)
                                      : ExactSumText(dtype, std::array{left}),
                         .rounded = result.rounded,
                         .tie = result.tie,
                         .saturated = result.saturated});
}

/// One add of the tree, saturated at each (RRS-SATURATE, WRS-SATURATE).
std::uint64_t AddNode(std::int64_t iteration, int level, std::size_t index,
                      DType dtype, std::uint64_t left, std::uint64_t right,
                      Oracle::State& state) {
  const NodeResult sum = Add(dtype, left, right, state.saturation);
  if (state.tracing) {
    Trace(state, iteration, level, index, dtype, left, right, sum, true);
  }
  CountAdd(dtype, left, right, sum, state.events);
  ++state.node_count;
  return sum.bits;
}

/// From one level of the tree to the next: neighbours are added; a node with
/// one side that takes part is that side, one with none does not take part.
void AddNeighbours(std::vector<Term>& terms, std::int64_t iteration, int level,
                   DType dtype, Oracle::State& state) {
  std::size_t made = 0;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    Term term{.position = terms[i].position / 2, .bits = terms[i].bits};
    if (i + 1 < terms.size() && terms[i + 1].position / 2 == term.position) {
      term.bits =
          AddNode(iteration, level, static_cast<std::size_t>(term.position),
                  dtype, term.bits, terms[i + 1].bits, state);
      ++i;
    }
    terms[made++] = term;
  }
  terms.resize(made);
}

}  // namespace

std::uint64_t SumTree(std::vector<Term>& terms, std::int64_t iteration,
                      DType dtype, Oracle::State& state) {
  const bool any_add = terms.size() > 1;
  int level = 0;
  for (std::int64_t width = kIterationBytes / ElementBytes(dtype); width > 1;
       width /= 2, ++level) {
    AddNeighbours(terms, iteration, level, dtype, state);
  }

  const std::uint64_t root = terms.front().bits;
  const NodeResult written = Write(dtype, root, state.saturation);
  if (!any_add) {
    CountWrite(dtype, root, dtype, written, state.events);
    if (state.tracing) {
      Trace(state, iteration, level, 0, dtype, root, root, written, false);
    }
  }
  return written.bits;
}

}  // namespace lanediff::oracle
