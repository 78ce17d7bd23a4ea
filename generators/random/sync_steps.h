#pragma once

#include <cstddef>
#include <vector>

#include "differential/testcase/case.h"
#include "generators/random.h"
#include "isa/access.h"
#include "isa/step.h"
#include "isa/vocabulary.h"

/// Flags and barriers between the steps of a program.
namespace lanediff::make {

/// Steps to be synchronized, and the operations among them.
struct SyncDraft {
  struct Operation {
    std::size_t step = 0;  ///< in `steps`
    isa::Pipe pipe = isa::Pipe::kV;
    std::vector<isa::Access> accesses;
  };
  std::vector<isa::Step> steps;
  std::vector<Operation> operations;
};

/// The steps, with what orders every two operations that share a byte, one of
/// them writing, as far as the product has it.
std::vector<isa::Step> RightlySynchronized(Random& random, const Case& c,
                                           const SyncDraft& draft);

/// The steps, with flags and barriers at random between them, or none.
std::vector<isa::Step> AnyhowSynchronized(Random& random,
                                          const SyncDraft& draft);

/// Whether the step is there for order or state alone: a flag, a barrier, a
/// mask or a mode.
bool IsSynchronizing(const isa::Step& step);

/// Deletes, changes, doubles or moves one such step, or takes away a region
/// that counts as written.
void SpoilSynchronization(Random& random, Case& c);

}  // namespace lanediff::make
