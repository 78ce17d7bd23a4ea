#include "audit/characterize/characterise.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

#include "audit/characterize/aftermath.h"
#include "audit/characterize/arithmetic.h"
#include "audit/characterize/fold.h"
#include "audit/characterize/illegal.h"
#include "audit/characterize/orders.h"
#include "audit/characterize/probe_runner.h"
#include "audit/characterize/profile_builder.h"

namespace lanediff::character {
namespace {

class Characterizer {
 public:
  Characterizer(const diff::Target& target, const Options& options)
      : options_(options), runner_(target, options.goes_on) {
    character_.target = target.name();
    character_.edition = options_.edition;
  }

  Character Run() {
    for (const std::string_view op : FoldOps()) {
      if (!options_.instruction.empty() && op != options_.instruction) continue;
      bool any = false;
      for (const Fold& fold :
           FoldsOf(op, runner_.capabilities(), options_.edition)) {
        any = ProbeFold(fold) || any;
      }
      if (!any) without_.insert(op);
    }
    if (!runner_.capabilities().legal_only) {
      ProbeIllegal(runner_, options_.instruction, options_.edition, without_,
                   profile_);
    }
    character_.probes = runner_.probes();
    character_.executed = runner_.executed();
    character_.rejected = runner_.rejected();
    character_.failures = runner_.failures();
    character_.gave_up = runner_.gave_up();
    character_.interrupted = runner_.interrupted();
    return std::move(character_);
  }

 private:
  /// Whether the target has it.
  bool ProbeFold(const Fold& fold) {
    if (!Answers(fold)) return false;
    if (fold.reduces()) ProbeOrders(runner_, fold, LengthsFor(fold), profile_);
    ProbeArithmetic(runner_, fold, profile_);
    ProbeIterations(runner_, fold, profile_);
    ProbeOneDestination(runner_, fold, profile_);
    ProbeOtherBytes(runner_, fold, profile_);
    ProbeMaskAfter(runner_, fold, profile_);
    if (fold.op == isa::Trowprod::kOp) ProbeOtherOrders(fold);
    return true;
  }

  std::vector<std::size_t> LengthsFor(const Fold& fold) const {
    return options_.lengths.empty() ? DefaultLengths(fold) : options_.lengths;
  }

  /// Whether it answers at all; its failure is written once.
  bool Answers(const Fold& fold) {
    Prober prober(runner_, fold);
    ProbeSeries series(prober);
    series.Probe(std::vector<double>(2, 1.0));
    if (!series.failed()) return true;
    const bool compares =
        fold.combine == Combine::kMinimum || fold.combine == Combine::kMaximum;
    profile_.Write({fold.reduces() ? "order"
                    : compares     ? "nan"
                                   : "rounding",
                    fold.op, fold.dtype},
                   series.Finish(""));
    return false;
  }

  /// The orders of TROWPROD that can be requested.
  void ProbeOtherOrders(Fold fold) {
    const auto& claimed = runner_.capabilities().orders;
    for (std::size_t o = 0; o < isa::kCount<isa::Order>; ++o) {
      fold.order = static_cast<isa::Order>(o);
      if (claimed && std::ranges::count(*claimed, *fold.order) == 0) continue;
      Prober prober(runner_, fold);
      if (!prober.Probe({1, 1})) continue;
      ProbeOrders(runner_, fold, LengthsFor(fold), profile_);
      ProbeArithmetic(runner_, fold, profile_);
    }
  }

  const Options& options_;
  ProbeRunner runner_;
  std::set<std::string_view> without_;  ///< instructions that it has not
  Character character_;
  ProfileBuilder profile_{character_};
};

}  // namespace

Character Characterise(const diff::Target& target, const Options& options) {
  return Characterizer(target, options).Run();
}

}  // namespace lanediff::character
