#pragma once

#include "differential/targets/target.h"

namespace lanediff::audit {

/// A target whose every memory ends where the process may not go: who reads or
/// writes behind it ends at once, in the same case every time. Slower by two
/// copies of the memories a step.
class GuardedTarget final : public diff::TargetAround {
 public:
  using TargetAround::TargetAround;

  std::unique_ptr<diff::Session> Open(isa::Profile profile,
                                      isa::Memories memories) const override;
};

}  // namespace lanediff::audit
