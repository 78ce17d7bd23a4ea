#include "sanitizer/diagnostics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "differential/memory/collision.h"
#include "isa/footprint.h"
#include "isa/intervals.h"
#include "isa/memory_map.h"
#include "isa/state.h"
#include "isa/step.h"
#include "isa/units.h"
#include "sanitizer/judge.h"
#include "sanitizer/lint.h"
#include "sanitizer/mask_state.h"
#include "sanitizer/repair.h"
#include "sanitizer/step_use.h"

namespace lanediff::lint {
namespace {

constexpr std::size_t kLongProgram = 2000;
constexpr std::size_t kMostCauses = 64;

using Status = isa::StepResult::Status;

/// How a masked lane-wise call came by its lanes, if they aren't all; empty if
/// they are. Step `setter` set the register.
std::string LanesOf(const isa::Step& step,
                    const std::vector<isa::Access>& accesses,
                    std::optional<std::size_t> setter) {
  const auto* const call = std::get_if<isa::Call>(&step);
  if (call == nullptr || !call->Is(isa::Family::kLanewise) ||
      call->IsByCount() || call->signature->PacksBits()) {
    return "";
  }
  std::int64_t bytes = 0;
  for (const isa::Access& a : accesses) {
    if (a.write && a.iteration == 0) bytes += a.bytes;
  }
  const std::int64_t lanes = bytes / isa::SizeBytes(call->TypeOf(0));
  if (lanes * isa::LaneBytes(*call) >= isa::kIterationBytes) return "";
  if (call->is_set_mask) return fmt::format("; its mask has {} lanes", lanes);
  return setter ? fmt::format("; it has {} lanes under the mask of step {}",
                              lanes, *setter)
                : "";
}

/// What one step writes, or would.
struct Writer {
  std::size_t step = 0;
  bool rejected = false;
  std::string lanes;
  StepUse use;
};

class Causes {
 public:
  explicit Causes(const Case& c) : c_(c), judge_(c) {}

  /// Of hazards in the order of their later steps.
  void SetCause(Hazard& hazard) {
    while (writers_.size() <= hazard.later.step) Take();
    hazard.cause = Find(hazard);
  }

 private:
  void Take() {
    const std::size_t number = writers_.size();
    const isa::Step& step = c_.program[number];
    Writer writer{.step = number, .rejected = false, .lanes = {}, .use = {}};
    const isa::StepResult result = judge_.Take(step);
    if (result.status == Status::kExecuted) {
      std::vector<isa::Access> accesses = judge_.accesses();
      // What a call leaves in its scratch is not written.
      std::erase_if(accesses,
                    [](const isa::Access& a) { return a.operand == kScratch; });
      writer.use.Set(accesses);
      writer.lanes = LanesOf(step, accesses, setter_);
      if (isa::MaskUseOf(step, c_.product).sets_register) setter_ = number;
    } else if (result.status == Status::kRejected) {
      writer.rejected = true;
      writer.use.Set(InWindows(step, judge_.Natural(step)));
    }
    writers_.push_back(std::move(writer));
  }

  /// Of a rejected step's accesses what lies in the windows that it names.
  std::vector<isa::Access> InWindows(const isa::Step& step,
                                     std::vector<isa::Access> accesses) const {
    const auto windows = view::WindowsOf(step, c_.product);
    for (isa::Access& access : accesses) {
      for (const view::Window& window : windows) {
        if (window.operand != access.operand) continue;
        const isa::Interval in =
            Common(BytesOf(access), isa::Interval{window.at, window.end()});
        access.at = in.begin;
        access.bytes = std::max<std::int64_t>(in.size(), 0);
      }
    }
    std::erase_if(accesses,
                  [](const isa::Access& access) { return access.bytes == 0; });
    return accesses;
  }

  /// The hazard's later step is the last that was taken.
  std::optional<Hazard::Cause> Find(const Hazard& hazard) const {
    const isa::Memory memory = hazard.bytes->memory;
    const isa::IntervalSet lowest{{{hazard.bytes->at, hazard.bytes->at + 1}}};
    std::vector<isa::Interval> read;
    for (const isa::Access& a : judge_.accesses()) {
      if (!a.write && a.memory == memory && a.operand == hazard.later.operand &&
          a.iteration == hazard.later.iteration) {
        read.push_back(BytesOf(a));
      }
    }
    const isa::IntervalSet wanted(std::move(read));
    const Writer* best = nullptr;
    std::int64_t most = 0;
    for (std::size_t i = 0; i < hazard.later.step; ++i) {
      const Writer& writer = writers_[i];
      const isa::IntervalSet& writes = writer.use[memory].writes;
      if (writer.rejected) {
        if (Common(writes, lowest).empty()) continue;
        best = &writer;
        most = wanted.bytes() + 1;  // before all that were executed
        continue;
      }
      const std::int64_t bytes = Common(writes, wanted).bytes();
      if (bytes == 0 || bytes < most) continue;
      most = bytes;
      best = &writer;
    }
    if (best == nullptr) return std::nullopt;
    const std::string who = fmt::format("step {} {}", best->step,
                                        isa::OpName(c_.program[best->step]));
    return Hazard::Cause{
        .step = best->step,
        .text = best->rejected
                    ? fmt::format("follows from {}, which is rejected", who)
                    : fmt::format("{} writes {} of the {} bytes that this "
                                  "iteration reads{}",
                                  who, most, wanted.bytes(), best->lanes)};
  }

  const Case& c_;
  Judge judge_;
  std::optional<std::size_t> setter_;
  std::vector<Writer> writers_;
};

/// Each repair replays the program: of a longer one only so many are sought.
constexpr std::size_t kLongToReplay = 2000;
constexpr std::size_t kFewRepairs = 2;

}  // namespace

void FindCauses(const Case& c, Verdict& verdict) {
  if (c.program.size() > kLongProgram) return;
  Causes causes(c);
  std::size_t filled = 0;
  const auto fill = [&](std::vector<Hazard>& hazards) {
    for (Hazard& hazard : hazards) {
      if (hazard.rule != isa::sync::kInitRead || hazard.earlier) continue;
      if (++filled > kMostCauses) return;
      causes.SetCause(hazard);
    }
  };
  fill(verdict.hazards);
  if (verdict.after) fill(verdict.after->hazards);
}

std::vector<Diagnosis> Diagnose(const Case& c, const Verdict& verdict,
                                const DiagnosisLimits& limits) {
  std::vector<Diagnosis> all;
  std::vector<RejectedStep> rejected = RejectedIn(verdict);
  std::vector<std::size_t> numbers;
  for (const RejectedStep& one : rejected) numbers.push_back(one.step);
  const std::size_t most_repairs = c.program.size() > kLongToReplay
                                       ? std::min(limits.repairs, kFewRepairs)
                                       : limits.repairs;
  rejected.resize(std::min(rejected.size(), limits.witnesses));
  Judge judge(c);
  std::vector<bool> executed;
  executed.reserve(c.program.size());
  for (const RejectedStep& one : rejected) {
    while (executed.size() < one.step) {
      const auto result = judge.Take(c.program[executed.size()]);
      executed.push_back(result.status == isa::StepResult::Status::kExecuted);
    }
    const Situation situation{c, one.step, judge, numbers, &executed};
    Diagnosis diagnosis;
    diagnosis.step = one.step;
    diagnosis.witnesses = WitnessesOf(situation, one.rules);
    diagnosis.looked_for_repair = all.size() < most_repairs;
    if (diagnosis.looked_for_repair) {
      diagnosis.repair = FindRepair(situation, diagnosis.witnesses);
    }
    all.push_back(std::move(diagnosis));
  }
  return all;
}

Diagnosis DiagnoseRejected(const Case& c, std::size_t step,
                           const isa::RuleSet& rules, bool look_for_repair) {
  Verdict verdict;
  verdict.rejected = RejectedStep{.step = step, .rules = rules};
  Case in_turn = c;
  in_turn.lint.sync.reset();
  return Diagnose(in_turn, verdict,
                  {.witnesses = 1, .repairs = look_for_repair ? 1U : 0U})
      .front();
}

std::string TriedRepairOf(const Case& c, isa::RuleId rule) {
  const Verdict verdict = Lint(c);
  if (verdict.rejected && verdict.rejected->rules.Contains(rule)) {
    const Diagnosis diagnosis =
        Diagnose(c, verdict, {.witnesses = 1, .repairs = 1}).front();
    return diagnosis.repair ? TextOf(*diagnosis.repair) : "";
  }
  const auto hazard = std::ranges::find(verdict.hazards, rule, &Hazard::rule);
  if (hazard == verdict.hazards.end()) return "";
  const auto repair = FindHazardRepair(c, verdict, *hazard);
  return repair ? repair->text : "";
}

}  // namespace lanediff::lint
