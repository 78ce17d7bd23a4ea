#include "oracle/elementwise.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "isa/vocabulary.h"
#include "oracle/lane_list.h"
#include "oracle/node.h"

namespace lanediff::oracle {
namespace {

using isa::DType;

void ListAccesses(DType type, const ElementwiseListing& listing,
                  const ElementwiseMemories& places, std::int64_t r,
                  std::vector<isa::Access>& accesses) {
  AppendAccesses({.operand = "src0", .memory = *places.src0, .dtype = type},
                 listing.src0, r, accesses);
  AppendAccesses({.operand = "src1", .memory = *places.src1, .dtype = type},
                 listing.src1, r, accesses);
  AppendAccesses(
      {.operand = "dst", .write = true, .memory = *places.dst, .dtype = type},
      listing.dst, r, accesses);
}

void Trace(const Operation& operation, DType type, std::int64_t r,
           std::int64_t lane, std::uint64_t left, std::uint64_t right,
           const NodeResult& result, Oracle::State& state) {
  state.nodes.push_back({.iteration = r,
                         .level = 0,
                         .index = lane,
                         .dtype = type,
                         .operation = operation.name,
                         .left = left,
                         .right = right,
                         .result = result.bits,
                         .exact = operation.exact(type, left, right),
                         .rounded = result.rounded,
                         .tie = result.tie,
                         .saturated = result.saturated,
                         .wrapped = result.wrapped});
}

/// The exact values of the iteration's nodes, the last ones traced, are those
/// of the elements written.
void TraceTrueResults(const LaneList& dst, std::int64_t r, std::size_t nodes,
                      Oracle::State& state) {
  const Node* node = state.nodes.data() + state.nodes.size() - nodes;
  for (const LaneRun& run : dst.runs) {
    const auto at = static_cast<std::int64_t>(dst.AddressOf(r, run));
    for (std::int64_t i = 0; i < run.bytes; i += dst.element_bytes, ++node) {
      state.true_results.push_back({.iteration = r,
                                    .lane = node->index,
                                    .at = at + i,
                                    .exact = node->exact,
                                    .bits = node->result});
    }
  }
}

/// Of one iteration; kept for the next one only to save allocating.
struct Scratch {
  std::vector<std::uint64_t> left;
  std::vector<std::uint64_t> right;
  std::vector<std::uint64_t> results;
};

/// All reads of an iteration come before its writes.
void ExecuteIteration(const Operation& operation, DType type,
                      const ElementwiseListing& listing,
                      const ElementwiseMemories& places, std::int64_t r,
                      Scratch& scratch, Oracle::State& state) {
  auto& [left, right, results] = scratch;
  LoadLanes(state.memories[*places.src0], listing.src0, r, left);
  LoadLanes(state.memories[*places.src1], listing.src1, r, right);
  results.resize(left.size());
  for (std::size_t i = 0; i < results.size(); ++i) {
    const NodeResult result =
        operation.compute(type, left[i], right[i], state.saturation);
    const std::int64_t lane =
        listing.lanes.empty() ? static_cast<std::int64_t>(i) : listing.lanes[i];
    if (state.tracing) {
      Trace(operation, type, r, lane, left[i], right[i], result, state);
    }
    operation.count(type, left[i], right[i], result, state.events);
    ++state.node_count;
    results[i] = result.bits;
  }
  if (state.tracing && operation.has_true_results) {
    TraceTrueResults(listing.dst, r, results.size(), state);
  }
  StoreLanes(state.memories[*places.dst], listing.dst, r, results);
}

}  // namespace

void ExecuteListing(const Operation& operation, DType type,
                    const ElementwiseListing& listing,
                    const ElementwiseMemories& places, Oracle::State& state) {
  Scratch scratch;
  for (std::int64_t r = 0; r < listing.iterations; ++r) {
    ListAccesses(type, listing, places, r, state.accesses);
    if (state.computing) {
      ExecuteIteration(operation, type, listing, places, r, scratch, state);
    }
  }
}

bool HasArithmetic(DType type) {
  return type == DType::kHalf || type == DType::kFloat ||
         type == DType::kInt16 || type == DType::kInt32;
}

}  // namespace lanediff::oracle
