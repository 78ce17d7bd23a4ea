#pragma once

#include "reports/trace/case_view.h"
#include "reports/trace/facts.h"

namespace lanediff::view {

/// A step that was run, and what stood in memory around it.
struct StepRun {
  std::size_t index = 0;
  const isa::Step& step;
  isa::Product product;
  /// Memory is what the oracle left, of a rejected call as it would have run.
  const StepFacts& facts;
  const diff::MemorySet& before;
  const diff::MemorySet& expected;  ///< after; `before` if it was rejected
  const diff::MemorySet* actual;    ///< after, by the target; null if not run
  bool extended = false;  ///< the accesses are those of a rejected call
};

/// At most so much of a step is kept.
struct StepLimits {
  std::size_t iterations = 0;
  std::size_t accesses = 0;
  std::size_t blocks = 0;
  std::size_t nodes = 0;
  std::size_t overlaps = 0;
};

StepView ViewStep(const StepRun& run, const StepLimits& limits);

}  // namespace lanediff::view
