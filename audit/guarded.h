#pragma once

#include "diff/target.h"

namespace lanediff::audit {

/// A target whose every memory ends where the process may not go: who reads or
/// writes behind it ends at once, in the same case every time. Slower by two
/// copies of the memories a step.
class GuardedTarget final : public diff::Target {
 public:
  /// `inner` must outlive it.
  explicit GuardedTarget(const diff::Target& inner) : inner_(inner) {}

  std::string_view name() const override { return inner_.name(); }
  std::string_view description() const override { return inner_.description(); }
  std::unique_ptr<diff::Session> Open(isa::Product product,
                                      isa::Memories memories) const override;
  const diff::Recording* recording() const override {
    return inner_.recording();
  }

 private:
  const diff::Target& inner_;
};

}  // namespace lanediff::audit
