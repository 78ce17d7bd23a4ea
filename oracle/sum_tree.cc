#include "oracle/sum_tree.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "oracle/count_events.h"
#include "oracle/exact_text.h"
#include "oracle/node.h"
#include "oracle/state.h"

namespace lanediff::oracle {
namespace {

using isa::DType;

/// A node of the tree, or a value that is written as it is.
void Trace(std::int64_t iteration, int level, std::int64_t index, DType dtype,
           std::string_view operation, Inputs inputs, std::string exact,
           const NodeResult& result, Oracle::State& state) {
  state.nodes.push_back({.iteration = iteration,
                         .level = level,
                         .index = index,
                         .dtype = dtype,
                         .operation = operation,
                         .left = inputs.front(),
                         .right = inputs.back(),
                         .result = result.bits,
                         .exact = std::move(exact),
                         .rounded = result.rounded,
                         .tie = result.tie,
                         .saturated = result.saturated});
}

/// One node: a sum saturates at each (*-SATURATE), and the larger or smaller of
/// two is what it is.
std::uint64_t Join(const Operation& operation, std::int64_t iteration,
                   int level, std::int64_t index, DType dtype, Inputs inputs,
                   Oracle::State& state) {
  const bool saturates = operation.has_true_results && state.saturation;
  const NodeResult node = operation.node.compute(dtype, inputs, saturates);
  if (state.tracing) {
    Trace(iteration, level, index, dtype, operation.name, inputs,
          operation.node.exact(dtype, inputs), node, state);
  }
  operation.node.count(dtype, inputs, node, saturates, state.events);
  ++state.node_count;
  return node.bits;
}

/// From one level of the tree to the next: neighbours are joined; a node with
/// one side that takes part is that side, one with none does not take part.
void JoinNeighbours(const Operation& operation, std::vector<Term>& terms,
                    std::int64_t iteration, int level, DType dtype,
                    Oracle::State& state) {
  std::size_t made = 0;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    Term term = terms[i];
    term.position /= 2;
    if (i + 1 < terms.size() && terms[i + 1].position / 2 == term.position) {
      const std::array sides = {term.bits, terms[i + 1].bits};
      term.bits =
          Join(operation, iteration, level, term.position, dtype, sides, state);
      term.is_node = true;
      ++i;
    }
    terms[made++] = term;
  }
  terms.resize(made);
}

}  // namespace

void ReduceTrees(const Operation& operation, std::int64_t lanes,
                 std::int64_t iteration, DType dtype, std::vector<Term>& terms,
                 Oracle::State& state) {
  int level = 0;
  for (std::int64_t width = lanes; width > 1; width /= 2, ++level) {
    JoinNeighbours(operation, terms, iteration, level, dtype, state);
  }
  for (Term& root : terms) {
    const NodeResult written = Write(dtype, root.bits, state.saturation);
    // A sum that is written has been saturated by its last node.
    if (!root.is_node || written.bits != root.bits) {
      CountWrite(dtype, root.bits, dtype, written, state.events);
      if (state.tracing) {
        const std::array value = {root.bits};
        Trace(iteration, level, root.position, dtype, "write", value,
              ExactSumText(dtype, value), written, state);
      }
    }
    root.bits = written.bits;
  }
}

}  // namespace lanediff::oracle
