#include "audit/illegal.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "audit/characterize/probes.h"
#include "audit/conditions.h"
#include "differential/targets/find_target.h"
#include "generators/boundary/sweep.h"
#include "isa/catalogue.h"

namespace lanediff::character {
namespace {

using Kind = Reply::Kind;

/// Whether the documents reject `c` at its last step, by `rule` alone.
bool BreaksOnly(const Case& c, isa::RuleId rule) {
  const auto outcome = diff::TheOracle().Run(c);
  return outcome && outcome->rejected() &&
         outcome->step + 1 == c.program.size() && outcome->rules &&
         *outcome->rules == std::vector{rule};
}

/// What of a rule's boundary a case is at, without the call that it is made of:
/// "boundary of repeat: 256, exact windows 0".
std::string PointOf(const make::SweepCase& sweep) {
  return sweep.what.substr(0, sweep.what.find(", base "));
}

struct Breaking {
  std::string point;
  Case c;
};
using BreakingByRule = std::map<isa::RuleId, std::vector<Breaking>>;

/// Looks for cases that break one rule alone, several points of each.
class Finder {
 public:
  Finder(const std::vector<const isa::Rule*>& rules, const ProbeRunner& runner)
      : edition_(runner.character().edition), can_(runner.capabilities()) {
    for (const isa::Rule* rule : rules) wanted_.emplace(rule->id, rule);
  }

  /// Goes on until there is one for each rule.
  BreakingByRule Find(std::string_view slug) {
    std::ignore = make::ForEachSweepCase(
        slug, [&](std::uint64_t) { return found_.size() < wanted_.size(); },
        [&](make::SweepCase&& sweep) {
          Look(std::move(sweep));
          return found_.size() < wanted_.size();
        },
        edition_);
    return std::move(found_);
  }

 private:
  /// Whether a field is right beside its range.
  static bool IsBeside(const isa::Rule& rule, const make::SweepCase& sweep) {
    return sweep.point &&
           std::ranges::any_of(rule.ranges, [&](const isa::Range& range) {
             return range.field == sweep.point->field &&
                    (sweep.point->value == range.low - 1 ||
                     sweep.point->value == range.high + 1);
           });
  }

  void Look(make::SweepCase&& sweep) {
    constexpr std::size_t kMostPoints = 4;
    constexpr int kMostTries = 64;
    if (!sweep.rule || !wanted_.contains(*sweep.rule)) return;
    if (sweep.c.edition != edition_) return;
    const auto there = found_.find(*sweep.rule);
    if (there != found_.end() && there->second.size() >= kMostPoints &&
        !IsBeside(*wanted_.at(*sweep.rule), sweep)) {
      return;
    }
    if (diff::BeyondCapabilities(sweep.c, can_)) return;
    std::string point = PointOf(sweep);
    // Where a call breaks another rule as well, another call may not.
    int& tries = tries_[{*sweep.rule, point}];
    if (tries >= kMostTries) return;
    ++tries;
    if (!BreaksOnly(sweep.c, *sweep.rule)) return;
    tries = kMostTries;
    found_[*sweep.rule].push_back({std::move(point), std::move(sweep.c)});
  }

  isa::Edition edition_;
  const diff::Capabilities& can_;
  std::map<isa::RuleId, const isa::Rule*> wanted_;
  std::map<std::pair<isa::RuleId, std::string>, int> tries_;
  BreakingByRule found_;
};

std::string HowItRan(audit::Showing showing) {
  switch (showing) {
    case audit::Showing::kRanAsExtended:
      return "as the address arithmetic goes on";
    case audit::Showing::kRanOtherwise:
      return "otherwise than the address arithmetic goes on";
    case audit::Showing::kWroteOutside:
      return "and writes outside its operands";
    default:
      return "outside the address arithmetic";
  }
}

ProbeResult ProbeCase(ProbeRunner& runner, isa::RuleId rule, Case c) {
  const Reply reply = runner.RunIllegal(c);
  ProbeResult result = ResultOf(reply);
  if (reply.kind == Kind::kRejected) {
    result.answer = "rejects";
    if (const auto& named = reply.outcome.rules;
        named && *named != std::vector{rule}) {
      for (const isa::RuleId id : *named) {
        result.note += fmt::format(
            "{}{}", result.note.empty() ? "names " : ", ", id.text());
      }
      if (named->empty()) result.note = "names no rule";
    }
    if (reply.outcome.step + 1 != c.program.size()) {
      result.note = fmt::format("at step {}", reply.outcome.step);
    }
  }
  if (reply.executed()) {
    result.answer = "executes";
    result.note = HowItRan(
        audit::RunIllegal(c, c.program.size() - 1, runner.target()).showing);
  }
  result.cases.push_back(std::move(c));
  return result;
}

/// Whether the target took the call, to run it or to refuse it.
bool IsDecided(const ProbeResult& result) {
  return result.answer == "rejects" || result.answer == "executes";
}

/// How much an answer shows of a rule: a call that the target took counts more
/// than another one, a wrong result most.
int WeightOf(const ProbeResult& result) {
  if (result.answer == "executes") return 4;
  if (result.answer == "rejects") return result.note.empty() ? 2 : 3;
  return result.answer == "unsupported" || result.answer == "not probed" ? 0
                                                                         : 1;
}

/// ", unsupported at 2 of 5 points, crashes at 1 of 5 points (count: -1)": what
/// the target did not take; its calls that failed go with the answer's.
void AddOthers(std::vector<ProbeResult>& all,
               const std::vector<Breaking>& points, ProbeResult& result) {
  std::map<std::string, std::vector<std::size_t>> others;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!IsDecided(all[i]) && all[i].answer != result.answer) {
      others[all[i].answer].push_back(i);
    }
  }
  for (const auto& [answer, at] : others) {
    result.note +=
        fmt::format("{}{} at {} of {} points", result.note.empty() ? "" : ", ",
                    answer, at.size(), all.size());
    if (answer == "unsupported") continue;
    result.note += fmt::format(" ({})", points[at.front()].point);
    std::ranges::move(all[at.front()].cases, std::back_inserter(result.cases));
  }
}

/// The answers at all points of a rule as one: the first one's, unless another
/// point has a worse one, or names other rules, which the note then reports. A
/// call that the target did not take, or that ended it, decides nothing where
/// it took another one: the note lists that call.
ProbeResult ProbeRule(ProbeRunner& runner, isa::RuleId rule,
                      std::vector<Breaking> points) {
  std::vector<ProbeResult> all;
  for (Breaking& at : points) {
    all.push_back(ProbeCase(runner, rule, std::move(at.c)));
    // Each would take as long again.
    if (all.back().answer == "does not answer in time") break;
  }
  const auto worst = std::ranges::max_element(all, {}, WeightOf);
  const bool alike = std::ranges::all_of(all, [&](const ProbeResult& result) {
    return !IsDecided(result) ||
           (result.answer == worst->answer && result.note == worst->note);
  });
  const auto at = static_cast<std::size_t>(worst - all.begin());
  ProbeResult result = *worst;  // a copy: `AddOthers` reads all of them
  if (!alike) {
    result.note += fmt::format(
        "{}at least at {}", result.note.empty() ? "" : ", ", points[at].point);
  }
  AddOthers(all, points, result);
  result.probes = all.size();
  return result;
}

/// Probes the reject rules of an instruction, in the catalogue's order.
void ProbeModule(ProbeRunner& runner, std::string_view op,
                 std::string_view slug) {
  std::vector<const isa::Rule*> rules;
  for (const isa::Rule& rule : isa::Catalogue()) {
    if (rule.effect == isa::Effect::kReject && rule.instruction == op) {
      rules.push_back(&rule);
    }
  }
  BreakingByRule cases = Finder(rules, runner).Find(slug);
  for (const isa::Rule* rule : rules) {
    const auto found = cases.find(rule->id);
    if (found == cases.end()) continue;
    const isa::DType dtype =
        audit::TraitsOf(found->second.front().c.program.back())
            .dtype.value_or(isa::DType::kHalf);
    runner.Write({"illegal", op, dtype, std::string(rule->id.text())},
                 ProbeRule(runner, rule->id, std::move(found->second)));
  }
}

}  // namespace

void ProbeIllegal(ProbeRunner& runner, std::string_view op,
                  const std::set<std::string_view>& without) {
  const Character& character = runner.character();
  for (const isa::Instruction& instruction : isa::Instructions()) {
    if (character.gave_up || character.interrupted) return;
    if (!op.empty() && instruction.op != op) continue;
    const auto& claimed = runner.capabilities().instructions;
    if (claimed && std::ranges::count(*claimed, instruction.op) == 0) continue;
    if (without.contains(instruction.op)) continue;
    ProbeModule(runner, instruction.op, instruction.slug);
  }
  if (op.empty() && character.executed != 0) {
    ProbeModule(runner, isa::SetSaturation::kOp, make::SweepModules().back());
  }
}

}  // namespace lanediff::character
