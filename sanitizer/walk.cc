#include "sanitizer/walk.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <variant>

#include "isa/state.h"
#include "sanitizer/lint.h"
#include "sanitizer/order.h"

namespace lanediff::lint {
namespace {

using Status = isa::StepResult::Status;

/// Of a copy that accumulates: what it reads of GM, before it writes that.
std::vector<isa::Access> WithReadsOfSums(
    const std::vector<isa::Access>& accesses) {
  std::vector<isa::Access> all;
  for (const isa::Access& access : accesses) {
    const bool in_gm = access.memory == isa::Memory::kGm;
    if (in_gm && !access.write) continue;
    if (in_gm) all.emplace_back(access).write = false;
    all.push_back(access);
  }
  return all;
}

std::vector<isa::Access> WithoutReadsOfGm(std::vector<isa::Access> accesses) {
  std::erase_if(accesses, [](const isa::Access& access) {
    return !access.write && access.memory == isa::Memory::kGm;
  });
  return accesses;
}

}  // namespace

Walk::Walk(const Case& c, StepAt step_at, SiteAt site_at, bool run)
    : case_(c),
      step_at_(std::move(step_at)),
      site_at_(std::move(site_at)),
      run_(run),
      init_(c),
      stale_(c),
      unknown_(c),
      fixes_(c),
      machine_(c.product) {
  Enter(0);
  verdict_.racecheck = c.lint.sync.has_value();
  registers_.reserve(c.program.size());
  pipes_.reserve(c.program.size());
}

Verdict Walk::Finish() {
  if (!verdict_.unsupported) FinishBlocks();
  machine_.Finish();
  TellOfKernel();
  Close(verdict_.hazards);
  if (verdict_.after) {
    Close(verdict_.after->hazards);
    Close(verdict_.after->at_end);
  }
  return std::move(verdict_);
}

void Walk::Close(std::vector<Hazard>& hazards) const {
  if (!run_ && FormatOf(case_) != kCaseFormat) {
    for (Hazard& hazard : hazards) hazard.where = WhereOf(case_, hazard);
  }
  Sort(hazards);
  PlaceFixes(hazards);
}

// ---- Blocks -----------------------------------------------------------------

void Walk::Enter(std::int64_t number) {
  auto found = blocks_.find(number);
  if (found == blocks_.end()) {
    const LintFacts& facts = case_.lint;
    const bool automatic = facts.sync && facts.sync->automatic;
    Block block{.judge = Judge(case_),
                .order = {case_.product, automatic},
                .masks = {case_.product, facts.start_unknown, site_at_},
                .races = {},
                .manual = std::nullopt};
    if (run_ && automatic) block.manual.emplace(case_.product, false);
    found = blocks_.emplace(number, std::move(block)).first;
  }
  here_ = &found->second;
  init_.unwritten().EnterBlock(number);
  stale_.EnterBlock(number);
  unknown_.EnterBlock(number);
}

void Walk::FinishBlocks() {
  auto& open = verdict_.after ? verdict_.after->at_end : verdict_.hazards;
  for (const auto& [number, block] : blocks_) {
    block.order.Finish(open);
    // KRN-MASK-LEFT reports a kernel's.
    if (!started_) block.masks.Finish(open);
  }
}

/// Launch and Block.
void Walk::Begin(const isa::Resource& resource) {
  if (resource.name == isa::ResourceName::kLaunch) {
    FinishBlocks();
    blocks_.clear();
    init_.unwritten().Launch();
    stale_.Launch();
    unknown_.Launch();
    Enter(0);
  } else if (resource.name == isa::ResourceName::kBlock) {
    started_ = true;
    Enter(machine_.block());
  }
}

/// What the machine of a kernel has found since.
void Walk::TellOfKernel() {
  for (machine::Finding& finding : machine_.TakeFindings()) {
    if (finding.note) {
      Note(finding.rule, finding.step);
      if (run_) notes_.push_back(std::move(finding));
      continue;
    }
    Hazard hazard;
    hazard.rule = finding.rule;
    hazard.later = KernelPlace(finding.step);
    if (finding.earlier) hazard.earlier = KernelPlace(*finding.earlier);
    hazard.what = std::move(finding.what);
    hazard.gm_byte = finding.gm_byte;
    hazards().push_back(std::move(hazard));
  }
}

Place Walk::KernelPlace(std::size_t number) const {
  const isa::Step* const step = step_at_(number);
  if (step == nullptr) return {.step = number, .op = {}};
  const auto* const resource = std::get_if<isa::Resource>(step);
  return {.step = number,
          .op = resource != nullptr ? isa::Name(resource->name)
                                    : isa::OpName(*step)};
}

void Walk::Note(isa::RuleId rule, std::size_t number) {
  if (!verdict_.after) verdict_.notes[rule].push_back(number);
}

/// Where what is found now belongs.
std::vector<Hazard>& Walk::hazards() {
  return verdict_.after ? verdict_.after->hazards : verdict_.hazards;
}

// ---- A step -----------------------------------------------------------------

isa::StepResult Walk::Take(const isa::Step& step, std::size_t number) {
  registers_.push_back(here_->judge.mask_register());
  pipes_.push_back(PipeOf(step, case_.product).value_or(isa::Pipe::kAll));
  const bool deferred = std::exchange(defer_rejected_, false);
  const auto* const resource = std::get_if<isa::Resource>(&step);
  if (resource == nullptr && machine_.ended()) return {};
  isa::StepResult result = here_->judge.Take(step);
  if (result.status == Status::kRejected) {
    exempt_ = false;
    machine_.Skip();
    Reject(step, {.step = number, .rules = result.rules}, deferred);
    return result;
  }
  CountStep(step);
  for (isa::RuleId rule : result.notes) Note(rule, number);
  here_->masks.Look(step, number, registers_.back(), hazards());
  if (!hazards().empty() && hazards().back().rule == isa::state::kMaskDrift) {
    hazards().back().earlier = KernelPlace(hazards().back().earlier->step);
  }
  if (result.status == Status::kUnsupported) {
    if (!verdict_.after) verdict_.unsupported = number;
    return result;
  }
  const auto [high, low] = here_->judge.mask_register();
  machine_.Take(
      step, number, here_->judge.accesses(),
      {.high = high, .low = low, .counter = here_->judge.counter_mode()});
  TellOfKernel();
  if (resource != nullptr) {
    Begin(*resource);
    BeginUse(*resource);
  }
  Synchronize(step, number);
  here_->masks.Executed(step, number);
  if (pipes_.back() != isa::Pipe::kAll) Operate(step, number);
  return result;
}

/// AllocTensor and FreeTensor: what is in the buffer is of an earlier use.
void Walk::BeginUse(const isa::Resource& resource) {
  const auto& undefined = machine_.buffers().undefined();
  if ((resource.name != isa::ResourceName::kAllocTensor &&
       resource.name != isa::ResourceName::kFreeTensor) ||
      !undefined) {
    return;
  }
  const isa::IntervalSet bytes{
      {{undefined->at, undefined->at + undefined->bytes}}};
  // What was computed from unwritten bytes is INIT-READ's.
  stale_.Begin(undefined->memory,
               Without(bytes, init_.unwritten().In(undefined->memory, bytes)),
               undefined->only, here_->races);
}

/// What a step reads of a buffer that was given back is KRN-FREED's alone.
void Walk::ForgiveFreed(const std::vector<isa::Access>& accesses,
                        std::size_t number) {
  const bool freed = std::ranges::any_of(hazards(), [&](const Hazard& hazard) {
    return hazard.later.step == number && hazard.rule == isa::krn::kFreed;
  });
  if (!freed) return;
  for (const isa::Access& access : accesses) {
    stale_.Remember(access.memory, BytesOf(access));
  }
}

void Walk::Synchronize(const isa::Step& step, std::size_t number) {
  const bool dropped = std::exchange(drop_implied_, false);
  for (const machine::Implied& implied : machine_.implied()) {
    if (dropped) break;
    here_->order.Imply(implied, number);
    if (here_->manual) here_->manual->Imply(implied, number);
  }
  here_->order.Take(step, number, hazards());
  if (!here_->manual) return;
  std::vector<Hazard> told_already;
  here_->manual->Take(step, number, told_already);
}

/// What a rejected step would have written counts as written.
void Walk::CountRejected(const isa::Step& step) {
  for (const isa::Access& access : here_->judge.Natural(step)) {
    if (!access.write) continue;
    isa::Interval bytes = BytesOf(access);
    // The bytes of an address that is no multiple of it are unknown.
    if (access.memory != isa::Memory::kGm) {
      constexpr std::int64_t kUnit = 32;
      bytes.begin = bytes.begin / kUnit * kUnit;
      bytes.end = (bytes.end + kUnit - 1) / kUnit * kUnit;
    }
    init_.unwritten().Write(access.memory, bytes);
  }
}

void Walk::Reject(const isa::Step& step, const RejectedStep& rejected,
                  bool deferred) {
  if (run_) {
    if (!deferred) CountRejected(step);
    return;
  }
  if (verdict_.after) {
    verdict_.after->rejected.push_back(rejected);
    return;
  }
  verdict_.rejected = rejected;
  verdict_.after.emplace();
}

void Walk::CountStep(const isa::Step& step) {
  verdict_.masked += IsMasked(step) ? 1 : 0;
  const bool orders = std::holds_alternative<isa::SetFlag>(step) ||
                      std::holds_alternative<isa::WaitFlag>(step) ||
                      std::holds_alternative<isa::PipeBarrier>(step);
  verdict_.synchronizing += orders ? 1 : 0;
}

/// A step that touches bytes was executed.
void Walk::Operate(const isa::Step& step, std::size_t number) {
  const auto n = static_cast<std::int32_t>(number);
  const isa::Pipe pipe = pipes_.back();
  const auto& touched = here_->judge.accesses();
  const bool accumulates = machine_.accumulates();
  const std::vector<isa::Access> sums =
      accumulates ? WithReadsOfSums(touched) : std::vector<isa::Access>();
  const auto& accesses = accumulates ? sums : touched;
  use_.Set(accesses);
  ++verdict_.operations;
  for (std::size_t m = 0; m < isa::kCount<isa::Memory>; ++m) {
    const MemoryUse& use = use_[static_cast<isa::Memory>(m)];
    verdict_.bytes += use.reads.bytes() + use.writes.bytes();
  }
  wrote_first_ = run_ && WritesFirst();
  for (const InitRead& read : init_.Take(step, n, accesses, use_)) {
    Report(read, accesses, number);
  }
  ForgiveFreed(accesses, number);
  for (const auto& read : stale_.Take(step, n, accesses, use_)) {
    Report(read, accesses, number);
  }
  for (InitRead& read : unknown_.Take(step, n, accesses, use_)) {
    if (pipe == isa::Pipe::kS) unknown_reads_.push_back(std::move(read));
  }
  KeepWriters(accesses, n);
  // The order among sums is not of their reads.
  if (accumulates) use_.Set(WithoutReadsOfGm(sums));
  if (std::exchange(exempt_, false)) {
    std::vector<isa::Access> in_gm;
    std::ranges::copy_if(
        accesses, std::back_inserter(in_gm),
        [](isa::Memory memory) { return memory == isa::Memory::kGm; },
        &isa::Access::memory);
    use_.Set(in_gm);
  }
  if (!verdict_.racecheck) {
    // What wrote what, of a run and of queues.
    if (run_ || stale_.active()) here_->races.Executed(use_, pipe, n);
    return;
  }
  const std::vector<Race> races =
      here_->races.Look(use_, pipe, pipes_, here_->order);
  for (const Race& race : races) Report(race, number);
  if (here_->manual) LookForHidden(races, number);
  here_->races.Executed(use_, pipe, n);
  if (pipe != isa::Pipe::kS) return;
  here_->order.EndOfScalar(number);
  if (here_->manual) here_->manual->EndOfScalar(number);
}

bool Walk::WritesFirst() const {
  for (std::size_t m = 0; m < isa::kCount<isa::Memory>; ++m) {
    const auto memory = static_cast<isa::Memory>(m);
    if (memory != isa::Memory::kGm &&
        !init_.unwritten().In(memory, use_[memory].writes).empty()) {
      return true;
    }
  }
  return false;
}

void Walk::LookForHidden(const std::vector<Race>& found, std::size_t number) {
  const auto all =
      here_->races.Look(use_, pipes_.back(), pipes_, *here_->manual);
  for (const Race& race : all) {
    const bool found_too = std::ranges::any_of(found, [&](const Race& one) {
      return one.rule == race.rule && one.earlier == race.earlier;
    });
    if (found_too) continue;
    hidden_.push_back(
        {race.rule, static_cast<std::size_t>(race.earlier), number});
  }
}

}  // namespace lanediff::lint
