#include "kernel/engine/inside.h"

#include <algorithm>

#include "isa/memory_map.h"

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

ByteSet& Engine::Inside::DoubtfulOf(isa::Memory memory) {
  return memory == isa::Memory::kGm
             ? doubtful_gm
             : here->doubtful[static_cast<std::size_t>(memory)];
}
const ByteSet& Engine::Inside::DoubtfulOf(isa::Memory memory) const {
  return const_cast<Inside*>(this)->DoubtfulOf(memory);
}

void Engine::Inside::MarkDoubtful(const std::vector<isa::Access>& accesses,
                                  bool is_doubtful) {
  for (const isa::Access& access : accesses) {
    if (!access.write) continue;
    DoubtfulOf(access.memory)
        .Set({access.at, access.at + access.bytes}, is_doubtful);
  }
}

bool Engine::Inside::ReadsDoubtful(
    const std::vector<isa::Access>& accesses) const {
  return std::ranges::any_of(accesses, [&](const isa::Access& access) {
    return !access.write &&
           DoubtfulOf(access.memory).Has({access.at, access.at + access.bytes});
  });
}

}  // namespace lanediff::kernel
