#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "isa/access.h"
#include "isa/carried.h"
#include "isa/intervals.h"
#include "isa/step.h"
#include "isa/vocabulary.h"

namespace lanediff::machine {

/// KRN-OVERLAP with the 8 KiB at the end of UB that Select of a scalar or of
/// tensors takes for itself (Select · 约束说明), in one block.
class SelectScratch {
 public:
  static constexpr std::int64_t kBytes = 8192;

  explicit SelectScratch(isa::Product product) : product_(product) {}

  struct Conflict {
    std::string what;
    std::optional<std::size_t> select;  ///< the step that overwrote it
  };

  /// Follows an executed step. What it shares with them, if it is such a
  /// Select; else what it reads that such a Select has overwritten.
  std::optional<Conflict> Take(const isa::Step& step, std::size_t number,
                               std::span<const isa::Access> accesses);

 private:
  isa::Product product_;
  isa::IntervalSet written_;
  isa::IntervalSet lost_;  ///< of these, what a Select has overwritten
  std::size_t select_ = 0;
};

}  // namespace lanediff::machine
