#pragma once

#include "diff/target.h"

namespace lanediff::diff::audit {

/// A target whose every memory ends where the process may not go: who reads or
/// writes behind it ends at once, in the same case every time. Slower by two
/// copies of the memories a step.
class GuardedTarget final : public Target {
 public:
  /// `inner` must outlive it.
  explicit GuardedTarget(const Target& inner) : inner_(inner) {}

  std::string_view name() const override { return inner_.name(); }
  std::string_view description() const override { return inner_.description(); }
  std::unique_ptr<Session> Open(isa::Product product,
                                isa::Memories memories) const override;
  const Recording* recording() const override { return inner_.recording(); }

 private:
  const Target& inner_;
};

}  // namespace lanediff::diff::audit
