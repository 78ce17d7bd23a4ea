#include "sanitizer/hazard_repair.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "isa/state.h"
#include "sanitizer/hazard_trial.h"
#include "sanitizer/lint.h"
#include "sanitizer/pipes.h"
#include "sanitizer/slots.h"

namespace lanediff::lint {
namespace {

constexpr std::size_t kLongProgramSteps = 2000;
constexpr std::size_t kMostRepaired = 16;
constexpr std::size_t kMostRepairedOfLong = 2;

/// A region of zeros there, and of what stands there already.
void Write(const HazardRepair::Written& part, Case& c) {
  auto& image = c.memory[static_cast<std::size_t>(part.memory)];
  if (!image) {
    image = MemoryImage{.fill = 0,
                        .size = SizeOf(c, part.memory),
                        .regions = {},
                        .initialised = false};
  }
  Region region{.at = part.at, .dtype = {}, .bytes = {}};
  region.bytes.assign(static_cast<std::size_t>(part.bytes), image->fill);
  const auto behind = std::ranges::find_if(
      image->regions, [&](const Region& r) { return r.at > part.at; });
  image->regions.insert(behind, std::move(region));
}

/// The other hazards that only lack a call and that the repair of hazard
/// `number` takes away: they follow from it.
void GoWith(const Case& c, const Verdict& verdict, std::size_t number,
            HazardRepairs& found) {
  const Hazard& cause = verdict.hazards[number];
  const Verdict now = Lint(Repaired(c, *found[number]));
  for (std::size_t i = 0; i < verdict.hazards.size(); ++i) {
    const Hazard& other = verdict.hazards[i];
    const auto is_other = [&](const Hazard& h) { return IsSame(h, other); };
    if (found.contains(i) || IsForRepair(other) || !IsOfWords(other) ||
        std::ranges::any_of(now.hazards, is_other)) {
      continue;
    }
    HazardRepair with;
    with.follows_from = cause.later.step;
    with.text = fmt::format("goes with the repair of {} at step {}",
                            cause.rule.text(), cause.later.step);
    found[i] = std::move(with);
  }
}

}  // namespace

bool IsForRepair(const Hazard& hazard) {
  return hazard.rule == isa::sync::kInitRead ||
         hazard.rule == isa::sync::kFlagId ||
         hazard.rule == isa::sync::kFlagPipe ||
         hazard.rule == isa::sync::kBarrierPipe;
}

bool IsOfWords(const Hazard& hazard) {
  const bool race = GroupOf(hazard.rule) == Group::kRacecheck;
  return race || GroupOf(hazard.rule) == Group::kSynccheck;
}

std::optional<HazardRepair> FindHazardRepair(const Case& c,
                                             const Verdict& verdict,
                                             const Hazard& hazard) {
  HazardTrial trial(c, verdict, hazard);
  if (hazard.rule == isa::sync::kInitRead) return ReadWritten(trial);
  return IsForRepair(hazard) ? ReplaceAbsent(trial) : ReplaceWrong(trial);
}

HazardRepairs FindHazardRepairs(const Case& c, const Verdict& verdict,
                                bool (*is_wanted)(const Hazard&)) {
  HazardRepairs found;
  const std::size_t most = c.program.size() > kLongProgramSteps
                               ? kMostRepairedOfLong
                               : kMostRepaired;
  std::size_t wrong = 0;   // looked into, of those that only lack a call
  std::size_t absent = 0;  // of the others
  for (std::size_t i = 0; i < verdict.hazards.size(); ++i) {
    const Hazard& hazard = verdict.hazards[i];
    const bool lacks_call = !IsForRepair(hazard);
    if (found.contains(i) || !is_wanted(hazard)) continue;
    if (lacks_call && !IsOfWords(hazard)) continue;
    std::size_t& looked = lacks_call ? wrong : absent;
    if (looked == most) continue;
    ++looked;
    auto repair = FindHazardRepair(c, verdict, hazard);
    if (lacks_call && !repair) continue;  // the missing call is reported
    found[i] = std::move(repair);
    if (lacks_call && !found[i]->follows_from) GoWith(c, verdict, i, found);
  }
  return found;
}

Case Repaired(const Case& c, const HazardRepair& repair) {
  Case repaired = c;
  for (const HazardRepair::Change& change : repair.changes) {
    isa::Step& step = repaired.program[change.step];
    const auto* const word = std::get_if<std::string>(&change.to);
    if (change.field == "event") {
      VisitFlag(step,
                [&](auto& f) { f.event = *isa::Parse<isa::Event>(*word); });
    } else if (change.field == "pipe") {
      std::get<isa::PipeBarrier>(step).pipe = *isa::Parse<isa::Pipe>(*word);
    } else if (change.field == "id") {
      VisitFlag(step,
                [&](auto& f) { f.id = std::get<std::int64_t>(change.to); });
    } else {
      step = With(step, change.field, std::get<std::int64_t>(change.to));
    }
  }
  for (const HazardRepair::Written& part : repair.written) {
    Write(part, repaired);
  }
  return repaired;
}

}  // namespace lanediff::lint
