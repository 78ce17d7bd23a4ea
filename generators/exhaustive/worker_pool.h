#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "differential/records/exhaust_state.h"
#include "generators/exhaustive/space.h"

namespace lanediff::make::exhaust {

/// Walkers, one for each thread, that are kept from round to round.
class WorkerPool {
 public:
  /// `space`, `target` and `reference` must outlive it; `jobs` is at least 1.
  WorkerPool(const Space& space, const diff::Target& target,
             const diff::Target& reference, std::size_t jobs,
             isa::Edition edition = isa::kNewestEdition);

  /// Runs positions [begin, end) of `part`. The tally is the same however many
  /// threads there are, unless a target keeps something from call to call.
  Tally Run(const Part& part, std::uint64_t begin, std::uint64_t end);

 private:
  const diff::Target& target_;
  std::vector<std::unique_ptr<Walker>> walkers_;
};

}  // namespace lanediff::make::exhaust
