#include "kernel/engine/inside.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "isa/memory_map.h"
#include "isa/state.h"
#include "sanitizer/order.h"

namespace lanediff::kernel {
namespace {

/// GM as a Walk has it: no buffer ends beyond.
constexpr std::int64_t kGmSize = std::int64_t{1} << 45;

}  // namespace

Engine::Inside::Inside(const Settings& s, Gm& g, Sink& out,
                       const emulator::Seams& emulated)
    : settings(s),
      gm(g),
      sink(out),
      seams(emulated),
      findings(settings, out),
      across(s.product) {
  facts.product = s.product;
  facts.edition = s.edition;
  if (s.sync) facts.lint.sync = LintFacts::Sync{.automatic = s.auto_sync};
  facts.lint.start_unknown = !s.mask_start_ones;
  facts.lint.propagate = true;
  for (std::size_t m = 0; m < facts.memory.size(); ++m) {
    const auto memory = static_cast<isa::Memory>(m);
    const bool is_gm = memory == isa::Memory::kGm;
    const std::int64_t size =
        is_gm ? kGmSize : isa::CapacityBytes(s.product, memory);
    if (size == 0) continue;
    facts.memory[m].emplace();
    facts.memory[m]->size = size;
    facts.memory[m]->initialised = is_gm;
  }
}

/// Views of text that outlives the call.
std::string_view Engine::Inside::Kept(std::string_view text) {
  const auto found = kept.find(text);
  return found != kept.end() ? *found : *kept.insert(std::string(text)).first;
}

isa::StepResult Engine::Inside::Take(isa::Step step, std::size_t site,
                                     bool report_rejects) {
  last_step = log.Add({std::move(step), site, block, sites.ExecutionOf(site)});
  const isa::StepResult result = walk->Take(log.At(last_step)->step, last_step);
  ReportResult(result, report_rejects);
  if (report_rejects && !result.rules.empty()) {
    rejected_by = {std::string((*result.rules.begin()).text()),
                   SiteOf(last_step)};
    LeaveUnknown(walk->judge().Natural(log.At(last_step)->step));
  }
  if (!settings.without.empty()) LookAcross(result.status, site);
  // It did nothing: a case of what follows has no need of it.
  if (result.status == isa::StepResult::Status::kRejected) {
    log.At(last_step)->withdrawn = true;
  }
  return result;
}

void Engine::Inside::AddBlock(std::int64_t number) {
  std::unique_ptr<LocalMemory> memory;
  if (idle.empty()) {
    memory = std::make_unique<LocalMemory>(facts.product, poison);
  } else {
    memory = std::move(idle.back());
    idle.pop_back();
    memory->Clear(poison);
  }
  blocks.try_emplace(number, facts.profile(), std::move(memory), seams);
}

void Engine::Inside::LeaveBlocks() {
  constexpr std::size_t kMostIdle = 64;
  for (auto& [number, one] : blocks) {
    if (idle.size() < kMostIdle) idle.push_back(std::move(one.memory));
  }
  blocks.clear();
}

Next Engine::Inside::After() {
  if (findings.IsFull()) return Next::kEndRun;
  if (!walk->machine().ended()) return Next::kGoOn;
  cut_short = true;
  if (!faults.empty() && faults.back().block == block) {
    ended_by.try_emplace(block, faults.back().cause);
  }
  return Next::kEndBlock;
}

Next Engine::Inside::TakeResource(isa::ResourceName name,
                                  isa::Arguments arguments,
                                  lanediff_site site) {
  const std::size_t number = sites.Of(site, isa::Name(name));
  sites.CountExecution(number);
  Take(isa::Resource{name, std::move(arguments)}, number);
  return After();
}

void Engine::Inside::ReportResult(const isa::StepResult& result,
                                  bool report_rejects) {
  if (report_rejects) {
    for (isa::RuleId rule : result.rules) ReportReject(rule, last_step);
    if (!result.rules.empty()) ++sites[log.At(last_step)->site].rejected;
  }
  for (isa::RuleId rule : result.notes) {
    NoteCut(rule, last_step);
    ReportNote(rule, last_step, "");
  }
  DrainWalk();
}

void Engine::Inside::DrainWalk() {
  for (const lint::Hazard& hazard : walk->TakeHazards()) Report(hazard);
  CountUnknownReads();
  for (machine::Finding& note : walk->TakeNotes()) {
    if (note.rule == isa::krn::kGmExtent) ++counts.gm_extent;
    ReportNote(note.rule, note.step, std::move(note.what));
  }
  for (const lint::Walk::Hidden& one : walk->TakeHidden()) ReportHidden(one);
}

// ---- Bytes with uncertified values ------------------------------------------

isa::IntervalSet& Engine::Inside::DoubtfulOf(isa::Memory memory) {
  return memory == isa::Memory::kGm
             ? doubtful_gm
             : here->doubtful[static_cast<std::size_t>(memory)];
}

void Engine::Inside::MarkDoubtful(const std::vector<isa::Access>& accesses,
                                  bool is_doubtful) {
  for (const isa::Access& access : accesses) {
    if (!access.write) continue;
    isa::IntervalSet& doubtful = DoubtfulOf(access.memory);
    if (is_doubtful) {
      doubtful.Insert(BytesOf(access));
    } else {
      doubtful.Erase(BytesOf(access));
    }
  }
}

bool Engine::Inside::ReadsDoubtful(const std::vector<isa::Access>& accesses) {
  return std::ranges::any_of(accesses, [&](const isa::Access& access) {
    return !access.write &&
           DoubtfulOf(access.memory).Intersects(BytesOf(access));
  });
}

/// The scalar unit reads an uncertified value.
void Engine::Inside::NoteUncertified(std::size_t site) {
  findings.Noted({"KRN-APPROX", sites[site].site,
                  "reads an uncertified value: the path taken from here may be "
                  "another one than a device's",
                  1});
}

// ---- --without: one place does not order, set or write ----------------------

bool Engine::Inside::IsWithout(std::size_t site) const {
  if (settings.without.empty()) return false;
  const SiteRow& row = sites[site];
  return settings.without.contains(
      fmt::format("{}:{}:{}", row.site.file, row.site.line, row.op));
}

/// Of a flag: SetFlag at such a place doesn't set, and the WaitFlag that would
/// take it doesn't wait.
bool Engine::Inside::IsFlagWithout(const isa::Step& step, std::size_t site) {
  if (settings.without.empty()) return false;
  if (const auto* set = std::get_if<isa::SetFlag>(&step)) {
    if (!IsWithout(site)) return false;
    ++here->flags_without[{set->event, set->id}];
    across.CutOrder(block, isa::SourceOf(set->event),
                    isa::DestinationOf(set->event));
    return true;
  }
  if (const auto* wait = std::get_if<isa::WaitFlag>(&step)) {
    const auto found = here->flags_without.find({wait->event, wait->id});
    if (found == here->flags_without.end() || found->second == 0) return false;
    --found->second;
    return true;
  }
  if (!IsWithout(site)) return false;
  if (const auto* barrier = std::get_if<isa::PipeBarrier>(&step)) {
    across.CutOrder(block, barrier->pipe, barrier->pipe);
  } else if (std::holds_alternative<isa::ResetMask>(step)) {
    CutMask();
  } else if (std::holds_alternative<isa::SetMaskNorm>(step)) {
    CutMode();
  }
  return true;
}

/// Of a queue's tensor: the call at such a place moves it and orders nothing,
/// and neither does the call that gets it.
void Engine::Inside::GiveWithout(std::int64_t buffer, std::int64_t at,
                                 std::size_t site) {
  if (!IsWithout(site)) return;
  here->tensors_without.emplace(buffer, at);
  walk->DropImplied();
  gives_without = true;
}

void Engine::Inside::GetWithout(std::int64_t buffer,
                                std::optional<std::int64_t> at) {
  if (at && here->tensors_without.erase({buffer, *at}) > 0) {
    walk->DropImplied();
  }
}

/// What sets the register, or its mode, is taken away where it wasn't set so
/// before.
void Engine::Inside::CutMask() {
  if (walk->mask_is_unknown() ||
      walk->mask_register() != lint::MaskState::Words()) {
    across.CutMask(block);
  }
}

void Engine::Inside::CutMode() {
  if (walk->mode_is_unknown() || walk->counter_mode()) across.CutMode(block);
}

/// What the last step has to do with what was taken away.
void Engine::Inside::LookAcross(isa::StepResult::Status status,
                                std::size_t site) {
  if (std::exchange(gives_without, false)) {
    for (const machine::Implied& one : walk->machine().implied()) {
      if (one.kind == machine::Implied::Kind::kWait) continue;
      across.CutOrder(block, one.from, one.to);
    }
  }
  const bool exempt = std::exchange(exempt_next, false);
  const isa::Step& step = log.At(last_step)->step;
  const auto pipe = lint::PipeOf(step, facts.product);
  const auto* const resource = std::get_if<isa::Resource>(&step);
  if (resource != nullptr && resource->name == isa::ResourceName::kDestroy) {
    across.Order(block);
  }
  if (here == nullptr || status != isa::StepResult::Status::kExecuted || exempt)
    return;
  const Across::Operation operation = {
      step, pipe.value_or(isa::Pipe::kS),
      pipe ? std::span<const isa::Access>(walk->accesses())
           : std::span<const isa::Access>(),
      block, walk->machine().accumulates()};
  if (across.Conflicts(operation)) sites[site].conflicts_across = true;
  across.Executed(operation);
}

}  // namespace lanediff::kernel
