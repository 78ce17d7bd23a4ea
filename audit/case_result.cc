#include "audit/case_result.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>

#include "audit/illegal.h"
#include "audit/suspects.h"
#include "audit/variants.h"
#include "differential/compare/compare.h"
#include "differential/compare/signature.h"
#include "differential/targets/find_target.h"

namespace lanediff::audit {
namespace {

using StepStatus = isa::StepResult::Status;

isa::Effect EffectOf(isa::RuleId rule) {
  return isa::FindRule(rule.text())->effect;
}

bool Has(const std::vector<isa::RuleId>& rules, isa::RuleId rule) {
  return std::ranges::find(rules, rule) != rules.end();
}

/// A step as the oracle took it.
struct Seen {
  isa::StepResult result;
  isa::NumericEvents events;
  Conditions conditions = 0;
};

/// What the target reports; one that answers whole cases may omit parts.
struct Reported {
  bool rules = true;
  bool notes = true;
  bool end_only = false;   ///< memory at the end of the program, not of a step
  bool tolerated = false;  ///< it checks no rules, and executed the last step
};

/// What a case shows, step by step.
class Reader {
 public:
  Reader(const Case& c, std::optional<isa::RuleId> made_for,
         const diff::Target& target, const std::vector<Seen>& seen,
         const std::vector<diff::Finding>& findings, Reported reported)
      : case_(c),
        made_for_(made_for),
        target_(target),
        seen_(seen),
        findings_(findings),
        reported_(reported) {}

  void Read(CaseResult& result) {
    for (std::size_t i = 0; i < seen_.size(); ++i) {
      step_ = i;
      if (seen_[i].result.status == StepStatus::kExecuted) {
        ReadExecuted(i);
      } else {
        ReadRejected(i);
      }
      // Machine states may have parted: later steps are not the target's to
      // answer for.
      if (Find(i, [](const diff::Finding& f) {
            return f.kind == diff::FindingKind::kOutcome || IsAboutMemory(f);
          }) != nullptr) {
        break;
      }
    }
    ReadMadeFor();
    if (failing_ && target_.runs_any_case()) {
      const auto all = failing_->suspects;
      ClearByVariants(case_, wrong_, target_, failing_->suspects);
      std::ranges::set_difference(all, failing_->suspects,
                                  std::back_inserter(failing_->cleared));
    }
    result.accepted = seen_.back().result.status == StepStatus::kExecuted &&
                      !HasOutcomeFinding();
    result.observations = std::move(observations_);
    result.failing = std::move(failing_);
    SortOut(passing_);
    result.passing = std::move(passing_);
    if (!illegal_.empty()) {
      result.message += (result.message.empty() ? "" : "; ") + illegal_;
    }
  }

 private:
  const diff::Finding* Find(std::size_t step, auto&& is) const {
    for (const diff::Finding& finding : findings_) {
      if (finding.step == step && is(finding)) return &finding;
    }
    return nullptr;
  }
  const diff::Finding* Find(std::size_t step, diff::FindingKind kind) const {
    return Find(step, [&](const diff::Finding& f) { return f.kind == kind; });
  }

  void Add(isa::RuleId rule, Side side, Showing showing, bool alone = true) {
    for (Observation& o : observations_) {
      if (o.rule != rule || o.side != side) continue;
      // One bad showing outweighs many good ones.
      if (showing == Showing::kDifferently) o.showing = showing;
      if (o.showing == showing || o.showing == Showing::kDifferently) return;
    }
    observations_.push_back({rule, side, showing, alone, step_});
  }

  void ReadExecuted(std::size_t i) {
    if (const auto* refused = Find(i, diff::FindingKind::kOutcome)) {
      for (isa::RuleId rule : refused->actual_rules) {
        Add(rule, Side::kKeeps, Showing::kRefusedLegal);
      }
      // A refusal without a rule is one of the rule that the case was made for.
      if (refused->actual_rules.empty() && made_for_) {
        Add(*made_for_, Side::kKeeps, Showing::kRefusedLegal);
      }
      return;
    }
    if (reported_.notes) ReadNotes(i);
    if (const auto* wrong = Find(i, IsAboutMemory)) {
      Suspect(i, *wrong);
      return;
    }
    // Of a recording only the end is known, which shows nothing of what was
    // written over, and little of steps beside a wrong one.
    if (reported_.end_only &&
        (i + 1 < seen_.size() || FindMemory() != nullptr)) {
      return;
    }
    passing_.push_back(
        {RulesInPlay(case_.program[i], seen_[i].events), seen_[i].conditions});
    for (isa::RuleId rule : RulesInUse(case_.program[i], seen_[i].events)) {
      Add(rule, Side::kApplies, Showing::kAsDocumented);
    }
  }

  void ReadNotes(std::size_t i) {
    const auto* other = Find(i, diff::FindingKind::kNotes);
    for (isa::RuleId note : seen_[i].result.notes) {
      const bool noted = other == nullptr || Has(other->actual_rules, note);
      Add(note, Side::kNotes,
          noted ? Showing::kAsDocumented : Showing::kDifferently);
    }
    if (other == nullptr) return;
    for (isa::RuleId note : other->actual_rules) {
      if (!seen_[i].result.notes.Contains(note)) {
        Add(note, Side::kKeeps, Showing::kDifferently);
      }
    }
  }

  void ReadRejected(std::size_t i) {
    const isa::RuleSet& broken = seen_[i].result.rules;
    const bool alone = broken.size() == 1;
    if (reported_.tolerated ||
        Find(i, diff::FindingKind::kOutcome) != nullptr) {
      RanIllegal ran = RunIllegal(case_, i, target_);
      AddAll(broken, ran.showing, alone);
      illegal_ = std::move(ran.what);
    } else if (const auto* named = Find(i, diff::FindingKind::kRules)) {
      ReadNames(i, *named);
    } else if (Find(i, IsAboutMemory) != nullptr) {
      AddAll(broken, Showing::kRanOtherwise, alone);
    } else if (alone || reported_.rules) {
      AddAll(broken, Showing::kRefused, alone);
    }  // else the rule for which it was refused is unknown
  }

  void AddAll(const isa::RuleSet& broken, Showing showing, bool alone) {
    for (isa::RuleId rule : broken) Add(rule, Side::kBreaks, showing, alone);
  }

  /// Both refuse, and name different rules. A target that names a kept rule
  /// does not come to those that are checked later. A target that misses a
  /// broken one may have got its name wrong, or checked a later rule too early:
  /// its answer counts for the missed rule.
  void ReadNames(std::size_t i, const diff::Finding& named) {
    const isa::RuleSet& broken = seen_[i].result.rules;
    const bool alone = broken.size() == 1;
    std::optional<isa::Stage> first_besides;  // of the rules that are kept
    for (isa::RuleId rule : named.actual_rules) {
      if (broken.Contains(rule)) continue;
      const isa::Stage stage = isa::StageOf(rule);
      first_besides = std::min(first_besides.value_or(stage), stage);
    }
    bool misses = false;
    for (isa::RuleId rule : broken) {
      if (Has(named.actual_rules, rule)) {
        Add(rule, Side::kBreaks, Showing::kRefused, alone);
      } else if (!first_besides || isa::StageOf(rule) <= *first_besides) {
        Add(rule, Side::kBreaks, Showing::kRefusedOtherwise, alone);
        misses = true;
      }
    }
    if (misses) return;
    for (isa::RuleId rule : named.actual_rules) {
      if (!broken.Contains(rule)) {
        Add(rule, Side::kKeeps, Showing::kRefusedLegal, false);
      }
    }
  }

  /// Cases that keep a rule show so only as a whole.
  void ReadMadeFor() {
    if (!made_for_ || seen_.back().result.status != StepStatus::kExecuted)
      return;
    // Refused: that speaks against the rules it names, and for none.
    if (HasOutcomeFinding()) return;
    switch (EffectOf(*made_for_)) {
      case isa::Effect::kReject:
        Add(*made_for_, Side::kKeeps, Showing::kAccepted);
        return;
      case isa::Effect::kNote:
        if (reported_.notes &&
            std::ranges::none_of(observations_, [&](const Observation& o) {
              return o.rule == *made_for_;
            })) {
          Add(*made_for_, Side::kKeeps, Showing::kAsDocumented);
        }
        return;
      case isa::Effect::kHazard:  // of lint alone
      case isa::Effect::kFail:
        return;
      case isa::Effect::kSemantics:
        if (!SpeaksOfTypeOf(case_.program.back(), *made_for_)) return;
        if (FindMemory() == nullptr) {
          Add(*made_for_, Side::kApplies, Showing::kAsDocumented);
          // Counted once where a step rests on it anyway.
          if (std::ranges::none_of(passing_, [&](const PassingStep& step) {
                return Has(step.rules, *made_for_);
              })) {
            passing_.push_back({{*made_for_}, seen_.back().conditions});
          }
        } else if (failing_ && MaySpeakAgainst(*made_for_, case_.program.back(),
                                               *FindMemory())) {
          failing_->suspects.push_back(*made_for_);
          SortOut(failing_->suspects);
        }
    }
  }

  bool HasOutcomeFinding() const {
    return std::ranges::any_of(findings_, [](const diff::Finding& f) {
      return f.kind == diff::FindingKind::kOutcome;
    });
  }

  const diff::Finding* FindMemory() const {
    const auto found = std::ranges::find_if(findings_, IsAboutMemory);
    return found == findings_.end() ? nullptr : &*found;
  }

  /// Of a target that answers whole cases an earlier step may be to blame,
  /// whose result this one read; of a recording no shorter program shows which.
  void Suspect(std::size_t step, const diff::Finding& wrong) {
    wrong_ = wrong;
    wrong_.step = step;
    const bool runs = target_.runs_any_case();
    if (reported_.end_only && runs) {
      if (auto first = FirstWrong(case_, step, target_)) {
        wrong_ = *std::move(first);
      }
    }
    failing_.emplace();
    failing_->step = wrong_.step;
    failing_->conditions = seen_[wrong_.step].conditions;
    failing_->mismatch = MismatchKindOf(wrong_);
    for (std::size_t i = reported_.end_only && !runs ? 0 : wrong_.step;
         i <= wrong_.step; ++i) {
      const auto more = SuspectsOf(case_.program[i], seen_[i].events, wrong_);
      failing_->suspects.insert(failing_->suspects.end(), more.begin(),
                                more.end());
    }
    SortOut(failing_->suspects);
  }

  template <class T>
  static void SortOut(std::vector<T>& all) {
    std::ranges::sort(all);
    const auto rest = std::ranges::unique(all);
    all.erase(rest.begin(), rest.end());
  }

  const Case& case_;
  std::optional<isa::RuleId> made_for_;
  const diff::Target& target_;
  const std::vector<Seen>& seen_;
  const std::vector<diff::Finding>& findings_;
  Reported reported_;
  std::size_t step_ = 0;  ///< that is being read
  std::vector<Observation> observations_;
  std::optional<FailingStep> failing_;
  diff::Finding wrong_;  ///< with which it began
  std::vector<PassingStep> passing_;
  std::string illegal_;  ///< of what ran though it should not
};

/// The rules that `c` shows something of where all is as it should be.
std::vector<isa::RuleId> RulesShownBy(const Case& c,
                                      std::optional<isa::RuleId> made_for) {
  const CaseResult result = ResultOf(c, made_for, diff::TheOracle());
  std::set<isa::RuleId> rules;
  for (const Observation& o : result.observations) rules.insert(o.rule);
  for (const PassingStep& step : result.passing) {
    rules.insert(step.rules.begin(), step.rules.end());
  }
  return {rules.begin(), rules.end()};
}

}  // namespace

CaseResult ResultOf(const Case& c, std::optional<isa::RuleId> made_for,
                    const diff::Target& target) {
  std::vector<Seen> seen;
  const auto look = [&](const diff::ReferenceStep& step) {
    seen.push_back(
        {step.result, step.events, ConditionsOf(step.step, step.accesses)});
  };
  const diff::Comparison compared =
      diff::CompareCase(c, target, diff::TheOracle(), look);
  const auto failed = std::ranges::find_if(
      compared.findings,
      [](const diff::Finding& f) { return diff::IsFailure(f.kind); });
  if (failed != compared.findings.end()) {
    return FailedResult(c, made_for,
                        failed->kind == diff::FindingKind::kTimeout
                            ? Showing::kHung
                            : Showing::kCrashed,
                        failed->message);
  }
  const diff::Capabilities can = target.capabilities();
  Reported reported = {
      .rules = can.legality == diff::Capabilities::Legality::kRules,
      .notes = can.notes,
      .tolerated = !compared.tolerated.empty()};
  if (compared.outcome) {
    reported.rules = compared.outcome->rules.has_value();
    reported.notes = compared.outcome->notes.has_value();
    reported.end_only = true;
  }
  CaseResult result;
  result.given_up = compared.given_up;
  if (result.given_up) return result;
  if (compared.malformed) result.malformed = compared.why;
  result.unsupported = compared.unsupported || seen.empty();
  if (result.unsupported) {
    if (&target != &diff::TheOracle())
      result.missed = RulesShownBy(c, made_for);
    return result;
  }
  result.nodes = compared.nodes;
  result.steps = compared.steps;
  result.compared_bytes = compared.compared_bytes;
  for (const Seen& step : seen) {
    for (std::size_t e = 0; e < result.events.counts.size(); ++e) {
      result.events.counts[e] += step.events.counts[e];
    }
  }
  for (const diff::Finding& finding : compared.findings) {
    if (finding.difference) {
      result.largest_ulp =
          std::max(result.largest_ulp, finding.difference->ulp);
    }
  }
  if (!compared.findings.empty()) {
    result.message = compared.findings.front().message;
    result.signature = compared.findings.front().signature;
  }
  Reader(c, made_for, target, seen, compared.findings, reported).Read(result);
  return result;
}

CaseResult FailedResult(const Case& c, std::optional<isa::RuleId> made_for,
                        Showing showing, std::string_view message) {
  CaseResult result = ResultOf(c, made_for, diff::TheOracle());
  const auto is_other = [&](const Observation& o) {
    return o.rule != made_for;
  };
  if (!std::ranges::all_of(result.observations, is_other)) {
    std::erase_if(result.observations, is_other);
  }
  if (result.observations.empty() && !result.passing.empty()) {
    // A legal case for no rule: it shows a failure of one that it rests on.
    result.observations.push_back({.rule = result.passing.front().rules.front(),
                                   .side = Side::kApplies,
                                   .showing = showing});
  }
  for (Observation& o : result.observations) o.showing = showing;
  result.passing.clear();
  result.failed = showing;
  result.accepted = false;
  result.message = message;
  result.signature =
      diff::Signature{showing == Showing::kHung ? diff::FindingKind::kTimeout
                                                : diff::FindingKind::kCrash,
                      "audit", "target", "none"}
          .Text();
  return result;
}

CaseResult ResultOfEnd(const AuditCase& c, Child::End end) {
  if (end == Child::End::kNoMemory) {
    CaseResult result;
    result.skipped = fmt::format("{}: {}", c.c.id, WhyNoAnswer(end));
    return result;
  }
  return FailedResult(
      c.c, c.rule,
      end == Child::End::kHung ? Showing::kHung : Showing::kCrashed,
      WhyNoAnswer(end));
}

}  // namespace lanediff::audit
