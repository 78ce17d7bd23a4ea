#pragma once

#include <cstdint>
#include <vector>

#include "isa/memories.h"
#include "isa/numeric_events.h"
#include "isa/vocabulary.h"
#include "oracle/oracle.h"
#include "oracle/under_way.h"
#include "oracle/vector_lanes.h"

namespace lanediff::oracle {

/// Everything that steps read and change.
struct Oracle::State {
  explicit State(isa::Profile p = isa::Product{})
      : product(p.product), edition(p.edition), copies(p.product) {}

  isa::Product product;
  isa::Edition edition;
  isa::Memories memories;

  /// STATE-MASK-REGISTER: all ones at the start.
  LaneMask mask_register = LaneMask().set();
  /// STATE-SATURATION: on at the start.
  bool saturation = true;

  /// STATE-MASK-MODE: normal at the start.
  bool counter_mode = false;

  CopiesUnderWay copies;

  /// Of the last step.
  std::vector<isa::Access> accesses;
  std::vector<Node> nodes;
  std::vector<TrueResult> true_results;
  std::vector<isa::Access> open_results;
  isa::NumericEvents events;

  /// Whether bytes are loaded, computed and stored; else memories are sizes.
  bool computing = true;
  bool tracing = false;
  std::uint64_t node_count = 0;

  void ForgetLastStep() {
    accesses.clear();
    nodes.clear();
    true_results.clear();
    open_results.clear();
    events = {};
  }
};

}  // namespace lanediff::oracle
