#include "sanitizer/repair.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <string>
#include <tuple>
#include <utility>

#include "differential/testcase/case.h"
#include "differential/testcase/sort_stably.h"
#include "isa/footprint.h"
#include "isa/state.h"
#include "sanitizer/judge.h"
#include "sanitizer/lint.h"
#include "sanitizer/order.h"
#include "sanitizer/trial.h"

namespace lanediff::lint {
namespace {

/// What may be tried for one step, and how many half-healed calls are taken
/// further from one number of fields to the next.
constexpr int kMostTried = 2000;
constexpr std::size_t kWidth = 12;
/// Of legal calls, how many are put into the program, and how many steps in
/// all of these programs: fewer are compared where the program is long.
constexpr std::size_t kMostReplayed = 24;
constexpr std::size_t kMostReplayedSteps = 6000;

/// A changed call on the way.
struct Attempt {
  isa::Step step;
  std::vector<Repair::Change> changes = {};
  double lost = 0;
  std::string why = {};
  bool barrier = false;  ///< needs one before it
  isa::RuleSet broken = {};
  std::vector<Witness> witnesses = {};
};

/// Whether the call, by its fields, reads and writes no byte.
bool DoesNothing(const isa::Step& step, isa::Product product) {
  const auto prints = isa::FootprintsOf(step, product);
  return !prints.empty() &&
         std::ranges::all_of(prints, [](const isa::Footprint& print) {
           return print.Touched() == std::int64_t{0};
         });
}

/// The change that lowers how often a call iterates; null if none does.
const Repair::Change* FewerIterations(const Repair& repair) {
  for (const Repair::Change& change : repair.changes) {
    const bool counts =
        change.field.starts_with("repeat") || change.field == "blockCount";
    if (counts && change.to > 0 && change.from > change.to) return &change;
  }
  return nullptr;
}

std::size_t InitReadsIn(const Verdict& verdict) {
  return static_cast<std::size_t>(
      std::ranges::count_if(HazardsIn(verdict), [](const Hazard* hazard) {
        return hazard->rule == isa::sync::kInitRead;
      }));
}

class Search {
 public:
  Search(const Situation& s, const std::vector<Witness>& witnesses)
      : s_(s), witnesses_(witnesses) {}

  std::optional<Repair> Run();

 private:
  void FindBroken(Attempt& attempt) const;
  std::vector<Trial> TrialsOf(const Attempt& from) const;
  std::optional<Attempt> Try(const Attempt& from, const Trial& trial) const;
  std::optional<Repair> Choose(std::vector<Attempt> legal) const;
  std::int64_t UnfilledBytes(const isa::Step& step) const;
  Repair RepairOf(const Attempt& attempt) const;
  void AddRest(Repair& repair, const Verdict& found) const;

  const Situation& s_;
  const std::vector<Witness>& witnesses_;
};

/// Sets what the call breaks beside *-BARRIER, which one more step heals.
void Search::FindBroken(Attempt& attempt) const {
  attempt.broken = {};
  attempt.barrier = false;
  for (const isa::RuleId id : s_.judge.Broken(attempt.step)) {
    if (IsBarrierRule(id)) {
      attempt.barrier = true;
    } else {
      attempt.broken.Add(id);
    }
  }
}

std::vector<Trial> Search::TrialsOf(const Attempt& from) const {
  const Situation tried = s_.Trying(from.step);
  std::vector<Trial> trials = UnitTrials(tried);
  if (!from.changes.empty()) {
    std::erase_if(trials, [](const Trial& t) { return t.changes.size() > 1; });
  }
  std::ranges::move(ClampTrials(tried, from.witnesses),
                    std::back_inserter(trials));
  return trials;
}

/// The call with the trial's values, unless a field is changed already or what
/// is broken got no less.
std::optional<Attempt> Search::Try(const Attempt& from,
                                   const Trial& trial) const {
  Attempt next = from;
  for (const Repair::Change& change : trial.changes) {
    const auto is_same = [&](const Repair::Change& other) {
      return other.field == change.field;
    };
    if (std::ranges::any_of(from.changes, is_same)) return {};
    next.changes.push_back(change);
  }
  if (next.changes.size() > kMostChanges) return {};
  next.step = trial.On(from.step);
  next.lost += trial.lost;
  // Beside other changes its reason explains too little.
  next.why = from.changes.empty() ? trial.why : "";
  if (DoesNothing(next.step, s_.c.product) &&
      !DoesNothing(s_.step(), s_.c.product)) {
    return {};
  }
  FindBroken(next);
  if (next.broken.empty()) return next;
  if (next.broken.size() > from.broken.size()) return {};
  next.witnesses = WitnessesOf(s_.Trying(next.step), next.broken);
  const bool less = !std::ranges::includes(next.broken, from.broken) ||
                    next.witnesses.size() < from.witnesses.size();
  return less ? std::optional(std::move(next)) : std::nullopt;
}

std::optional<Repair> Search::Run() {
  Attempt start{.step = s_.step()};
  FindBroken(start);
  start.witnesses = witnesses_;
  if (start.broken.empty()) return Choose({std::move(start)});
  std::vector<Attempt> open = {std::move(start)};
  int tried = 0;
  for (std::size_t fields = 1; fields <= kMostChanges; ++fields) {
    std::vector<Attempt> legal;
    std::vector<Attempt> next_open;
    for (const Attempt& from : open) {
      for (const Trial& trial : TrialsOf(from)) {
        if (++tried > kMostTried) break;
        auto next = Try(from, trial);
        if (!next) continue;
        (next->broken.empty() ? legal : next_open).push_back(std::move(*next));
      }
    }
    if (!legal.empty()) return Choose(std::move(legal));
    SortStably(next_open, [](const Attempt& a) {
      return std::tuple(a.broken.size(), a.witnesses.size(), a.lost);
    });
    next_open.resize(std::min(next_open.size(), kWidth));
    open = std::move(next_open);
  }
  return {};
}

Repair Search::RepairOf(const Attempt& attempt) const {
  Repair repair;
  repair.step = attempt.step;
  isa::Step copy = attempt.step;
  for (const Slot& slot : SlotsOf(copy)) {  // in the document's order
    const auto found =
        std::ranges::find(attempt.changes, slot.name, &Repair::Change::field);
    if (found != attempt.changes.end()) repair.changes.push_back(*found);
  }
  repair.text = attempt.why;
  if (repair.text.empty() && !repair.changes.empty()) {
    std::vector<std::string> parts;
    for (const Repair::Change& change : repair.changes) {
      parts.push_back(fmt::format("{} {} instead of {}", change.field,
                                  change.to, change.from));
    }
    repair.text =
        fmt::format("{} make{} the call legal", fmt::join(parts, " and "),
                    parts.size() == 1 ? "s" : "");
  }
  if (attempt.barrier) {
    const auto pipe = PipeOf(attempt.step, s_.c.product);
    const bool own = pipe && HasBarrier(s_.c.product, *pipe);
    const isa::Pipe barrier = own ? *pipe : isa::Pipe::kAll;
    repair.before = {isa::PipeBarrier{barrier}};
    repair.text += fmt::format(
        "{}PipeBarrier {} before step {} makes the call legal",
        repair.text.empty() ? "" : "; then ", isa::Name(barrier), s_.number);
  }
  return repair;
}

/// Puts in calls for iterations that the repair takes away, if nothing is
/// worse with them. `found` is what lint finds with the repair alone.
void Search::AddRest(Repair& repair, const Verdict& found) const {
  const Repair::Change* const lowered = FewerIterations(repair);
  if (lowered == nullptr) return;
  const std::int64_t rest = lowered->from - lowered->to;
  Repair whole = repair;
  whole.behind = CallsForRest(s_, repair.step, *lowered);
  const std::size_t calls = whole.behind.size();
  if (calls > 0 && IsBetter(Lint(Repaired(s_.c, s_.number, whole)), found, 0)) {
    repair.behind = std::move(whole.behind);
    repair.text +=
        calls == 1
            ? fmt::format("; a second call does the other {}", rest)
            : fmt::format("; {} calls behind it do the other {}", calls, rest);
    return;
  }
  repair.left_out = rest;
  repair.text +=
      fmt::format("; the other {} {} left out", rest, rest == 1 ? "is" : "are");
}

/// How much of their windows the operands leave alone, or need beyond them.
std::int64_t Search::UnfilledBytes(const isa::Step& step) const {
  std::int64_t bytes = 0;
  for (const isa::Footprint& print :
       isa::FootprintsOf(step, s_.c.product, s_.judge.mask_register())) {
    const auto window = IntegerOf(step, std::string(print.operand) + ".bytes");
    if (!window || *window > isa::kFarAway) continue;
    bytes += std::llabs(*window - print.Touched().value_or(isa::kFarAway));
  }
  return bytes;
}

/// Of numbers in other units if there are such, else of all: the one after
/// which the fewest steps are rejected that were not before, the fewest calls
/// read what nothing wrote, the fewest fields are changed, the least is lost,
/// and the windows are filled best.
std::optional<Repair> Search::Choose(std::vector<Attempt> legal) const {
  const auto is_plain = [](const Attempt& one) { return one.why.empty(); };
  if (!std::ranges::all_of(legal, is_plain)) std::erase_if(legal, is_plain);
  SortStably(legal, [](const Attempt& one) {
    return std::tuple(one.changes.size(), one.lost);
  });
  const std::size_t most = std::clamp<std::size_t>(
      kMostReplayedSteps / s_.c.program.size(), 1, kMostReplayed);
  legal.resize(std::min(legal.size(), most));
  using Rank =
      std::tuple<std::size_t, std::size_t, std::size_t, double, std::int64_t>;
  std::optional<std::tuple<Rank, Repair, Verdict>> best;
  for (const Attempt& attempt : legal) {
    Repair repair = RepairOf(attempt);
    Verdict found = Lint(Repaired(s_.c, s_.number, repair));
    const std::size_t before = repair.before.size();
    bool itself = false;
    for (const auto& [step, rules] : RejectedIn(found)) {
      itself = itself || step == s_.number + before;
      const std::size_t old = step > s_.number ? step - before : step;
      if (!std::ranges::binary_search(s_.rejected, old)) {
        repair.then_rejected.push_back(old);
      }
    }
    if (itself) continue;
    const Rank rank = {repair.then_rejected.size(), InitReadsIn(found),
                       attempt.changes.size(), attempt.lost,
                       UnfilledBytes(attempt.step)};
    if (!best || rank < std::get<0>(*best)) {
      best.emplace(rank, std::move(repair), std::move(found));
    }
  }
  if (!best) return std::nullopt;
  auto& [rank, repair, found] = *best;
  AddRest(repair, found);
  return std::move(repair);
}

}  // namespace

std::optional<Repair> FindRepair(const Situation& situation,
                                 const std::vector<Witness>& witnesses) {
  return Search(situation, witnesses).Run();
}

Case Repaired(const Case& c, std::size_t number, const Repair& repair) {
  Case repaired = c;
  std::vector<isa::Step> steps = repair.before;
  steps.push_back(repair.step);
  steps.insert(steps.end(), repair.behind.begin(), repair.behind.end());
  if (steps.size() > 1) repaired.sources.clear();
  const auto at = repaired.program.erase(repaired.program.begin() +
                                         static_cast<std::ptrdiff_t>(number));
  repaired.program.insert(at, steps.begin(), steps.end());
  return repaired;
}

bool IsBetter(const Verdict& now, const Verdict& before, std::size_t fewer) {
  return HazardsIn(now).size() + fewer <= HazardsIn(before).size() &&
         RejectedIn(now).size() <= RejectedIn(before).size() &&
         now.unsupported.has_value() <= before.unsupported.has_value();
}

}  // namespace lanediff::lint
