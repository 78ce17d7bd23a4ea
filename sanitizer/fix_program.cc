// Repairs of hazards, and of a program as a whole.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <ranges>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "differential/testcase/series.h"
#include "differential/testcase/sort_stably.h"
#include "isa/state.h"
#include "sanitizer/diagnostics.h"
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

/// A repaired step may let later ones break a rule; each round looks again.
constexpr int kMostRounds = 8;
/// Rounds of missing calls: each puts in those of hazards that have no step in
/// common, so that a program of thousands of steps needs few.
constexpr int kMostCallRounds = 512;
/// Of single calls in the end, of which most programs need none.
constexpr std::size_t kMostSingleCalls = 64;

/// Repairs what is rejected, last step first, so that numbers hold; whether
/// anything was.
bool RepairRejected(FixedProgram& fixed) {
  std::vector<std::string> done;
  std::vector<std::string> left;
  const std::vector<Diagnosis> all = Diagnose(fixed.c, Lint(fixed.c));
  for (const Diagnosis& one : std::views::reverse(all)) {
    if (!one.repair) continue;
    fixed.c = Repaired(fixed.c, one.step, *one.repair);
    const std::string name =
        fmt::format("step {} {}", one.step, isa::OpName(one.repair->step));
    done.push_back(fmt::format("{}: {}", name, one.repair->text));
    const std::int64_t less = one.repair->left_out;
    if (less == 0) continue;
    left.push_back(fmt::format("{}: {} less than were written", name,
                               Counted(less, "iteration")));
  }
  std::ranges::reverse_copy(done, std::back_inserter(fixed.done));
  std::ranges::reverse_copy(left, std::back_inserter(fixed.left));
  return !done.empty();
}

/// Gives a flag that the product does not have another id; whether any was.
bool RepairFlag(FixedProgram& fixed, Verdict& verdict) {
  for (const Hazard& hazard : verdict.hazards) {
    if (hazard.rule != isa::sync::kFlagId) continue;
    const auto repair = FindHazardRepair(fixed.c, verdict, hazard);
    if (!repair) continue;
    fixed.done.push_back(fmt::format("step {} {}: {}", hazard.later.step,
                                     hazard.later.op, repair->text));
    fixed.c = Repaired(fixed.c, *repair);
    verdict = Lint(fixed.c);
    return true;
  }
  return false;
}

/// The program with the calls of the hazards' fixes where `Hazard::fix_at`
/// points, in one go: putting them in one by one moves the rest of the program
/// each time.
Case WithCalls(const std::vector<const Hazard*>& hazards, Case c) {
  std::multimap<std::size_t, const isa::Step*> before;
  for (const Hazard* hazard : hazards) {
    for (std::size_t i = 0; i < hazard->fix.size(); ++i) {
      const Hazard::FixPlace& place = hazard->fix_at[i];
      before.emplace(place.step + (place.behind ? 1 : 0), &hazard->fix[i]);
    }
  }
  std::vector<isa::Step> steps;
  steps.reserve(c.program.size() + before.size());
  auto next = before.begin();
  for (std::size_t i = 0; i <= c.program.size(); ++i) {
    for (; next != before.end() && next->first == i; ++next) {
      steps.push_back(*next->second);
    }
    if (i < c.program.size()) steps.push_back(std::move(c.program[i]));
  }
  c.sources.clear();
  c.program = std::move(steps);
  return c;
}

std::string DoneText(const Hazard& hazard) {
  std::string calls;
  for (const isa::Step& step : hazard.fix) {
    calls += (calls.empty() ? "" : " and ") + std::string(isa::OpName(step));
  }
  return hazard.earlier ? fmt::format("{}: {} between step {} and step {}",
                                      hazard.rule.text(), calls,
                                      hazard.earlier->step, hazard.later.step)
                        : fmt::format("{}: {} at step {}", hazard.rule.text(),
                                      calls, hazard.later.step);
}

std::size_t FirstStep(const Hazard& hazard) {
  return hazard.earlier ? std::min(hazard.earlier->step, hazard.later.step)
                        : hazard.later.step;
}

/// Of hazards with a missing call those of which no two have a step in common,
/// from the first step to the last of each; of those that end first, the
/// shortest.
std::vector<const Hazard*> Apart(std::vector<const Hazard*> all) {
  SortStably(all, [](const Hazard* h) {
    return std::pair(h->later.step, ~FirstStep(*h));
  });
  std::vector<const Hazard*> apart;
  for (const Hazard* hazard : all) {
    // Two may meet at a step: one ends before it, the other begins behind it.
    if (apart.empty() ||
        FirstStep(*hazard) >= apart.back()->later.step + !hazard->earlier) {
      apart.push_back(hazard);
    }
  }
  return apart;
}

/// Puts in missing calls, as many as make the hazards fewer by as many: of all
/// hazards that stand apart, of the first half of them and so on, or of the
/// first single one. Whether any were.
bool PutInCalls(FixedProgram& fixed, Verdict& verdict) {
  std::vector<const Hazard*> lacking = HazardsIn(verdict);
  std::erase_if(lacking, [](const Hazard* h) { return h->fix.empty(); });
  std::vector<std::vector<const Hazard*>> choices;
  for (auto some = Apart(lacking); !some.empty();
       some.resize(some.size() / 2)) {
    choices.push_back(some);
  }
  lacking.resize(std::min(lacking.size(), kMostSingleCalls));
  for (const Hazard* hazard : lacking) choices.push_back({hazard});
  for (const auto& some : choices) {
    Case changed = WithCalls(some, fixed.c);
    Verdict now = Lint(changed);
    if (!IsBetter(now, verdict, some.size())) continue;
    for (const Hazard* hazard : some) fixed.done.push_back(DoneText(*hazard));
    fixed.c = std::move(changed);
    verdict = std::move(now);
    return true;
  }
  return false;
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

FixedProgram FixProgram(const Case& c) {
  FixedProgram fixed{.c = c, .done = {}, .left = {}};
  fixed.c.expect.reset();
  fixed.c.requirement.clear();
  for (int round = 0; round < kMostRounds && RepairRejected(fixed); ++round) {
  }
  Verdict verdict = Lint(fixed.c);
  for (int round = 0; round < kMostRounds && RepairFlag(fixed, verdict);
       ++round) {
  }
  for (int round = 0; round < kMostCallRounds && PutInCalls(fixed, verdict);
       ++round) {
  }
  return fixed;
}

}  // namespace lanediff::lint
