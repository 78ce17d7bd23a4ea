#include "differential/compare/narrowed.h"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>

#include "differential/targets/account.h"
#include "differential/targets/capabilities.h"

namespace lanediff::diff {
namespace {

class NarrowedTarget final : public TargetAround {
 public:
  NarrowedTarget(const Target& inner, std::optional<isa::Product> product,
                 bool legal_only)
      : TargetAround(inner), product_(product), legal_only_(legal_only) {}

  Capabilities capabilities() const override {
    Capabilities can = TargetAround::capabilities();
    if (product_) {
      const bool claimed =
          !can.products || std::ranges::count(*can.products, *product_) != 0;
      can.products.emplace(claimed ? 1 : 0, *product_);
    }
    can.legal_only = can.legal_only || legal_only_;
    return can;
  }
  Account* account() const override {
    Account* const inner = TargetAround::account();
    return inner != nullptr ? inner : &account_;
  }
  std::unique_ptr<Session> Open(isa::Profile profile,
                                isa::Memories memories) const override {
    return inner_steps().Open(profile, memories);
  }

 private:
  std::optional<isa::Product> product_;
  bool legal_only_;
  mutable Account account_;
};

}  // namespace

const Target& Narrowed(const Target& target,
                       std::optional<isa::Product> product, bool legal_only) {
  using Way = std::tuple<const Target*, std::optional<isa::Product>, bool>;
  static std::mutex mutex;
  static auto* const all = new std::map<Way, std::unique_ptr<NarrowedTarget>>;
  if (!product && !legal_only) return target;
  const std::lock_guard lock(mutex);
  auto& one = (*all)[{&target, product, legal_only}];
  if (!one) {
    one = std::make_unique<NarrowedTarget>(target, product, legal_only);
  }
  return *one;
}

}  // namespace lanediff::diff
