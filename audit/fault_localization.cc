#include "audit/fault_localization.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "audit/suspects.h"
#include "isa/catalogue.h"

namespace lanediff::audit {
namespace {

using isa::RuleId;

/// What a condition leaves of a rule's worth.
constexpr double kConditionWorth = 0.8;
/// How much better another rule must be than one that is blamed already.
constexpr double kAnotherRule = 2;
/// A co-suspect has at most so many times the right results of the rule that is
/// blamed, and explains at least this share of the wrong ones.
constexpr double kAsFew = 1.1;
constexpr double kAsMany = 0.9;
/// So many rounds try conditions; a target with more defects has them all over.
constexpr int kFineRounds = 24;

bool Has(const std::vector<RuleId>& rules, RuleId rule) {
  return std::ranges::binary_search(rules, rule);
}

bool Hold(Conditions conditions, Conditions of) {
  return (conditions & of) == of;
}

bool IsCommon(RuleId rule) {
  const isa::Rule* const found = isa::FindRule(rule.text());
  return found == nullptr || found->instruction == "common";
}

/// Whether a rule that is not followed may be why the results are wrong, as far
/// as the first wrong element shows.
bool MayExplain(RuleId rule, MismatchKind mismatch) {
  if (mismatch == MismatchKind::kMissing) return !IsAboutValues(rule);
  return mismatch != MismatchKind::kZeroSign || rule == isa::arith::kZeroSign;
}

/// Leaves of the suspects those that `measured` has not shown to be innocent.
void Narrow(const std::vector<Measurement>& measured, FailingRuns& runs) {
  std::vector<RuleId> refuted;
  std::vector<RuleId> open;
  for (RuleId rule : runs.suspects) {
    const auto shows = [&](bool follows) {
      return std::ranges::any_of(measured, [&](const Measurement& one) {
        return one.rule == rule.text() && one.follows == follows &&
               Hold(runs.conditions, one.conditions) &&
               (follows || MayExplain(rule, runs.mismatch));
      });
    };
    if (shows(false)) refuted.push_back(rule);
    if (!shows(true)) open.push_back(rule);
  }
  if (!refuted.empty()) {
    runs.suspects = std::move(refuted);
  } else if (!open.empty()) {
    runs.suspects = std::move(open);
  }
}

/// What is known of a rule before any is blamed.
struct Known {
  std::uint64_t right = 0;
  std::uint64_t right_alone = 0;  ///< of these, outside of programs
  Conditions ops = 0;         ///< calls that rest on it, outside of programs
  bool only_suspect = false;  ///< of some wrong result
};

/// A rule under conditions, and the open wrong results that it explains.
struct Suspect {
  RuleId rule;
  Conditions conditions = 0;
  const Known* known = nullptr;
  std::uint64_t wrong = 0;
  std::uint64_t right = 0;
  std::uint64_t missing = 0;
  std::uint64_t made_for = 0;
  Conditions ops = 0;  ///< the calls whose results are wrong

  double Worth() const {
    return std::pow(kConditionWorth, std::popcount(conditions)) *
           static_cast<double>(wrong) /
           std::sqrt(static_cast<double>(wrong + right));
  }
  /// The likelier first.
  auto Rank() const {
    const bool values = 2 * missing > wrong && IsAboutValues(rule);
    return std::tuple(values, known->right, ~made_for, IsCommon(rule), rule,
                      conditions);
  }
  /// The one that explains more first: of rules about some values, which meet
  /// in one sum. A program's right results may be another instruction's, so
  /// that a rule with far fewer without them, a sixteenth or so, is likelier.
  auto RankOfSome() const {
    return std::tuple(conditions != 0, ~wrong,
                      std::bit_width(known->right_alone) / 4, Rank());
  }
  bool IsLikelierThan(const Suspect& other) const {
    const double a = Worth();
    const double b = other.Worth();
    // Sums of the same counts in another order are the same.
    if (std::abs(a - b) > 1e-9 * std::max(a, b)) return a > b;
    return Rank() < other.Rank();
  }
  /// Whether it is a rule of several instructions that one of them alone does
  /// not follow, while each of its wrong results has another suspect.
  bool IsOfOneInstruction() const {
    return !known->only_suspect && IsCommon(rule) &&
           std::popcount(known->ops) > 1 && std::popcount(ops) < 2;
  }
};

class Localizer {
 public:
  Localizer(const std::vector<FailingRuns>& failing,
            const std::vector<PassingRuns>& passing)
      : failing_(failing), passing_(passing), open_(failing.size()) {
    const auto add_op = [](Conditions conditions, Known& known) {
      if (!IsInProgram(conditions)) known.ops |= OpIn(conditions);
    };
    for (const PassingRuns& runs : passing) {
      for (RuleId rule : runs.rules) {
        Known& known = known_[rule];
        add_op(runs.conditions, known);
        known.right += runs.cases;
        if (!IsInProgram(runs.conditions)) known.right_alone += runs.cases;
      }
    }
    for (const FailingRuns& runs : failing) {
      for (RuleId rule : runs.suspects) {
        Known& known = known_[rule];
        add_op(runs.conditions, known);
        known.only_suspect |= runs.suspects.size() == 1;
      }
    }
  }

  std::vector<Fault> Localize() {
    std::vector<Fault> all;
    Open(false);
    FindOpen(all);
    Open(true);
    for (Fault& fault : all) TakeSigns(fault);
    for (const Suspect& suspect : Suspects(false)) {
      if (suspect.rule == isa::arith::kZeroSign &&
          !suspect.IsOfOneInstruction()) {
        all.push_back(Blame(suspect));
      }
    }
    FindOpen(all);
    return all;
  }

 private:
  /// Opens the zeros of the wrong sign, or all but these.
  void Open(bool signs) {
    for (std::size_t i = 0; i < failing_.size(); ++i) {
      open_[i] = signs == (failing_[i].mismatch == MismatchKind::kZeroSign);
    }
  }

  void FindOpen(std::vector<Fault>& all) {
    for (int round = 0; const auto next = Next(round < kFineRounds); ++round) {
      all.push_back(Blame(*next));
    }
  }

  /// Closes what is open and `rule` explains under `conditions`.
  std::vector<std::size_t> Take(RuleId rule, Conditions conditions) {
    std::vector<std::size_t> taken;
    for (std::size_t i = 0; i < failing_.size(); ++i) {
      if (!open_[i] || !Hold(failing_[i].conditions, conditions) ||
          !Has(failing_[i].suspects, rule)) {
        continue;
      }
      open_[i] = false;
      taken.push_back(i);
    }
    return taken;
  }

  /// Adds the open wrong signs of zero to `fault` if it explains them.
  void TakeSigns(Fault& fault) {
    std::uint64_t lost = 0;
    for (std::size_t i : fault.failing) {
      if (failing_[i].mismatch == MismatchKind::kZeroLost)
        lost += failing_[i].cases;
    }
    const auto signs = Take(fault.rule, fault.conditions);
    std::uint64_t turned = 0;
    for (std::size_t i : signs) turned += failing_[i].cases;
    if (IsAboutSomeValues(fault.rule) || turned < lost) {
      fault.failing.insert(fault.failing.end(), signs.begin(), signs.end());
    } else {
      for (std::size_t i : signs) open_[i] = true;
    }
  }

  /// The likeliest of all; none once nothing is open.
  std::optional<Suspect> Next(bool fine) const {
    const std::vector<Suspect> all = Suspects(fine);
    std::vector<Suspect> allowed;
    std::ranges::copy_if(
        all, std::back_inserter(allowed),
        [](const Suspect& suspect) { return !suspect.IsOfOneInstruction(); });
    return Likeliest(allowed.empty() ? all : allowed);
  }

  std::optional<Suspect> Likeliest(const std::vector<Suspect>& all) const {
    std::optional<Suspect> best;
    std::optional<Suspect> known;  // of those that are blamed already
    std::optional<Suspect> some;   // of those about some values
    for (const Suspect& suspect : all) {
      if (!best || suspect.IsLikelierThan(*best)) best = suspect;
      if (IsAboutSomeValues(suspect.rule) &&
          (!some || suspect.RankOfSome() < some->RankOfSome())) {
        some = suspect;
      }
      const bool is_known =
          blamed_.contains(suspect.rule) && suspect.conditions == 0;
      if (is_known && (!known || suspect.IsLikelierThan(*known))) {
        known = suspect;
      }
    }
    if (best && IsAboutSomeValues(best->rule)) best = some;
    if (known && best->Worth() < kAnotherRule * known->Worth()) return known;
    return best;
  }

  /// Every rule that is suspected of what is open, as a whole and, where it is
  /// `fine`, under each condition and each two of them.
  std::vector<Suspect> Suspects(bool fine) const {
    std::map<RuleId, std::vector<const FailingRuns*>> by_rule;
    for (std::size_t i = 0; i < failing_.size(); ++i) {
      if (!open_[i]) continue;
      for (RuleId rule : failing_[i].suspects) {
        by_rule[rule].push_back(&failing_[i]);
      }
    }
    std::vector<Suspect> all;
    for (const auto& [rule, failing] : by_rule) {
      std::set<Conditions> conditions = {0};
      for (const FailingRuns* runs : failing) {
        const auto singles = Singles(runs->conditions);
        for (std::size_t a = 0; fine && a < singles.size(); ++a) {
          for (std::size_t b = a; b < singles.size(); ++b) {
            conditions.insert(singles[a] | singles[b]);
          }
        }
      }
      std::map<Conditions, std::uint64_t> passing;
      for (const PassingRuns& runs : passing_) {
        if (Has(runs.rules, rule)) passing[runs.conditions] += runs.cases;
      }
      for (Conditions one : conditions) {
        Suspect suspect{
            .rule = rule, .conditions = one, .known = &known_.at(rule)};
        for (const FailingRuns* runs : failing) Weigh(*runs, suspect);
        for (const auto& [where, cases] : passing) {
          if (Hold(where, one)) suspect.right += cases;
        }
        all.push_back(suspect);
      }
    }
    return all;
  }

  static void Weigh(const FailingRuns& runs, Suspect& suspect) {
    if (!Hold(runs.conditions, suspect.conditions)) return;
    suspect.wrong += runs.cases;
    if (runs.mismatch == MismatchKind::kMissing) suspect.missing += runs.cases;
    if (runs.made_for == suspect.rule) suspect.made_for += runs.cases;
    suspect.ops |= OpIn(runs.conditions);
  }

  std::uint64_t RightOf(RuleId rule, Conditions conditions) const {
    std::uint64_t sum = 0;
    for (const PassingRuns& runs : passing_) {
      if (Hold(runs.conditions, conditions) && Has(runs.rules, rule)) {
        sum += runs.cases;
      }
    }
    return sum;
  }

  Fault Blame(const Suspect& suspect) {
    Fault fault{.rule = suspect.rule,
                .conditions = suspect.conditions,
                .failing = Take(suspect.rule, suspect.conditions),
                .right = suspect.right};
    blamed_.insert(suspect.rule);
    std::map<RuleId, std::uint64_t> explains;
    for (std::size_t i : fault.failing) {
      for (RuleId rule : failing_[i].suspects) {
        explains[rule] += failing_[i].cases;
      }
    }
    const auto as_few = [](std::uint64_t right, std::uint64_t than) {
      return static_cast<double>(right) <= kAsFew * static_cast<double>(than);
    };
    const double wrong = static_cast<double>(explains[suspect.rule]);
    for (const auto& [rule, explained] : explains) {
      if (rule != suspect.rule &&
          static_cast<double>(explained) >= kAsMany * wrong &&
          as_few(RightOf(rule, suspect.conditions), suspect.right) &&
          as_few(known_.at(rule).right, suspect.known->right)) {
        fault.co_suspects.push_back(rule);
      }
    }
    return fault;
  }

  const std::vector<FailingRuns>& failing_;
  const std::vector<PassingRuns>& passing_;
  std::vector<bool> open_;
  std::map<RuleId, Known> known_;
  std::set<RuleId> blamed_;
};

}  // namespace

std::vector<Fault> LocalizeFaults(std::vector<FailingRuns> failing,
                                  const std::vector<PassingRuns>& passing,
                                  const std::vector<Measurement>& measured) {
  for (FailingRuns& runs : failing) Narrow(measured, runs);
  return Localizer(failing, passing).Localize();
}

}  // namespace lanediff::audit
