#include "reports/trace/case_view.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "differential/compare/unspecified.h"
#include "differential/memory/memory_set.h"
#include "reports/trace/step_view.h"

namespace lanediff::view {
namespace {

using Status = isa::StepResult::Status;

bool HasOperands(const isa::Step& step, isa::Product product) {
  return !WindowsOf(step, product).empty();
}

/// The step to look at first: that of the first finding, else that which ends
/// the program, else the last that has operands.
std::size_t FocusOf(const Case& c, const std::vector<diff::Finding>& findings,
                    const Outcome& reference) {
  for (const diff::Finding& finding : findings) {
    if (IsOfStep(finding) && finding.step < c.program.size()) {
      return finding.step;
    }
  }
  if (reference.status != Outcome::Status::kExecuted) return reference.step;
  for (std::size_t i = c.program.size(); i-- > 0;) {
    if (HasOperands(c.program[i], c.product)) return i;
  }
  return 0;
}

/// Runs the steps and keeps their records.
class Viewer {
 public:
  Viewer(const Case& c, const diff::Target& target, const ViewOptions& options,
         const Outcome& reference, CaseView& view)
      : case_(c),
        options_(options),
        view_(view),
        oracle_(c.profile(), memory_.view()) {
    // One that only answers whole cases has no memory of a step to show.
    if (options.run_target && target.stepwise() != nullptr) {
      session_ = target.stepwise()->Open(c.profile(), actual_.view());
    }
    oracle_.set_tracing(true);
    focus_ = FocusOf(c, view.findings, reference);
    with_operands_ = static_cast<std::size_t>(std::ranges::count_if(
        c.program,
        [&](const isa::Step& step) { return HasOperands(step, c.product); }));
  }

  void Run() {
    for (std::size_t i = 0; i < case_.program.size(); ++i) {
      if (!Step(i)) break;
    }
  }

 private:
  /// False where the program ends.
  bool Step(std::size_t i) {
    const isa::Step& step = case_.program[i];
    diff::CopyAll(memory_, before_);
    const isa::StepResult result = oracle_.Execute(step);
    if (result.status == Status::kUnsupported) return false;
    RunTarget(step);
    // It ends the program; no later step needs the memory.
    const bool extended = result.status == Status::kRejected &&
                          oracle_.ExecuteExtended(step).has_value();
    if (IsKept(i)) Keep(i, step, result, extended);
    history_.Add(i, step, result);
    return result.status == Status::kExecuted;
  }

  void RunTarget(const isa::Step& step) {
    if (!session_) return;
    diff::CopyAll(before_, actual_);
    // One that can't do it has no memory to show.
    const Status actual = session_->Execute(step).status;
    if (actual == Status::kUnsupported) {
      session_.reset();
    } else if (actual == Status::kExecuted) {
      diff::CopyRanges(diff::ScratchOf(case_, step), memory_, actual_);
    }
  }

  /// Of a long program the first half of what may be kept, and the last.
  bool IsKept(std::size_t i) const {
    const std::size_t most = std::max<std::size_t>(options_.limits.steps, 2);
    const std::size_t all = case_.program.size();
    return all <= most || i == focus_ || i < most / 2 ||
           i >= all - (most / 2 - 1);
  }

  /// Steps with operands share what there is; that in focus gets half of it.
  ViewLimits LimitsOf(std::size_t i) const {
    ViewLimits limits = options_.limits;
    const std::size_t sharing = std::clamp<std::size_t>(
        with_operands_, 1, std::max<std::size_t>(limits.steps, 1));
    for (std::size_t* const limit :
         {&limits.accesses, &limits.blocks, &limits.nodes}) {
      const std::size_t each = *limit / sharing;
      *limit = i == focus_ ? std::max(each, *limit / 2) : each;
    }
    return limits;
  }

  void Keep(std::size_t i, const isa::Step& step, const isa::StepResult& result,
            bool extended) {
    const bool executed = result.status == Status::kExecuted;
    const diff::Finding* const finding = FindingOf(view_.findings, i);
    const StepFacts facts{.result = result,
                          .before = history_,
                          .accesses = oracle_.accesses(),
                          .nodes = oracle_.nodes(),
                          .true_results = oracle_.true_results(),
                          .memory = memory_,
                          .focus = finding != nullptr && finding->difference
                                       ? finding->difference->iteration
                                       : 0};
    if (i == focus_) view_.focus = view_.steps.size();
    view_.steps.push_back(ViewStep({.index = i,
                                    .step = step,
                                    .product = case_.product,
                                    .facts = facts,
                                    .before = before_,
                                    .expected = executed ? memory_ : before_,
                                    .actual = session_ ? &actual_ : nullptr,
                                    .extended = extended},
                                   LimitsOf(i)));
  }

  const Case& case_;
  const ViewOptions& options_;
  CaseView& view_;
  diff::MemorySet memory_{case_};
  diff::MemorySet before_{memory_};
  diff::MemorySet actual_{memory_};
  oracle::Oracle oracle_;
  std::unique_ptr<diff::Session> session_;
  History history_;
  std::size_t focus_ = 0;
  std::size_t with_operands_ = 0;
};

}  // namespace

bool IsOfStep(const diff::Finding& finding) {
  return finding.kind != diff::FindingKind::kExpectation;
}

const diff::Finding* FindingOf(const std::vector<diff::Finding>& findings,
                               std::size_t i) {
  const auto found = std::ranges::find_if(findings, [&](const auto& finding) {
    return IsOfStep(finding) && finding.step == i;
  });
  return found == findings.end() ? nullptr : &*found;
}

CaseView ViewCase(const Case& c, const diff::Target& target,
                  const diff::Examination& examined,
                  const ViewOptions& options) {
  CaseView view{.id = c.id,
                .note = c.note,
                .product = c.product,
                .edition = c.edition,
                .target = examined.target,
                .reference = examined.reference,
                .target_was_run = options.run_target,
                .findings = options.findings,
                .sides = CompareSides(c, examined, options.limits.rows),
                .requirement = c.requirement,
                .program_steps = c.program.size(),
                .reproduce = options.reproduce};
  const diff::Comparison& compared = examined.comparison;
  view.unsupported = compared.unsupported || compared.malformed;
  view.why = compared.why;
  view.findings.insert(view.findings.end(), compared.findings.begin(),
                       compared.findings.end());
  Viewer(c, target, options, examined.reference_outcome, view).Run();
  view.omitted_steps = c.program.size() - view.steps.size();
  if (view.findings.size() > options.limits.findings) {
    view.omitted_findings = view.findings.size() - options.limits.findings;
    view.findings.resize(options.limits.findings);
  }
  return view;
}

CaseView ViewCase(const Case& c, const diff::Target& target,
                  const diff::Target& reference, const ViewOptions& options) {
  return ViewCase(c, target,
                  options.run_target
                      ? diff::Examine(c, target, reference)
                      : diff::ExamineReference(c, target, reference),
                  options);
}

}  // namespace lanediff::view
