#include "sanitizer/hazard_repair.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "differential/records/sort_stably.h"
#include "differential/testcase/series.h"
#include "isa/state.h"
#include "sanitizer/lint.h"
#include "sanitizer/repair.h"

namespace lanediff::lint {
namespace {

constexpr std::size_t kLongProgramSteps = 2000;
constexpr std::size_t kMostRepaired = 16;
constexpr std::size_t kMostRepairedOfLong = 2;

using Flag = std::pair<isa::Event, std::int64_t>;

template <class Visit>
void VisitFlag(isa::Step& step, const Visit& visit) {
  if (auto* set = std::get_if<isa::SetFlag>(&step)) visit(*set);
  if (auto* wait = std::get_if<isa::WaitFlag>(&step)) visit(*wait);
}

std::optional<Flag> FlagOf(isa::Step step) {
  std::optional<Flag> flag;
  VisitFlag(step, [&](const auto& f) { flag = {f.event, f.id}; });
  return flag;
}

/// A region there, of what stands there already.
void Write(const HazardRepair::Written& part, Case& c) {
  auto& image = c.memory[static_cast<std::size_t>(part.memory)];
  if (!image) {
    image = MemoryImage{.fill = 0,
                        .size = SizeOf(c, part.memory),
                        .regions = {},
                        .initialised = false};
  }
  Region region{.at = part.at,
                .dtype = isa::DType::kUint8,
                .bytes = {},
                .series = std::make_shared<const Series>(
                    Series::Run(isa::DType::kUint8, image->fill, part.bytes))};
  const auto behind = std::ranges::find_if(
      image->regions, [&](const Region& r) { return r.at > part.at; });
  image->regions.insert(behind, std::move(region));
}

/// Whether the program with the repair has at least `fewer` hazards less, not
/// this one, and nothing else is worse.
bool Helps(const Case& c, const Verdict& verdict, const Hazard& hazard,
           const HazardRepair& repair, std::size_t fewer) {
  const Verdict now = Lint(Repaired(c, repair));
  return IsBetter(now, verdict, fewer) &&
         std::ranges::none_of(now.hazards, [&](const Hazard& other) {
           return other.rule == hazard.rule &&
                  other.later.step == hazard.later.step &&
                  other.later.operand == hazard.later.operand;
         });
}

/// Every step of the flag with another id.
HazardRepair WithId(const Case& c, const Flag& flag, std::int64_t id) {
  HazardRepair repair;
  std::vector<std::size_t> steps;
  for (std::size_t i = 0; i < c.program.size(); ++i) {
    if (FlagOf(c.program[i]) != flag) continue;
    repair.changes.push_back({i, "id", flag.second, id});
    steps.push_back(i);
  }
  constexpr std::size_t kFew = 8;
  const bool many = steps.size() > kFew;
  if (many) steps.resize(kFew);
  repair.text = fmt::format("id {} instead of {} in step{} {}{}", id,
                            flag.second, steps.size() == 1 ? "" : "s",
                            fmt::join(steps, ", "), many ? ", …" : "");
  return repair;
}

/// The lowest id that the product has, one that no step uses if possible;
/// those that SYNC-FLAG-RESERVED speaks of are the greatest.
std::optional<HazardRepair> ReplaceId(const Case& c, const Verdict& verdict,
                                      const Hazard& hazard) {
  const Flag flag = *FlagOf(c.program[hazard.later.step]);
  std::set<std::int64_t> used;
  for (const isa::Step& step : c.program) {
    const auto other = FlagOf(step);
    if (other && other->first == flag.first) used.insert(other->second);
  }
  std::vector<std::int64_t> ids;
  for (std::int64_t id = 0; id < hazard.ids; ++id) ids.push_back(id);
  SortStably(ids, [&](std::int64_t id) { return used.contains(id); });
  for (const std::int64_t id : ids) {
    HazardRepair repair = WithId(c, flag, id);
    // A flag that counts now may lack its other end, which is reported then.
    if (Helps(c, verdict, hazard, repair, 0)) return repair;
  }
  return std::nullopt;
}

/// What the step reads and nothing has written counts as written before the
/// program; of bytes that were computed from such, those.
std::optional<HazardRepair> WriteBefore(const Case& c, const Verdict& verdict,
                                        const Hazard& hazard) {
  Case first_reads = c;
  first_reads.lint.propagate = false;
  const std::size_t reader =
      hazard.earlier ? hazard.earlier->step : hazard.later.step;
  HazardRepair repair;
  std::vector<std::string> places;
  for (const Hazard& read : Lint(first_reads).hazards) {
    if (read.rule != hazard.rule || read.later.step != reader) continue;
    if (!hazard.earlier && read.later.operand != hazard.later.operand) continue;
    const auto& [memory, at, bytes, end, total, folded] = *read.bytes;
    const HazardRepair::Written part{memory, at, end - at};
    if (std::ranges::find(repair.written, part) != repair.written.end()) {
      continue;
    }
    repair.written.push_back(part);
    places.push_back(
        fmt::format("{} bytes {} to {}", isa::Name(memory), at, end - 1));
  }
  repair.text = fmt::format(
      "a region over {}, or a copy there before step {}, makes them written",
      fmt::join(places, " and "), reader);
  return !places.empty() && Helps(c, verdict, hazard, repair, 1)
             ? std::optional(std::move(repair))
             : std::nullopt;
}

bool IsForRepair(const Hazard& hazard) {
  return hazard.rule == isa::sync::kInitRead ||
         hazard.rule == isa::sync::kFlagId;
}

}  // namespace

std::optional<HazardRepair> FindHazardRepair(const Case& c,
                                             const Verdict& verdict,
                                             const Hazard& hazard) {
  if (!IsForRepair(hazard)) return std::nullopt;
  return hazard.rule == isa::sync::kFlagId ? ReplaceId(c, verdict, hazard)
                                           : WriteBefore(c, verdict, hazard);
}

HazardRepairs FindHazardRepairs(const Case& c, const Verdict& verdict) {
  HazardRepairs found;
  const std::size_t most = c.program.size() > kLongProgramSteps
                               ? kMostRepairedOfLong
                               : kMostRepaired;
  for (std::size_t i = 0; i < verdict.hazards.size() && found.size() < most;
       ++i) {
    if (!IsForRepair(verdict.hazards[i])) continue;
    found[i] = FindHazardRepair(c, verdict, verdict.hazards[i]);
  }
  return found;
}

Case Repaired(const Case& c, const HazardRepair& repair) {
  Case repaired = c;
  for (const HazardRepair::Change& change : repair.changes) {
    VisitFlag(repaired.program[change.step],
              [&](auto& flag) { flag.id = change.to; });
  }
  for (const HazardRepair::Written& part : repair.written) {
    Write(part, repaired);
  }
  return repaired;
}

}  // namespace lanediff::lint
