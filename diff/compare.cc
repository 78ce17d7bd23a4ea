#include "diff/compare.h"

#include <fmt/format.h>

#include <cstddef>
#include <utility>

#include "diff/compare_outcome.h"
#include "diff/signature.h"
#include "diff/step_comparer.h"

namespace lanediff::diff {
namespace {

/// The comparison with a target that has no outcome of `c`.
Comparison Unanswered(const Case& c, const Target& target, NoOutcome none) {
  Comparison result;
  if (none.kind == NoOutcome::Kind::kUnknown ||
      none.kind == NoOutcome::Kind::kMalformed) {
    result.malformed = none.kind == NoOutcome::Kind::kMalformed;
    result.unrecorded = !result.malformed;
    result.unsupported = result.unrecorded;
    result.why = std::move(none.why);
    return result;
  }
  Finding finding;
  finding.kind = FindingKind::kCrash;
  finding.side = target.name();
  finding.op = isa::OpName(c.program.front());
  finding.message = std::move(none.why);
  finding.signature = SignatureOf(c, finding).Text();
  result.findings.push_back(std::move(finding));
  return result;
}

Comparison Unsupported(std::string why) {
  Comparison result;
  result.unsupported = true;
  result.why = std::move(why);
  return result;
}

/// What a case is compared with: the targets that go step by step, and the
/// outcomes of the others, each with its place among all.
class Sides {
 public:
  Sides(const Case& c, const StepwiseTarget& reference, std::size_t targets)
      : case_(c), reference_(reference), results_(targets) {}

  void Add(std::size_t place, const Target& target) {
    if (auto beyond = BeyondCapabilities(case_, target.capabilities())) {
      results_[place] = Unsupported(
          fmt::format("{} claims {}", target.name(), std::move(*beyond)));
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
  void AddOutcome(std::size_t place, const Target& target) {
    auto outcome = target.Run(case_);
    if (!outcome) {
      results_[place] = Unanswered(case_, target, std::move(outcome.error()));
    } else if (outcome->status == Outcome::Status::kUnsupported) {
      results_[place] = Unsupported(UnsupportedText(target, *outcome) +
                                    ObservedText(*outcome, target.name()));
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

}  // namespace

std::vector<Comparison> CompareCase(const Case& c,
                                    std::span<const Target* const> targets,
                                    const Target& reference,
                                    const StepObserver& observer) {
  Sides sides(c, StepsOf(reference), targets.size());
  for (std::size_t i = 0; i < targets.size(); ++i) sides.Add(i, *targets[i]);
  return sides.Compare(observer);
}

Comparison CompareCase(const Case& c, const Target& target,
                       const Target& reference, const StepObserver& observer) {
  const Target* const targets[] = {&target};
  return std::move(CompareCase(c, targets, reference, observer).front());
}

}  // namespace lanediff::diff
