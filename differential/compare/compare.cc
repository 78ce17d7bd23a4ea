#include "differential/compare/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <tuple>
#include <utility>

#include "differential/compare/compare_outcome.h"
#include "differential/compare/rule_text.h"
#include "differential/compare/signature.h"
#include "differential/targets/account.h"
#include "differential/targets/capabilities.h"
#include "differential/targets/find_target.h"

namespace lanediff::diff {
namespace {

FindingKind KindOf(NoOutcome::Kind kind) {
  switch (kind) {
    case NoOutcome::Kind::kTimeout:
      return FindingKind::kTimeout;
    case NoOutcome::Kind::kProtocol:
      return FindingKind::kProtocol;
    case NoOutcome::Kind::kState:
      return FindingKind::kState;
    default:
      return FindingKind::kCrash;
  }
}

/// The comparison with a target that has no outcome of `c`.
Comparison Unanswered(const Case& c, const Target& target,
                      const Target& reference, NoOutcome none) {
  Comparison result;
  if (IsFailure(none.kind)) {
    result.findings.push_back(
        FailureFinding(c, target.name(), reference.name(), std::nullopt, none));
    return result;
  }
  result.malformed = none.kind == NoOutcome::Kind::kMalformed;
  result.unrecorded = none.kind == NoOutcome::Kind::kUnknown;
  result.given_up = none.kind == NoOutcome::Kind::kGivenUp;
  result.unsupported = !result.malformed;
  result.why = std::move(none.why);
  return result;
}

Comparison Unsupported(std::string why, std::size_t step = 0) {
  Comparison result;
  result.unsupported = true;
  result.unsupported_step = step;
  result.why = std::move(why);
  return result;
}

/// The result of the step with which `reference` ends `c`.
isa::StepResult EndOf(const Case& c, isa::Profile profile,
                      const StepwiseTarget& reference) {
  MemorySet memory(c);
  const auto session = reference.Open(profile, memory.view());
  session->MakeSpaceFor(c.program.size());
  isa::StepResult result;
  for (const isa::Step& step : c.program) {
    result = session->Execute(step);
    if (result.status != isa::StepResult::Status::kExecuted) break;
  }
  return result;
}

/// For which rules the reference rejects a step; nothing where it doesn't.
std::optional<std::vector<isa::RuleId>> RefusedFor(
    const Case& c, const StepwiseTarget& reference) {
  const isa::StepResult end = EndOf(c, c.profile(), reference);
  if (end.status != isa::StepResult::Status::kRejected) return std::nullopt;
  return std::vector(end.rules.begin(), end.rules.end());
}

/// Whether the target is to execute or reject the case, and does neither though
/// the documents allow it.
bool LacksLegal(const Case& c, const Target& reference,
                const Comparison& result) {
  return result.unsupported && !result.beyond && !result.left_out &&
         !result.unrecorded && !result.given_up &&
         EndOf(c, c.product, StepsOf(reference)).status ==
             isa::StepResult::Status::kExecuted;
}

/// What is left to do once a case has been compared.
void LookOnce(const Case& c, const Target& target, const Target& reference,
              Comparison& result) {
  if (!result.unsupported && !result.malformed && !result.has_failed()) {
    const Outcome* const had = result.outcome ? &*result.outcome : nullptr;
    if (const auto other = target.LookAgain(c, had)) {
      result.findings.push_back(FailureFinding(
          c, target.name(), reference.name(), std::nullopt, *other));
    }
  }
  if (Account* const account = target.account()) {
    account->Add(c, result, LacksLegal(c, reference, result));
  }
}

/// What a case is compared with: the targets that go step by step, and the
/// outcomes of the others, each with its place among all.
class Sides {
 public:
  Sides(const Case& c, const StepwiseTarget& reference, std::size_t targets)
      : case_(c), reference_(reference), results_(targets) {}

  void Add(std::size_t place, const Target& target) {
    const Capabilities can = target.capabilities();
    if (auto beyond = BeyondClaims(case_, can)) {
      results_[place] = Unsupported(
          fmt::format("{} claims {}", target.name(), std::move(*beyond)));
      results_[place].beyond = true;
    } else if (can.legal_only && IsLeftOut(place)) {
    } else if (target.stepwise() != nullptr) {
      stepping_.push_back(target.stepwise());
      places_.push_back(place);
    } else {
      AddOutcome(place, target);
    }
  }

  std::vector<Comparison> Compare(const StepObserver& observer) {
    const bool nothing = stepping_.empty() && answered_.empty();
    if (nothing && !results_.empty()) return std::move(results_);
    const auto look = [&](const ReferenceStep& step) {
      for (auto& [place, comparer] : answered_) comparer.See(step);
      if (observer) observer(step);
    };
    auto stepped =
        CompareStepByStep(case_, stepping_, reference_,
                          answered_.empty() ? observer : StepObserver(look));
    for (std::size_t i = 0; i < stepped.size(); ++i) {
      results_[places_[i]] = std::move(stepped[i]);
    }
    for (auto& [place, comparer] : answered_) {
      results_[place] = comparer.Compare();
    }
    return std::move(results_);
  }

 private:
  bool IsLeftOut(std::size_t place) {
    const auto rules = RefusedFor(case_, reference_);
    if (!rules) return false;
    results_[place] =
        Unsupported("left out: the documents refuse it" + RuleList(*rules));
    results_[place].left_out = true;
    return true;
  }

  void AddOutcome(std::size_t place, const Target& target) {
    auto outcome = target.Run(case_);
    if (!outcome) {
      results_[place] =
          Unanswered(case_, target, reference_, std::move(outcome.error()));
    } else if (outcome->status == Outcome::Status::kUnsupported) {
      results_[place] = Unsupported(UnsupportedText(target, *outcome) +
                                        ObservedText(*outcome, target.name()),
                                    outcome->step);
    } else {
      answered_.emplace_back(place, OutcomeComparer(case_, std::move(*outcome),
                                                    target, reference_));
    }
  }

  const Case& case_;
  const StepwiseTarget& reference_;
  std::vector<Comparison> results_;
  std::vector<const StepwiseTarget*> stepping_;
  std::vector<std::size_t> places_;  ///< of `stepping_`
  std::vector<std::pair<std::size_t, OutcomeComparer>> answered_;
};

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

Finding FailureFinding(const Case& c, std::string_view side,
                       std::string_view reference,
                       std::optional<std::size_t> step, const NoOutcome& none) {
  Finding finding;
  finding.kind = KindOf(none.kind);
  finding.side = side;
  finding.reference = reference;
  finding.step = step.value_or(0);
  finding.op = isa::OpName(c.program[finding.step]);
  finding.message =
      step ? fmt::format("step {} {}: {}", *step, finding.op, none.why)
           : none.why;
  finding.error_tail = none.error_tail;
  if (const auto documented = TheOracle().Run(c);
      documented && documented->rejected() &&
      (!step || documented->step == *step)) {
    finding.expected_rules = documented->RulesOrNone();
  }
  finding.signature = SignatureOf(c, finding).Text();
  return finding;
}
void AnnounceCase(const Case& c, const Target& target,
                  const Target& reference) {
  if (target.foresight() == 0) return;
  const Capabilities can = target.capabilities();
  const auto ordered = InOrderOf(c, can);
  const Case& announced = ordered ? *ordered : c;
  if (BeyondClaims(announced, can)) return;
  if (can.legal_only && RefusedFor(announced, StepsOf(reference))) return;
  target.Announce(announced);
}

std::vector<Comparison> CompareCase(const Case& c,
                                    std::span<const Target* const> targets,
                                    const Target& reference,
                                    const StepObserver& observer) {
  Sides sides(c, StepsOf(reference), targets.size());
  for (std::size_t i = 0; i < targets.size(); ++i) sides.Add(i, *targets[i]);
  std::vector<Comparison> results = sides.Compare(observer);
  for (std::size_t i = 0; i < targets.size(); ++i) {
    LookOnce(c, *targets[i], reference, results[i]);
  }
  return results;
}

Comparison CompareCase(const Case& c, const Target& target,
                       const Target& reference, const StepObserver& observer) {
  const Target* const targets[] = {&target};
  if (const auto ordered = InOrderOf(c, target.capabilities())) {
    return std::move(
        CompareCase(*ordered, targets, reference, observer).front());
  }
  return std::move(CompareCase(c, targets, reference, observer).front());
}

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
