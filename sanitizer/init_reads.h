#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "differential/testcase/case.h"
#include "isa/access.h"
#include "isa/step.h"
#include "sanitizer/step_use.h"
#include "sanitizer/unwritten.h"

namespace lanediff::lint {

/// Bytes that one operand reads and nothing has written.
struct InitRead {
  std::string_view operand;
  isa::Memory memory = isa::Memory::kUb;
  isa::IntervalSet bytes;
  /// The step that first read such bytes on the way of the lowest one here.
  std::optional<std::int32_t> earlier;
  /// The call that left the lowest one unspecified.
  std::optional<std::int32_t> left_by;
};

/// What moves along with unwritten bytes in strictness `propagate`.
struct Following {
  bool scratch = true;  ///< what a call leaves unspecified
  bool gm = false;      ///< bytes that leave the core, in GM
};

/// INIT-READ of one program, step by step, in either strictness.
class InitReads {
 public:
  explicit InitReads(const Case& c, Following following = {})
      : unwritten_(c), propagate_(c.lint.propagate), following_(following) {}

  /// What the executed step `number` reads; notes what it writes.
  std::vector<InitRead> Take(const isa::Step& step, std::int32_t number,
                             const std::vector<isa::Access>& accesses,
                             const StepUse& use);

  Unwritten& unwritten() { return unwritten_; }
  const Unwritten& unwritten() const { return unwritten_; }

 private:
  std::vector<InitRead> FirstReads(const std::vector<isa::Access>& accesses,
                                   const StepUse& use) const;
  void LeaveScratch(std::int32_t number,
                    const std::vector<isa::Access>& accesses);

  Unwritten unwritten_;
  bool propagate_;
  Following following_;
};

/// Strictness `propagate`: moves what is unwritten along with what the step
/// computes from it. What it reads is reported where it leaves: in a copy to GM
/// and in GetValue.
std::vector<InitRead> Propagate(const isa::Step& step, std::int32_t number,
                                const std::vector<isa::Access>& accesses,
                                Following following, Unwritten& unwritten);

}  // namespace lanediff::lint
