// Flags and barriers that are there, with another event, id or pipe than was
// meant.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "differential/records/sort_stably.h"
#include "emulator/flags.h"
#include "isa/state.h"
#include "sanitizer/hazard_trial.h"
#include "sanitizer/pipes.h"

namespace lanediff::lint {
namespace {

/// Of flags without their other end and of steps between two operations, the
/// nearest ones are looked at.
constexpr std::size_t kMostPairs = 6;
constexpr std::size_t kMostBetween = 8;
constexpr std::size_t kLongProgramSteps = 2000;

std::string Word(isa::Event event) { return std::string(isa::Name(event)); }
std::string Word(isa::Pipe pipe) { return std::string(isa::Name(pipe)); }

std::size_t Between(std::size_t a, std::size_t b) {
  return a < b ? b - a : a - b;
}

/// "event V_MTE3 instead of MTE3_V in step 3".
std::string TextOf(const std::vector<HazardRepair::Change>& changes) {
  std::vector<std::string> words;
  std::vector<std::size_t> steps;
  for (const HazardRepair::Change& change : changes) {
    const std::string text = InsteadText(change);
    if (std::ranges::find(words, text) == words.end()) words.push_back(text);
    if (std::ranges::find(steps, change.step) == steps.end()) {
      steps.push_back(change.step);
    }
  }
  return fmt::format("{} in step{} {}", fmt::join(words, " and "),
                     steps.size() == 1 ? "" : "s", fmt::join(steps, " and "));
}

class WrongWords {
 public:
  explicit WrongWords(HazardTrial& trial) : trial_(trial) {}

  std::optional<HazardRepair> Run() {
    OfLoneFlags();
    const bool race = GroupOf(trial_.hazard.rule) == Group::kRacecheck;
    if (race && trial_.c.program.size() <= kLongProgramSteps) OfIdle();
    for (std::size_t fields = 1; fields <= 2; ++fields) {
      std::vector<HazardRepair> some;
      for (const HazardRepair& repair : tried_) {
        if (repair.changes.size() == fields) some.push_back(repair);
      }
      if (auto best = trial_.Best(some, 1)) return best;
    }
    return race ? OfCause() : std::nullopt;
  }

 private:
  const isa::Step& StepAt(std::size_t number) const {
    return trial_.c.program[number];
  }
  void Add(std::vector<HazardRepair::Change> changes) {
    HazardRepair repair;
    repair.text = TextOf(changes);
    repair.changes = std::move(changes);
    tried_.push_back(std::move(repair));
  }
  bool IsAlone(isa::RuleId rule) const {
    namespace sync = isa::sync;
    return rule == sync::kFlagUnset || rule == sync::kFlagUnwaited ||
           rule == sync::kFlagTwice;
  }
  void OfLoneFlags();
  void Becomes(std::size_t step, std::size_t other);
  void OfIdle();
  bool IsIdle(const std::vector<std::size_t>& steps);
  void OfIdlePair(std::size_t set, std::size_t wait);
  std::optional<HazardRepair> OfCause();

  HazardTrial& trial_;
  std::vector<HazardRepair> tried_;
};

/// `step` takes what it lacks to be of the flag of `other`.
void WrongWords::Becomes(std::size_t step, std::size_t other) {
  const auto [event, id] = *FlagOf(StepAt(step));
  const auto [to_event, to_id] = *FlagOf(StepAt(other));
  std::vector<HazardRepair::Change> changes;
  if (event != to_event) {
    changes.push_back({step, "event", Word(event), Word(to_event)});
  }
  if (id != to_id) changes.push_back({step, "id", id, to_id});
  if (!changes.empty()) Add(std::move(changes));
}

/// A wait that nothing sets and a set that nothing waits for, or that is set
/// already, are a pair if one of them is named as the other.
void WrongWords::OfLoneFlags() {
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  const std::size_t here = trial_.later();
  for (const Hazard& wait : trial_.verdict.hazards) {
    if (wait.rule != isa::sync::kFlagUnset) continue;
    for (const Hazard& set : trial_.verdict.hazards) {
      if (set.rule == wait.rule || !IsAlone(set.rule)) continue;
      const bool mine = !IsAlone(trial_.hazard.rule) ||
                        wait.later.step == here || set.later.step == here;
      if (mine) pairs.emplace_back(wait.later.step, set.later.step);
    }
  }
  SortStably(pairs, [&](const auto& p) {
    return Between(p.first, p.second) + Between(p.first, here);
  });
  pairs.resize(std::min(pairs.size(), kMostPairs));
  for (const auto& [wait, set] : pairs) {
    Becomes(wait, set);
    Becomes(set, wait);
  }
}

/// Whether nothing is worse without these steps: what they order is ordered
/// anyway.
bool WrongWords::IsIdle(const std::vector<std::size_t>& steps) {
  Case without = trial_.c;
  // In their places what every product has and no step waits for.
  for (std::size_t step : steps) without.program[step] = isa::SetSaturation{};
  const auto now = trial_.Look(without);
  return now && HazardsIn(*now) <= HazardsIn(trial_.verdict) &&
         now->rejected == trial_.verdict.rejected;
}

/// Barriers and pairs of flags between the two operations that order nothing.
void WrongWords::OfIdle() {
  const Hazard& race = trial_.hazard;
  const isa::Product product = trial_.c.product;
  const isa::Pipe from = *race.earlier->pipe;
  const isa::Pipe to = *race.later.pipe;
  std::size_t looked = 0;
  for (std::size_t i = race.later.step; i-- > race.earlier->step + 1;) {
    if (looked == kMostBetween) break;
    if (const auto* barrier = std::get_if<isa::PipeBarrier>(&StepAt(i))) {
      ++looked;
      if (!IsIdle({i})) continue;
      for (const isa::Pipe pipe : {from, isa::Pipe::kAll}) {
        if (pipe == barrier->pipe || !HasBarrier(product, pipe)) continue;
        if (pipe == from && from != to) continue;
        Add({{i, "pipe", Word(barrier->pipe), Word(pipe)}});
      }
    } else if (std::holds_alternative<isa::WaitFlag>(StepAt(i))) {
      const auto flag = FlagOf(StepAt(i));
      for (std::size_t set = i; set-- > race.earlier->step + 1;) {
        if (FlagOf(StepAt(set)) != flag) continue;
        ++looked;
        if (std::holds_alternative<isa::SetFlag>(StepAt(set))) {
          OfIdlePair(set, i);
        }
        break;
      }
    }
  }
}

void WrongWords::OfIdlePair(std::size_t set, std::size_t wait) {
  const auto [event, id] = *FlagOf(StepAt(set));
  const auto meant =
      EventOf(*trial_.hazard.earlier->pipe, *trial_.hazard.later.pipe);
  if (!meant || *meant == event ||
      !emulator::FlagExists(trial_.c.product, *meant, id) ||
      !IsIdle({set, wait})) {
    return;
  }
  Add({{set, "event", Word(event), Word(*meant)},
       {wait, "event", Word(event), Word(*meant)}});
}

/// A flag that lacks its other end orders the two as soon as it has it.
std::optional<HazardRepair> WrongWords::OfCause() {
  std::size_t looked = 0;
  for (const Hazard& cause : trial_.verdict.hazards) {
    if (!IsAlone(cause.rule) || cause.fix.size() != 1) continue;
    if (++looked > kMostPairs) break;
    const Hazard::FixPlace& place = cause.fix_at.front();
    const std::size_t at = place.step + (place.behind ? 1 : 0);
    Case changed = trial_.c;
    changed.program.insert(
        changed.program.begin() + static_cast<std::ptrdiff_t>(at),
        cause.fix.front());
    const auto now = trial_.Look(changed);
    if (!now) break;
    Hazard moved = trial_.hazard;
    moved.later.step += moved.later.step >= at ? 1 : 0;
    moved.earlier->step += moved.earlier->step >= at ? 1 : 0;
    const bool there = std::ranges::any_of(
        now->hazards, [&](const Hazard& h) { return IsSame(h, moved); });
    if (there || HazardsIn(*now) + 2 > HazardsIn(trial_.verdict)) continue;
    HazardRepair repair;
    repair.follows_from = cause.later.step;
    repair.text =
        fmt::format("follows from {} at step {}, whose flag orders these",
                    cause.rule.text(), cause.later.step);
    return repair;
  }
  return std::nullopt;
}

}  // namespace

std::optional<HazardRepair> ReplaceWrong(HazardTrial& trial) {
  return WrongWords(trial).Run();
}

}  // namespace lanediff::lint
