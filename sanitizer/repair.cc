#include "sanitizer/repair.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <tuple>
#include <utility>

#include "differential/records/sort_stably.h"
#include "differential/testcase/case.h"
#include "isa/data_copy.h"
#include "isa/footprint.h"
#include "isa/state.h"
#include "sanitizer/distance.h"
#include "sanitizer/judge.h"
#include "sanitizer/lint.h"
#include "sanitizer/pipes.h"
#include "sanitizer/ranges.h"
#include "sanitizer/step_use.h"
#include "sanitizer/trial.h"

namespace lanediff::lint {
namespace {

/// What of the core's memories (all but GM) goes disconnected: operations read
/// bytes that none has written, or write bytes that none reads before they are
/// written again or the program ends. Of two programs that differ in one call,
/// more is disconnected in the one that moved it away from those that feed it
/// and that it feeds.
struct DisconnectedBytes {
  std::int64_t others = 0;  ///< bytes of all other steps
  /// Of what the call itself reads and writes there; not how much, as a call
  /// that works on less would be better then.
  std::int64_t own_per_mille = 0;

  auto operator<=>(const DisconnectedBytes&) const = default;
};

/// Bytes that were written and that no step has read since; those that are
/// written again are lost.
class Unread {
 public:
  void Take(const MemoryUse& use) {
    bytes_ = Without(bytes_, use.reads);
    RangeList kept = Without(bytes_, use.writes);
    lost_ += bytes_.bytes() - kept.bytes();
    bytes_ = std::move(kept);
  }
  void Write(const RangeList& more) {
    for (const Range& range : more) bytes_.Append(range);
    bytes_.Tidy();
  }
  std::int64_t Lost() const { return lost_ + bytes_.bytes(); }

 private:
  RangeList bytes_;
  std::int64_t lost_ = 0;
};

struct Traffic {
  RangeList written;
  Unread by_others;
  Unread by_call;
};

/// Of the program of `c`, of which step `number` is the call. Rejected steps do
/// nothing.
DisconnectedBytes DisconnectedBytesIn(const Case& c, std::size_t number) {
  std::array<Traffic, isa::kCount<isa::Memory>> memories;
  DisconnectedBytes disconnected;
  std::int64_t own = 0;
  std::int64_t touched = 0;
  Judge judge(c);
  StepUse use;
  for (std::size_t i = 0; i < c.program.size(); ++i) {
    const isa::StepResult result = judge.Take(c.program[i]);
    if (result.status != isa::StepResult::Status::kExecuted) continue;
    use.Set(judge.accesses());
    for (std::size_t m = 0; m < memories.size(); ++m) {
      if (static_cast<isa::Memory>(m) == isa::Memory::kGm) continue;
      const MemoryUse& bytes = use[static_cast<isa::Memory>(m)];
      Traffic& memory = memories[m];
      (i == number ? own : disconnected.others) +=
          Without(bytes.read_first, memory.written).bytes();
      if (i == number) touched += bytes.reads.bytes() + bytes.writes.bytes();
      memory.by_others.Take(bytes);
      memory.by_call.Take(bytes);
      (i == number ? memory.by_call : memory.by_others).Write(bytes.writes);
      for (const Range& range : bytes.writes) memory.written.Append(range);
      memory.written.Tidy();
    }
  }
  for (const Traffic& memory : memories) {
    disconnected.others += memory.by_others.Lost();
    own += memory.by_call.Lost();
  }
  disconnected.own_per_mille = 1000 * own / std::max<std::int64_t>(touched, 1);
  return disconnected;
}

/// What may be tried for one step, and how many half-healed calls are taken
/// further from one number of fields to the next.
constexpr int kMostTried = 6000;
constexpr std::size_t kWidth = 12;
/// Of legal calls, how many are put into the program to see what follows: fewer
/// where it is longer than this.
constexpr std::pair<std::size_t, std::size_t> kMostReplayed[] = {
    {2000, 1}, {256, 6}, {0, 24}};

/// A changed call on the way.
struct Attempt {
  isa::Step step;
  std::vector<Repair::Change> changes = {};
  double distance = 0;
  std::string why = {};
  bool barrier = false;  ///< needs one before it
  isa::RuleSet broken = {};
  std::vector<Witness> witnesses = {};
};

class Search {
 public:
  Search(const Situation& s, const std::vector<Witness>& witnesses)
      : s_(s), witnesses_(witnesses) {}

  std::optional<Repair> Run() {
    std::vector<Attempt> legal = OfBarrier();
    if (legal.empty()) legal = OfUnits();
    if (legal.empty()) legal = OfValues();
    return Choose(std::move(legal));
  }

 private:
  std::vector<Attempt> OfBarrier();
  std::vector<Attempt> OfUnits();
  std::vector<Attempt> OfValues();
  std::vector<Trial> TrialsOf(const Attempt& from) const;
  std::optional<Repair> Choose(std::vector<Attempt> legal) const;
  std::int64_t UnfilledBytes(const isa::Step& step) const;
  Repair Finish(const Attempt& attempt) const;
  std::vector<std::size_t> RejectedIn(const Case& c) const;

  /// What the call breaks beside DC-BARRIER, which one more step heals.
  isa::RuleSet Broken(const isa::Step& step, bool& barrier) {
    ++tried_;
    isa::RuleSet rest;
    barrier = false;
    for (isa::RuleId id : s_.judge.Broken(step)) {
      if (id == isa::dc::kBarrier) {
        barrier = true;
      } else {
        rest.Add(id);
      }
    }
    return rest;
  }
  std::optional<Attempt> Try(const Attempt& from, const Trial& trial);

  const Situation& s_;
  const std::vector<Witness>& witnesses_;
  int tried_ = 0;
};

/// The call with the trial's values, unless a slot is changed already or what
/// is broken got no less.
std::optional<Attempt> Search::Try(const Attempt& from, const Trial& trial) {
  Attempt next = from;
  next.step = trial.On(from.step);
  next.distance += trial.distance;
  next.why = trial.why;
  for (const auto& [name, value] : trial.values) {
    for (const Repair::Change& change : from.changes) {
      if (change.field == name) return {};
    }
    const auto now = ValueOf(from.step, name);
    if (!now || *now == value) return {};
    next.changes.push_back({name, *now, value});
  }
  if (DoesNothing(next.step) && !DoesNothing(s_.step())) return {};
  const isa::RuleSet broken = Broken(next.step, next.barrier);
  next.broken = broken;
  next.witnesses.clear();
  if (next.changes.size() > kMostChanges) return {};
  if (broken.empty()) return next;
  if (next.changes.size() == kMostChanges ||
      broken.size() > from.broken.size()) {
    return {};
  }
  next.witnesses = WitnessesOf(s_.Trying(next.step), broken);
  const bool less = !std::ranges::includes(broken, from.broken) ||
                    next.witnesses.size() < from.witnesses.size();
  return less ? std::optional(std::move(next)) : std::nullopt;
}

/// Nothing is broken but DC-BARRIER.
std::vector<Attempt> Search::OfBarrier() {
  Attempt attempt{.step = s_.step()};
  if (!Broken(s_.step(), attempt.barrier).empty() || !attempt.barrier)
    return {};
  return {attempt};
}

std::vector<Attempt> Search::OfUnits() {
  Attempt start{.step = s_.step()};
  start.broken = Broken(s_.step(), start.barrier);
  start.witnesses = witnesses_;
  std::vector<Attempt> legal;
  for (const Trial& trial : UnitTrials(s_)) {
    const auto next = Try(start, trial);
    if (next && next->broken.empty()) legal.push_back(*next);
  }
  return legal;
}

/// Single slots: what was meant in other units and healed nothing yet, then
/// other values.
std::vector<Trial> Search::TrialsOf(const Attempt& from) const {
  const Situation tried = s_.Trying(from.step);
  std::vector<Trial> trials = UnitTrials(tried);
  std::erase_if(trials, [](const Trial& t) { return t.values.size() > 1; });
  // Beside other changes its reason explains too little.
  for (Trial& trial : trials) trial.why.clear();
  std::ranges::copy(ValueTrials(tried, from.witnesses),
                    std::back_inserter(trials));
  return trials;
}

std::vector<Attempt> Search::OfValues() {
  Attempt start{.step = s_.step()};
  start.broken = Broken(s_.step(), start.barrier);
  start.witnesses = witnesses_;
  std::vector<Attempt> open = {start};
  for (std::size_t fields = 1; fields <= kMostChanges; ++fields) {
    std::vector<Attempt> legal;
    std::vector<Attempt> next_open;
    for (const Attempt& from : open) {
      for (const Trial& trial : TrialsOf(from)) {
        if (tried_ > kMostTried) break;
        auto next = Try(from, trial);
        if (!next) continue;
        (next->broken.empty() ? legal : next_open).push_back(std::move(*next));
      }
    }
    SortStably(legal, &Attempt::distance);
    if (!legal.empty()) return legal;
    SortStably(next_open, [](const Attempt& a) {
      return std::tuple(a.broken.size(), a.witnesses.size(), a.distance);
    });
    if (next_open.size() > kWidth) {
      next_open.erase(next_open.begin() + kWidth, next_open.end());
    }
    open = std::move(next_open);
  }
  return {};
}

std::string Rest(const Repair::Change& change) {
  const bool repeats =
      change.field == "repeat" || change.field == "repeatTimes" ||
      change.field == "repeat_times" || change.field == "blockCount";
  const auto* const from = std::get_if<std::int64_t>(&change.from);
  const auto* const to = std::get_if<std::int64_t>(&change.to);
  if (!repeats || *to <= 0 || *from <= *to) return "";
  const std::int64_t rest = *from - *to;
  return fmt::format("; the other {} need{} a second call", rest,
                     rest == 1 ? "s" : "");
}

Repair Search::Finish(const Attempt& attempt) const {
  Repair repair;
  repair.step = attempt.step;
  isa::Step changed = attempt.step;
  for (const Slot& slot : SlotsOf(changed)) {  // in the document's order
    const auto found =
        std::ranges::find(attempt.changes, slot.name, &Repair::Change::field);
    if (found != attempt.changes.end()) repair.changes.push_back(*found);
  }
  repair.text = attempt.why;
  if (repair.text.empty() && !repair.changes.empty()) {
    std::vector<std::string> parts;
    std::string rest;
    for (const Repair::Change& change : repair.changes) {
      parts.push_back(fmt::format("{} {} instead of {}", change.field,
                                  Text(change.to), Text(change.from)));
      rest += Rest(change);
    }
    repair.text =
        fmt::format("{} make{} the call legal{}", fmt::join(parts, " and "),
                    parts.size() == 1 ? "s" : "", rest);
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

std::vector<std::size_t> Search::RejectedIn(const Case& c) const {
  std::vector<std::size_t> steps;
  Judge judge(c);
  for (std::size_t i = 0; i < c.program.size(); ++i) {
    const auto result = judge.Take(c.program[i]);
    if (result.status == isa::StepResult::Status::kRejected) steps.push_back(i);
  }
  return steps;
}

/// How much of their windows the operands leave alone, or need beyond them.
std::int64_t Search::UnfilledBytes(const isa::Step& step) const {
  const MaskState::Words words = s_.judge.mask_register();
  std::int64_t bytes = 0;
  for (const isa::Footprint& print : isa::FootprintsOf(
           step, isa::SetVectorMask{.high = words.high, .low = words.low})) {
    const auto window = IntegerOf(step, std::string(print.operand) + ".bytes");
    if (!window || *window > isa::kFarAway) continue;
    bytes += std::llabs(*window - print.Touched().value_or(isa::kFarAway));
  }
  return bytes;
}

/// Unwritten bytes that are read.
std::size_t InitReadsOf(const Verdict& verdict) {
  const auto count = [](const std::vector<Hazard>& hazards) {
    return static_cast<std::size_t>(std::ranges::count(
        hazards, isa::RuleId(isa::sync::kInitRead), &Hazard::rule));
  };
  return count(verdict.hazards) +
         (verdict.after ? count(verdict.after->hazards) : 0);
}

/// The one after which the fewest steps are rejected that were not before, the
/// fewest calls read what nothing wrote, the fewest fields are changed, and the
/// fewest bytes go disconnected; of those the first one, of readings in other
/// units the one that fills its windows best.
std::optional<Repair> Search::Choose(std::vector<Attempt> legal) const {
  const std::size_t steps = s_.c.program.size();
  const std::size_t most =
      std::ranges::find_if(kMostReplayed, [&](const auto& row) {
        return steps > row.first || row.first == 0;
      })->second;
  if (legal.size() > most) legal.erase(legal.begin() + most, legal.end());
  using Rank = std::tuple<std::size_t, std::size_t, std::size_t,
                          DisconnectedBytes, std::int64_t>;
  std::optional<std::pair<Rank, Repair>> best;
  for (const Attempt& attempt : legal) {
    Repair repair = Finish(attempt);
    const Case repaired = Repaired(s_.c, s_.number, repair);
    bool itself = false;
    for (std::size_t step : RejectedIn(repaired)) {
      const std::size_t before = repair.before.size();
      itself = itself || step == s_.number + before;
      const std::size_t old = step > s_.number ? step - before : step;
      if (!std::ranges::binary_search(s_.rejected, old)) {
        repair.then_rejected.push_back(old);
      }
    }
    if (itself) continue;
    if (legal.size() == 1) return repair;
    const Rank rank = {
        repair.then_rejected.size(), InitReadsOf(Lint(repaired)),
        attempt.changes.size(),
        DisconnectedBytesIn(repaired, s_.number + repair.before.size()),
        attempt.why.empty() ? 0 : UnfilledBytes(attempt.step)};
    if (!best || rank < best->first) best = {rank, std::move(repair)};
  }
  return best ? std::optional(std::move(best->second)) : std::nullopt;
}

}  // namespace

std::optional<Repair> FindRepair(const Situation& situation,
                                 const std::vector<Witness>& witnesses) {
  return Search(situation, witnesses).Run();
}

Case Repaired(const Case& c, std::size_t number, const Repair& repair) {
  Case repaired = c;
  repaired.program[number] = repair.step;
  repaired.program.insert(
      repaired.program.begin() + static_cast<std::ptrdiff_t>(number),
      repair.before.begin(), repair.before.end());
  return repaired;
}

}  // namespace lanediff::lint
