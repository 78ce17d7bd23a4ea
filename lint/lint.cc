#include "lint/lint.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "isa/state.h"
#include "lint/fix.h"
#include "lint/init_reads.h"
#include "lint/judge.h"
#include "lint/mask_state.h"
#include "lint/order.h"
#include "lint/pipes.h"
#include "lint/races.h"
#include "lint/resolve.h"
#include "lint/step_use.h"

namespace lanediff::lint {
namespace {

using Status = isa::StepResult::Status;

/// One program on its way, step by step.
class Walk {
 public:
  explicit Walk(const Case& c)
      : case_(c),
        judge_(c),
        order_(c.product, c.lint.sync && c.lint.sync->automatic),
        masks_(c.product, c.lint.start_unknown),
        init_(c),
        fixes_(c) {
    verdict_.racecheck = c.lint.sync.has_value();
    registers_.reserve(c.program.size());
    pipes_.reserve(c.program.size());
  }

  Verdict Run() && {
    for (std::size_t i = 0; i < case_.program.size(); ++i) {
      if (verdict_.unsupported) break;
      Take(case_.program[i], i);
    }
    if (!verdict_.unsupported) {
      auto& open = verdict_.after ? verdict_.after->at_end : verdict_.hazards;
      order_.Finish(open);
      masks_.Finish(open);
    }
    Finish(verdict_.hazards);
    if (verdict_.after) {
      Finish(verdict_.after->hazards);
      Finish(verdict_.after->at_end);
    }
    return std::move(verdict_);
  }

 private:
  static void Finish(std::vector<Hazard>& hazards) {
    Sort(hazards);
    PlaceFixes(hazards);
  }

  /// Where what is found now belongs.
  std::vector<Hazard>& hazards() {
    return verdict_.after ? verdict_.after->hazards : verdict_.hazards;
  }

  void Take(const isa::Step& step, std::size_t number) {
    registers_.push_back(judge_.mask_register());
    pipes_.push_back(PipeOf(step, case_.product).value_or(isa::Pipe::kAll));
    const isa::StepResult result = judge_.Take(step);
    if (result.status == Status::kRejected) {
      Reject({.step = number, .rules = result.rules});
      return;
    }
    CountStep(step);
    if (!verdict_.after) {
      for (isa::RuleId rule : result.notes) {
        verdict_.notes[rule].push_back(number);
      }
    }
    masks_.Look(step, number, registers_.back(), hazards());
    if (result.status == Status::kUnsupported) {
      if (!verdict_.after) verdict_.unsupported = number;
      return;
    }
    order_.Take(step, number, hazards());
    masks_.Executed(step, number);
    if (pipes_.back() != isa::Pipe::kAll) Operate(step, number);
  }

  void Reject(const RejectedStep& rejected) {
    if (verdict_.after) {
      verdict_.after->rejected.push_back(rejected);
      return;
    }
    verdict_.rejected = rejected;
    verdict_.after.emplace();
  }

  void CountStep(const isa::Step& step) {
    verdict_.masked += IsMasked(step) ? 1 : 0;
    const bool orders = std::holds_alternative<isa::SetFlag>(step) ||
                        std::holds_alternative<isa::WaitFlag>(step) ||
                        std::holds_alternative<isa::PipeBarrier>(step);
    verdict_.synchronizing += orders ? 1 : 0;
  }

  /// A step that touches bytes was executed.
  void Operate(const isa::Step& step, std::size_t number) {
    const auto n = static_cast<std::int32_t>(number);
    const isa::Pipe pipe = pipes_.back();
    use_.Set(judge_.accesses());
    ++verdict_.operations;
    for (std::size_t m = 0; m < isa::kCount<isa::Memory>; ++m) {
      const MemoryUse& use = use_[static_cast<isa::Memory>(m)];
      verdict_.bytes += use.reads.bytes() + use.writes.bytes();
    }
    for (const InitRead& read : init_.Take(step, n, judge_.accesses(), use_)) {
      Tell(read, number);
    }
    if (!verdict_.racecheck) return;
    for (const Race& race : races_.Look(use_, pipe, pipes_, order_)) {
      Tell(race, number);
    }
    races_.Executed(use_, pipe, n);
    if (pipe == isa::Pipe::kS) order_.EndOfScalar(number);
  }

  Place PlaceOf(std::size_t number) const {
    return {.step = number,
            .op = isa::OpName(case_.program[number]),
            .pipe = pipes_[number]};
  }

  void Tell(const InitRead& read, std::size_t number) {
    Hazard hazard;
    hazard.rule = isa::sync::kInitRead;
    hazard.later = PlaceOf(number);
    if (read.earlier) {
      hazard.earlier = PlaceOf(static_cast<std::size_t>(*read.earlier));
      hazard.earlier->pipe.reset();
    }
    Resolve(read, judge_.accesses(), hazard);
    hazards().push_back(std::move(hazard));
  }

  void Tell(const Race& race, std::size_t number) {
    const auto earlier = static_cast<std::size_t>(race.earlier);
    Hazard hazard;
    hazard.rule = race.rule;
    hazard.earlier = PlaceOf(earlier);
    hazard.later = PlaceOf(number);
    Resolve(race, judge_.Again(case_.program[earlier], registers_[earlier]),
            judge_.accesses(), hazard);
    hazard.fix = fixes_.Between(pipes_[earlier], pipes_[number]);
    hazards().push_back(std::move(hazard));
  }

  const Case& case_;
  Judge judge_;
  Order order_;
  MaskState masks_;
  InitReads init_;
  Races races_;
  Fixes fixes_;
  StepUse use_;
  /// Of each step so far: the mask register before it, and its pipe, ALL where
  /// it has none.
  std::vector<MaskState::Words> registers_;
  std::vector<isa::Pipe> pipes_;
  Verdict verdict_;
};

}  // namespace

Verdict Lint(const Case& c) { return Walk(c).Run(); }

}  // namespace lanediff::lint
