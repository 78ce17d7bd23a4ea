#include "differential/compare/legal_only.h"

#include <map>
#include <memory>
#include <mutex>

#include "differential/targets/account.h"

namespace lanediff::diff {
namespace {

class LegalOnlyTarget final : public TargetAround {
 public:
  explicit LegalOnlyTarget(const Target& inner)
      : TargetAround(inner), steps_(inner.stepwise()) {}

  Capabilities capabilities() const override {
    Capabilities can = TargetAround::capabilities();
    can.legal_only = true;
    return can;
  }
  Account* account() const override {
    Account* const inner = TargetAround::account();
    return inner != nullptr ? inner : &account_;
  }
  std::unique_ptr<Session> Open(isa::Profile profile,
                                isa::Memories memories) const override {
    return steps_->Open(profile, memories);
  }

 private:
  const StepwiseTarget* steps_;
  mutable Account account_;
};

}  // namespace

const Target& LegalOnly(const Target& target) {
  static std::mutex mutex;
  static auto* const all =
      new std::map<const Target*, std::unique_ptr<LegalOnlyTarget>>;
  const std::lock_guard lock(mutex);
  auto& legal = (*all)[&target];
  if (!legal) legal = std::make_unique<LegalOnlyTarget>(target);
  return *legal;
}

}  // namespace lanediff::diff
