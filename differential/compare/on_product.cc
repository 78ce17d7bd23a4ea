#include "differential/compare/on_product.h"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "differential/targets/account.h"
#include "differential/targets/capabilities.h"

namespace lanediff::diff {
namespace {

class OnProductTarget final : public TargetAround {
 public:
  OnProductTarget(const Target& inner, isa::Product product)
      : TargetAround(inner), product_(product), steps_(inner.stepwise()) {}

  Capabilities capabilities() const override {
    Capabilities can = TargetAround::capabilities();
    const bool claimed =
        !can.products || std::ranges::count(*can.products, product_) != 0;
    can.products.emplace(claimed ? 1 : 0, product_);
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
  isa::Product product_;
  const StepwiseTarget* steps_;
  mutable Account account_;
};

}  // namespace

const Target& OnProduct(const Target& target, isa::Product product) {
  static std::mutex mutex;
  static auto* const all = new std::map<std::pair<const Target*, isa::Product>,
                                        std::unique_ptr<OnProductTarget>>;
  const std::lock_guard lock(mutex);
  auto& one = (*all)[{&target, product}];
  if (!one) one = std::make_unique<OnProductTarget>(target, product);
  return *one;
}

}  // namespace lanediff::diff
