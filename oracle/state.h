#pragma once

#include <cstdint>
#include <vector>

#include "isa/memories.h"
#include "isa/numeric_events.h"
#include "isa/vocabulary.h"
#include "oracle/copies.h"
#include "oracle/oracle.h"
#include "oracle/vector_lanes.h"

namespace lanediff::oracle {

/// Everything that steps read and change.
struct Oracle::State {
  isa::Product product{};
  isa::Memories memories;

  /// STATE-MASK-REGISTER: all ones at the start.
  LaneMask mask_register = LaneMask().set();
  /// STATE-SATURATION: on at the start.
  bool saturation = true;

  /// DC-BARRIER: since the last barrier of each one's pipe.
  std::vector<CopyUnderWay> copies;

  /// Of the last step.
  std::vector<isa::Access> accesses;
  std::vector<Node> nodes;
  std::vector<TrueResult> true_results;
  isa::NumericEvents events;

  bool tracing = false;
  std::uint64_t node_count = 0;

  void ForgetLastStep() {
    accesses.clear();
    nodes.clear();
    true_results.clear();
    events = {};
  }
};

}  // namespace lanediff::oracle
