#include "audit/characterize/characterise.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

#include "audit/characterize/aftermath.h"
#include "audit/characterize/arithmetic.h"
#include "audit/characterize/asker.h"
#include "audit/characterize/fold.h"
#include "audit/characterize/illegal.h"
#include "audit/characterize/orders.h"
#include "audit/characterize/profile_builder.h"

namespace lanediff::character {
namespace {

class Interview {
 public:
  Interview(const diff::Target& target, const Options& options)
      : options_(options), asker_(target, options.goes_on) {
    character_.target = target.name();
    character_.edition = options_.edition;
  }

  Character Ask() {
    for (const std::string_view op : FoldOps()) {
      if (!options_.instruction.empty() && op != options_.instruction) continue;
      bool any = false;
      for (const Fold& fold :
           FoldsOf(op, asker_.capabilities(), options_.edition)) {
        any = AskFold(fold) || any;
      }
      if (!any) without_.insert(op);
    }
    if (!asker_.capabilities().legal_only) {
      AskIllegal(asker_, options_.instruction, options_.edition, without_,
                 profile_);
    }
    character_.probes = asker_.probes();
    character_.executed = asker_.executed();
    character_.rejected = asker_.rejected();
    character_.failures = asker_.failures();
    character_.gave_up = asker_.gave_up();
    character_.interrupted = asker_.interrupted();
    return std::move(character_);
  }

 private:
  /// Whether the target has it.
  bool AskFold(const Fold& fold) {
    if (!Answers(fold)) return false;
    if (fold.reduces()) AskOrders(asker_, fold, LengthsFor(fold), profile_);
    AskArithmetic(asker_, fold, profile_);
    AskIterations(asker_, fold, profile_);
    AskOneDestination(asker_, fold, profile_);
    AskOtherBytes(asker_, fold, profile_);
    AskMaskAfter(asker_, fold, profile_);
    if (fold.op == isa::Trowprod::kOp) AskOtherOrders(fold);
    return true;
  }

  std::vector<std::size_t> LengthsFor(const Fold& fold) const {
    return options_.lengths.empty() ? DefaultLengths(fold) : options_.lengths;
  }

  /// Whether it answers at all; what it says instead is written once.
  bool Answers(const Fold& fold) {
    Prober prober(asker_, fold);
    Inquiry inquiry(prober);
    inquiry.Ask(std::vector<double>(2, 1.0));
    if (!inquiry.failed()) return true;
    const bool compares =
        fold.combine == Combine::kMinimum || fold.combine == Combine::kMaximum;
    profile_.Write({fold.reduces() ? "order"
                    : compares     ? "nan"
                                   : "rounding",
                    fold.op, fold.dtype},
                   inquiry.Say(""));
    return false;
  }

  /// The orders of TROWPROD that can be requested.
  void AskOtherOrders(Fold fold) {
    const auto& claimed = asker_.capabilities().orders;
    for (std::size_t o = 0; o < isa::kCount<isa::Order>; ++o) {
      fold.order = static_cast<isa::Order>(o);
      if (claimed && std::ranges::count(*claimed, *fold.order) == 0) continue;
      Prober prober(asker_, fold);
      if (!prober.Ask({1, 1})) continue;
      AskOrders(asker_, fold, LengthsFor(fold), profile_);
      AskArithmetic(asker_, fold, profile_);
    }
  }

  const Options& options_;
  Asker asker_;
  std::set<std::string_view> without_;  ///< instructions that it has not
  Character character_;
  ProfileBuilder profile_{character_};
};

}  // namespace

Character Characterise(const diff::Target& target, const Options& options) {
  return Interview(target, options).Ask();
}

}  // namespace lanediff::character
