#include "sanitizer/lint.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "differential/memory/memory_set.h"
#include "differential/targets/target.h"
#include "differential/targets/target_kind.h"
#include "fuzz/properties/law.h"
#include "fuzz/properties/support.h"
#include "generators/random.h"
#include "generators/random/programs.h"
#include "oracle/hazards.h"
#include "oracle/pipe_tables.h"
#include "sanitizer/compare.h"

/// Laws of lint, and lint against the oracle's hazards, byte by byte.
namespace lanediff::properties {
namespace {

using lint::Hazard;
using lint::IsRace;
using lint::QuestionOf;

Case DrawProgram(const make::SyncPlan& plan = {}) {
  make::Random random(DrawWord("seed"));
  Case c = make::SynchronizedProgram(random, plan);
  c.edition = EditionUnderTest();
  return c;
}

Case DrawManualProgram() { return DrawProgram({.automatic = false}); }

Verdict Broken(const std::string& how, const Case& c) {
  return {.broken = how + "\n" + lint::TextOf(c), .witness = c};
}

Verdict AgreesByteByByte() {
  const Case c = DrawProgram();
  const auto difference = lint::Compare(c);
  if (!difference) return Broken(difference.error(), c);
  return *difference ? Broken((*difference)->message, c) : Verdict{};
}

// ---- Laws of the page -------------------------------------------------------

/// Those of the program and of what follows a rejected step.
std::vector<Hazard> AllHazards(const Case& c) {
  lint::Verdict verdict = lint::Lint(c);
  std::vector<Hazard> all = std::move(verdict.hazards);
  if (verdict.after) {
    all.insert(all.end(), verdict.after->hazards.begin(),
               verdict.after->hazards.end());
  }
  return all;
}

std::vector<Hazard> Races(const Case& c) {
  std::vector<Hazard> races = AllHazards(c);
  std::erase_if(races, [](const Hazard& hazard) { return !IsRace(hazard); });
  return races;
}

Verdict AutoIsAmongManual() {
  Case c = DrawManualProgram();
  const std::vector<Hazard> manual = Races(c);
  c.lint.sync->automatic = true;
  for (const Hazard& hazard : Races(c)) {
    if (std::ranges::find(manual, hazard) == manual.end()) {
      return Broken("a hazard of auto that manual hasn't", c);
    }
  }
  return {};
}

Verdict NoneWithBarriersEverywhere() {
  Case c = DrawManualProgram();
  if (!oracle::HasBarrier(c.product, isa::Pipe::kAll)) return {};
  std::vector<isa::Step> steps;
  for (const isa::Step& step : c.program) {
    steps.push_back(step);
    steps.emplace_back(isa::PipeBarrier{isa::Pipe::kAll});
  }
  c.program = std::move(steps);
  return Races(c).empty() ? Verdict{} : Broken("a race behind barriers", c);
}

bool IsFlagStep(const isa::Step& step) {
  return std::holds_alternative<isa::SetFlag>(step) ||
         std::holds_alternative<isa::WaitFlag>(step);
}

/// What `target` leaves, if it executes every step.
std::optional<diff::MemorySet> Left(const Case& c, const diff::Target& target) {
  std::optional<diff::MemorySet> memories(std::in_place, c);
  const auto session =
      diff::StepsOf(target).Open(c.profile(), memories->view());
  for (const isa::Step& step : c.program) {
    if (session->Execute(step).status != isa::StepResult::Status::kExecuted) {
      return std::nullopt;
    }
  }
  return memories;
}

Verdict FlagsChangeNoMemory() {
  const Case with = DrawProgram();
  Case without = with;
  std::erase_if(without.program, IsFlagStep);
  for (const diff::Target* target : diff::ListedTargets()) {
    const auto a = Left(with, *target);
    const auto b = Left(without, *target);
    if (a && b && *a != *b) {
      return Broken(fmt::format("{} leaves something else", target->name()),
                    with);
    }
  }
  return {};
}

/// A hazard but for its bytes, by the steps' numbers in the program.
using Key = std::tuple<isa::RuleId, std::optional<std::size_t>, std::size_t,
                       std::string_view>;
Key KeyOf(const Hazard& hazard) {
  const bool is_read = hazard.rule == isa::sync::kInitRead;
  std::optional<std::size_t> earlier;
  if (hazard.earlier && !is_read) earlier = hazard.earlier->step;
  return {hazard.rule, earlier, hazard.later.step,
          is_read ? hazard.later.operand : ""};
}

/// `c` with the hazard's fix, and the old number of each step; of new steps,
/// one that no old step has.
std::vector<std::size_t> ApplyFix(const Hazard& hazard, Case& c) {
  std::vector<isa::Step> steps;
  std::vector<std::size_t> old;
  const auto put = [&](const isa::Step& step, std::size_t number) {
    steps.push_back(step);
    old.push_back(number);
  };
  for (std::size_t i = 0; i < c.program.size(); ++i) {
    if (i == hazard.later.step) put(hazard.fix.back(), c.program.size());
    put(c.program[i], i);
    if (i == hazard.earlier->step && hazard.fix.size() == 2) {
      put(hazard.fix.front(), c.program.size());
    }
  }
  c.program = std::move(steps);
  return old;
}

Verdict FixRemovesItsHazardAlone() {
  const Case c = DrawProgram();
  std::set<Key> before;
  for (const Hazard& hazard : AllHazards(c)) before.insert(KeyOf(hazard));
  for (const Hazard& hazard : Races(c)) {
    if (hazard.fix.empty()) continue;
    Case fixed = c;
    const std::vector<std::size_t> old = ApplyFix(hazard, fixed);
    for (Hazard left : AllHazards(fixed)) {
      left.later.step = old[left.later.step];
      if (left.earlier) left.earlier->step = old[left.earlier->step];
      if (KeyOf(left) == KeyOf(hazard)) return Broken("still there", fixed);
      if (!before.contains(KeyOf(left))) return Broken("a new one", fixed);
    }
  }
  return {};
}

Verdict NoneExactlyIfAllThatShareAreOrdered() {
  const Case c = DrawManualProgram();
  const auto answer = oracle::FindHazards(QuestionOf(c));
  if (!answer) return Broken(std::string(answer.error()), c);
  const bool ordered =
      std::ranges::all_of(answer->sharing, [&](const auto& pair) {
        return answer->before[pair.first][pair.second];
      });
  return ordered == Races(c).empty()
             ? Verdict{}
             : Broken(
                   ordered ? "ordered, yet a race" : "no race, yet unordered",
                   c);
}

[[maybe_unused]] const bool kGiven =
    GiveLaws("LintLaws", "lint",
             {{"AgreesByteByByte", AgreesByteByByte},
              {"AutoIsAmongManual", AutoIsAmongManual},
              {"NoneWithBarriersEverywhere", NoneWithBarriersEverywhere},
              {"FlagsChangeNoMemory", FlagsChangeNoMemory},
              {"FixRemovesItsHazardAlone", FixRemovesItsHazardAlone},
              {"NoneExactlyIfAllThatShareAreOrdered",
               NoneExactlyIfAllThatShareAreOrdered}});

}  // namespace
}  // namespace lanediff::properties
