#include "sanitizer/fix_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <ranges>
#include <string>
#include <utility>
#include <vector>

#include "differential/records/sort_stably.h"
#include "differential/testcase/case.h"
#include "isa/state.h"
#include "sanitizer/diagnostics.h"
#include "sanitizer/hazard_repair.h"
#include "sanitizer/judge.h"
#include "sanitizer/lint.h"
#include "sanitizer/repair.h"
#include "sanitizer/slots.h"

namespace lanediff::lint {
namespace {

/// What a repair leaves undone that lowers a repeat or the number of blocks.
struct SecondCalls {
  std::int64_t iterations = 0;  ///< 0: nothing
  /// Calls that do them, to be put in right behind the repaired step. Empty
  /// where no such calls are found, or more than 16 would be needed.
  std::vector<isa::Step> steps;
};

constexpr std::size_t kMostCalls = 16;

/// The field that counts iterations, and from what to what it was lowered.
struct Lowered {
  std::string field;
  std::int64_t from = 0;
  std::int64_t to = 0;
};

std::optional<Lowered> LoweredBy(const Repair& repair) {
  for (const Repair::Change& change : repair.changes) {
    const bool repeats =
        change.field == "repeat" || change.field == "repeatTimes" ||
        change.field == "repeat_times" || change.field == "blockCount";
    const auto* const from = std::get_if<std::int64_t>(&change.from);
    const auto* const to = std::get_if<std::int64_t>(&change.to);
    if (repeats && *to > 0 && *from > *to) {
      return Lowered{change.field, *from, *to};
    }
  }
  return std::nullopt;
}

using Accesses = std::vector<isa::Access>;

/// The accesses of `count` iterations from `first` on, which counts as 0.
Accesses Part(const Accesses& all, std::int64_t first, std::int64_t count) {
  Accesses part;
  for (isa::Access access : all) {
    access.iteration -= first;
    if (access.iteration >= 0 && access.iteration < count) {
      part.push_back(access);
    }
  }
  return part;
}

/// Where iteration `number` begins in the operand.
std::optional<std::int64_t> Begin(const Accesses& all,
                                  const std::string& operand,
                                  std::int64_t number) {
  std::optional<std::int64_t> begin;
  for (const isa::Access& access : all) {
    if (access.operand != operand || access.iteration != number) continue;
    begin = std::min(begin.value_or(access.at), access.at);
  }
  return begin;
}

/// `step` with its windows begun where iteration `first` of `all` does.
std::optional<isa::Step> From(const isa::Step& step, const Accesses& all,
                              std::int64_t first) {
  isa::Step moved = step;
  for (const std::string& operand : OperandsOf(step)) {
    const auto head = Begin(all, operand, 0);
    const auto begin = Begin(all, operand, first);
    const auto at = IntegerOf(step, operand + ".at");
    const auto bytes = IntegerOf(step, operand + ".bytes");
    if (!head || !begin || !at || !bytes) return std::nullopt;
    const std::int64_t distance = *begin - *head;
    if (distance >= *bytes) return std::nullopt;
    moved = With(moved, operand + ".at", *at + distance);
    moved = With(moved, operand + ".bytes", *bytes - distance);
  }
  return moved;
}

/// Of the repair of step `number` of `c`. Each call has the repaired one's
/// strides and windows that begin where its first iteration does; together they
/// touch exactly the bytes of the iterations that are missing. Whether they are
/// legal is not looked at.
SecondCalls SecondCallsOf(const Case& c, std::size_t number,
                          const Repair& repair) {
  const auto lowered = LoweredBy(repair);
  if (!lowered) return {};
  const auto& [field, from, to] = *lowered;
  SecondCalls calls{.iterations = from - to, .steps = {}};
  if (static_cast<std::uint64_t>(from - to) >
      static_cast<std::uint64_t>(to) * kMostCalls) {
    return calls;
  }
  Judge judge(c);
  for (std::size_t i = 0; i < number; ++i) judge.Take(c.program[i]);
  const Accesses all = judge.Natural(With(repair.step, field, from));
  std::vector<isa::Step> steps;
  for (std::int64_t done = to; done < from; done += to) {
    const std::int64_t count = std::min(to, from - done);
    const auto next = From(With(repair.step, field, count), all, done);
    if (!next || judge.Natural(*next) != Part(all, done, count)) return calls;
    steps.push_back(*next);
  }
  calls.steps = std::move(steps);
  return calls;
}

/// A repaired step may let later ones break a rule; each round looks again.
constexpr int kMostRounds = 8;
/// Rounds of missing calls: each puts in those of hazards that have no step in
/// common, so that a program of thousands of steps needs few.
constexpr int kMostCallRounds = 512;
/// Of single calls in the end, of which most programs need none.
constexpr int kMostTried = 64;

/// The program with the calls of the hazards' fixes where `Hazard::fix_at`
/// points, in one go: putting them in one by one moves the rest of the program
/// each time.
void PutIn(const std::vector<const Hazard*>& hazards, Case& c) {
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
  if (c.program.size() != steps.size()) c.sources.clear();
  c.program = std::move(steps);
}

std::vector<const Hazard*> AllOf(const Verdict& verdict) {
  std::vector<const Hazard*> all;
  for (const Hazard& hazard : verdict.hazards) all.push_back(&hazard);
  if (verdict.after) {
    for (const Hazard& hazard : verdict.after->hazards) all.push_back(&hazard);
  }
  return all;
}

std::size_t RejectedSteps(const Verdict& verdict) {
  if (!verdict.rejected) return 0;
  return 1 + verdict.after->rejected.size();
}

/// Whether `now` has at least `fewer` hazards less than `before` and rejects no
/// more.
bool IsBetter(const Verdict& now, const Verdict& before, std::size_t fewer) {
  return AllOf(now).size() + fewer <= AllOf(before).size() &&
         RejectedSteps(now) <= RejectedSteps(before) &&
         now.unsupported.has_value() <= before.unsupported.has_value();
}

/// Puts in the calls that do what the repair of step `number` leaves undone, if
/// nothing is worse for it; the text of it.
std::string PutInSecond(std::size_t number, const Repair& repair,
                        const SecondCalls& second, Case& c) {
  if (second.steps.empty()) return "";
  Case longer = c;
  longer.program.insert(
      longer.program.begin() +
          static_cast<std::ptrdiff_t>(number + repair.before.size() + 1),
      second.steps.begin(), second.steps.end());
  if (!IsBetter(Lint(longer), Lint(c), 0)) return "";
  c = std::move(longer);
  const std::size_t calls = second.steps.size();
  return fmt::format("; {} call{} put in behind it", calls,
                     calls == 1 ? "" : "s");
}

/// Repairs what is rejected, last step first, so that numbers hold; whether
/// anything was.
bool RepairAll(FixedProgram& fixed) {
  std::vector<std::string> done;
  std::vector<std::string> left;
  for (const Diagnosis& one :
       std::views::reverse(Diagnose(fixed.c, Lint(fixed.c)))) {
    if (!one.repair) continue;
    const SecondCalls second = SecondCallsOf(fixed.c, one.step, *one.repair);
    fixed.c = Repaired(fixed.c, one.step, *one.repair);
    const std::string more =
        PutInSecond(one.step, *one.repair, second, fixed.c);
    const std::string name =
        fmt::format("step {} {}", one.step, isa::OpName(one.repair->step));
    done.push_back(fmt::format("{}: {}{}", name, one.repair->text, more));
    if (second.iterations == 0 || !more.empty()) continue;
    left.push_back(fmt::format("{}: {} iteration{} less than were written",
                               name, second.iterations,
                               second.iterations == 1 ? "" : "s"));
  }
  std::ranges::reverse_copy(done, std::back_inserter(fixed.done));
  std::ranges::reverse_copy(left, std::back_inserter(fixed.left));
  return !done.empty();
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

/// Repairs a hazard by the change of values that are there; whether anything
/// was. Memories stay as they are.
bool RepairHazard(FixedProgram& fixed, Verdict& verdict,
                  bool (*is_wanted)(const Hazard&)) {
  for (const auto& [number, repair] :
       FindHazardRepairs(fixed.c, verdict, is_wanted)) {
    if (!repair || repair->changes.empty()) continue;
    const Hazard& hazard = verdict.hazards[number];
    fixed.done.push_back(fmt::format("step {} {}: {}", hazard.later.step,
                                     hazard.later.op, repair->text));
    fixed.c = Repaired(fixed.c, *repair);
    verdict = Lint(fixed.c);
    return true;
  }
  return false;
}

bool IsUnwritten(const Hazard& hazard) {
  return hazard.rule == isa::sync::kInitRead;
}

std::size_t FirstStep(const Hazard& hazard) {
  return hazard.earlier ? std::min(hazard.earlier->step, hazard.later.step)
                        : hazard.later.step;
}

/// Hazards with a missing call of which no two have a step in common, from the
/// first step to the last of each; of those that end first, the shortest.
std::vector<const Hazard*> Apart(const Verdict& verdict) {
  std::vector<const Hazard*> all;
  for (const Hazard* hazard : AllOf(verdict)) {
    if (!hazard->fix.empty()) all.push_back(hazard);
  }
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

/// Puts in the missing calls of hazards that stand apart; if that doesn't make
/// the hazards fewer by as many, of the first half of them, and so on.
bool PutInSome(FixedProgram& fixed, Verdict& verdict) {
  std::vector<const Hazard*> some = Apart(verdict);
  for (; !some.empty(); some.resize(some.size() / 2)) {
    Case changed = fixed.c;
    PutIn(some, changed);
    Verdict now = Lint(changed);
    if (!IsBetter(now, verdict, some.size())) continue;
    for (const Hazard* hazard : some) fixed.done.push_back(DoneText(*hazard));
    fixed.c = std::move(changed);
    verdict = std::move(now);
    return true;
  }
  return false;
}

/// Puts in the first missing call that makes the hazards fewer.
bool PutInOne(FixedProgram& fixed, Verdict& verdict) {
  int tried = 0;
  for (const Hazard* hazard : AllOf(verdict)) {
    if (hazard->fix.empty()) continue;
    if (++tried > kMostTried) return false;
    Case changed = fixed.c;
    PutIn({hazard}, changed);
    Verdict now = Lint(changed);
    if (!IsBetter(now, verdict, 1)) continue;
    fixed.done.push_back(DoneText(*hazard));
    fixed.c = std::move(changed);
    verdict = std::move(now);
    return true;
  }
  return false;
}

}  // namespace

FixedProgram FixProgram(const Case& c) {
  FixedProgram fixed{.c = c, .done = {}, .left = {}};
  fixed.c.expect.reset();
  fixed.c.requirement.clear();
  for (int round = 0; round < kMostRounds && RepairAll(fixed); ++round) {
  }
  Verdict verdict = Lint(fixed.c);
  for (int round = 0;
       round < kMostRounds && RepairHazard(fixed, verdict, IsOfWords);
       ++round) {
  }
  for (int round = 0; round < kMostCallRounds &&
                      (PutInSome(fixed, verdict) || PutInOne(fixed, verdict));
       ++round) {
  }
  // Last: the bytes may have been unwritten by one of those mistakes.
  for (int round = 0;
       round < kMostRounds && RepairHazard(fixed, verdict, IsUnwritten);
       ++round) {
  }
  return fixed;
}

}  // namespace lanediff::lint
