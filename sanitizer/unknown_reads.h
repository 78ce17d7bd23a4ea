#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "differential/testcase/case.h"
#include "isa/access.h"
#include "isa/step.h"
#include "sanitizer/init_reads.h"
#include "sanitizer/step_use.h"

namespace lanediff::lint {

/// Bytes of a run whose values are unknown: what skipped calls would have
/// written, and what is computed from that, lane by lane as INIT-READ has it.
/// Each has the number of its source, which the caller chooses.
class UnknownReads {
 public:
  explicit UnknownReads(const Case& c);

  void EnterBlock(std::int64_t block) { reads_.EnterBlock(block); }
  void Launch() { reads_.Launch(); }

  /// A skipped call would have written the bytes.
  void Leave(isa::Memory memory, const Range& bytes, std::int32_t source);

  /// Follows the executed step `number`. What it reads of such bytes, where
  /// they leave the core; `left_by` is the source.
  std::vector<InitRead> Take(const isa::Step& step, std::int32_t number,
                             const std::vector<isa::Access>& accesses,
                             const StepUse& use);

  /// Those of `bytes`, ascending; `left_by` is the source.
  std::vector<Unwritten::Piece> In(isa::Memory memory,
                                   const Range& bytes) const;

 private:
  InitReads reads_;
  bool active_ = false;
};

}  // namespace lanediff::lint
