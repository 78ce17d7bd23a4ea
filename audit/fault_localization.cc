#include "audit/fault_localization.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "audit/conditions.h"
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

/// The calls that some conditions name.
using Ops = std::set<Conditions>;

void AddOp(Conditions conditions, Ops& ops) {
  if (const Conditions op = OpIn(conditions)) ops.insert(op);
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
  Ops ops = {};               ///< calls that rest on it, outside of programs
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
  Ops ops = {};  ///< the calls whose results are wrong

  double Worth() const {
    const Conditions op = OpIn(conditions);
    const int count = std::popcount(conditions - op) + (op != 0 ? 1 : 0);
    return std::pow(kConditionWorth, count) * static_cast<double>(wrong) /
           std::sqrt(static_cast<double>(wrong + right));
  }
  /// Further evidence, the likelier first.
  auto Rank() const {
    const bool values = 2 * missing > wrong && IsAboutValues(rule);
    return std::tuple(values, known->right, ~made_for);
  }
  /// Of rules about some values. A program's right results may be another
  /// instruction's, so that a rule with far fewer without them, a sixteenth or
  /// so, is likelier.
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
  /// Whether nothing speaks for one of the two rather than the other.
  bool IsEqualTo(const Suspect& other) const {
    return conditions == other.conditions && wrong == other.wrong &&
           right == other.right && Rank() == other.Rank() &&
           IsAboutSomeValues(rule) == IsAboutSomeValues(other.rule) &&
           (!IsAboutSomeValues(rule) || RankOfSome() == other.RankOfSome());
  }
  /// Whether it is a rule of several instructions that one of them alone does
  /// not follow, while each of its wrong results has another suspect.
  bool IsOfOneInstruction() const {
    return !known->only_suspect && IsCommon(rule) && known->ops.size() > 1 &&
           ops.size() < 2;
  }
};

class Localizer {
 public:
  Localizer(const std::vector<FailingRuns>& failing,
            const std::vector<PassingRuns>& passing)
      : failing_(failing), passing_(passing), open_(failing.size()) {
    const auto add_op = [](Conditions conditions, Known& known) {
      if (!IsInProgram(conditions)) AddOp(conditions, known.ops);
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
        all.push_back(Blame(suspect, {}));
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
    for (int round = 0;; ++round) {
      std::vector<Suspect> suspects = Suspects(round < kFineRounds);
      if (suspects.empty()) return;
      if (!std::ranges::all_of(suspects, &Suspect::IsOfOneInstruction)) {
        std::erase_if(suspects, [](const Suspect& suspect) {
          return suspect.IsOfOneInstruction();
        });
      }
      all.push_back(Blame(Likeliest(suspects), suspects));
    }
  }

  /// Closes what is open and `rule` explains under `conditions`.
  std::vector<std::size_t> Take(RuleId rule, Conditions conditions) {
    std::vector<std::size_t> taken;
    for (std::size_t i = 0; i < failing_.size(); ++i) {
      if (open_[i] && Hold(failing_[i].conditions, conditions) &&
          Has(failing_[i].suspects, rule)) {
        open_[i] = false;
        taken.push_back(i);
      }
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
    auto signs = Take(fault.rules.front(), fault.conditions);
    std::erase_if(signs, [&](std::size_t i) {  // of one that not all explain
      open_[i] = !std::ranges::all_of(fault.rules, [&](RuleId rule) {
        return Has(failing_[i].suspects, rule);
      });
      return open_[i];
    });
    std::uint64_t turned = 0;
    for (std::size_t i : signs) turned += failing_[i].cases;
    if (IsAboutSomeValues(fault.rules.front()) || turned < lost) {
      fault.failing.insert(fault.failing.end(), signs.begin(), signs.end());
    } else {
      for (std::size_t i : signs) open_[i] = true;
    }
  }

  const Suspect& Likeliest(const std::vector<Suspect>& all) const {
    const Suspect* best = nullptr;
    const Suspect* known = nullptr;  // of those that are blamed already
    const Suspect* some = nullptr;   // of those about some values
    for (const Suspect& suspect : all) {
      if (best == nullptr || suspect.IsLikelierThan(*best)) best = &suspect;
      if (IsAboutSomeValues(suspect.rule) &&
          (some == nullptr || suspect.RankOfSome() < some->RankOfSome())) {
        some = &suspect;
      }
      if (blamed_.contains(suspect.rule) && suspect.conditions == 0 &&
          (known == nullptr || suspect.IsLikelierThan(*known))) {
        known = &suspect;
      }
    }
    if (IsAboutSomeValues(best->rule)) best = some;
    const bool is_known =
        known != nullptr && best->Worth() < kAnotherRule * known->Worth();
    return is_known ? *known : *best;
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
        all.push_back(std::move(suspect));
      }
    }
    return all;
  }

  static void Weigh(const FailingRuns& runs, Suspect& suspect) {
    if (!Hold(runs.conditions, suspect.conditions)) return;
    suspect.wrong += runs.cases;
    if (runs.mismatch == MismatchKind::kMissing) suspect.missing += runs.cases;
    if (runs.made_for == suspect.rule) suspect.made_for += runs.cases;
    AddOp(runs.conditions, suspect.ops);
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

  /// Blames `suspect` and those of `all` that explain the same equally.
  Fault Blame(const Suspect& suspect, const std::vector<Suspect>& all) {
    Fault fault{.rules = {suspect.rule},
                .conditions = suspect.conditions,
                .failing = Take(suspect.rule, suspect.conditions),
                .right = suspect.right};
    std::map<RuleId, std::uint64_t> explains;
    for (std::size_t i : fault.failing) {
      for (RuleId rule : failing_[i].suspects) {
        explains[rule] += failing_[i].cases;
      }
    }
    const bool known = blamed_.contains(suspect.rule);
    for (const Suspect& other : all) {
      if (other.rule != suspect.rule && suspect.IsEqualTo(other) &&
          (!known || blamed_.contains(other.rule)) &&
          explains[other.rule] == suspect.wrong) {
        fault.rules.push_back(other.rule);
      }
    }
    std::ranges::sort(fault.rules);
    blamed_.insert(fault.rules.begin(), fault.rules.end());
    const auto as_few = [](std::uint64_t right, std::uint64_t than) {
      return static_cast<double>(right) <= kAsFew * static_cast<double>(than);
    };
    for (const auto& [rule, explained] : explains) {
      if (!Has(fault.rules, rule) &&
          static_cast<double>(explained) >=
              kAsMany * static_cast<double>(suspect.wrong) &&
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

/// Of what one rule explains under the same conditions.
constexpr std::size_t kShown = 2;
/// Of one rule; more are only counted.
constexpr std::size_t kMostShown = 8;

/// The best of some candidates goes to those that are shown.
void Show(std::vector<Candidate> candidates, std::vector<Candidate>& bad) {
  std::ranges::sort(candidates, {}, &Candidate::Rank);
  for (std::size_t i = 0; i < candidates.size() && i < kShown; ++i) {
    if (bad.size() < kMostShown) bad.push_back(std::move(candidates[i]));
  }
}

void AddOnce(std::string_view form, std::vector<std::string>& forms) {
  if (form.empty() || std::ranges::find(forms, form) != forms.end()) return;
  forms.emplace_back(form);
  std::ranges::sort(forms);
}

/// One part for each of the conditions.
void AddPart(const WrongPart& part, std::vector<WrongPart>& parts) {
  const auto same = std::ranges::find(parts, part.where, &WrongPart::where);
  if (same == parts.end()) {
    parts.push_back(part);
    return;
  }
  same->wrong += part.wrong;
  for (std::string_view form : part.forms) AddOnce(form, same->forms);
  std::erase_if(same->right_forms, [&](std::string_view form) {
    return std::ranges::find(same->forms, form) != same->forms.end();
  });
}

/// In which forms calls are wrong, and in which all that rest on `rule` are
/// right.
void AddForms(const std::vector<FailingRuns>& failing,
              const std::vector<PassingRuns>& passing, const Fault& fault,
              RuleId rule, WrongPart& part) {
  Ops ops;
  for (std::size_t i : fault.failing) {
    AddOp(failing[i].conditions, ops);
    AddOnce(FormIn(failing[i].conditions), part.forms);
  }
  for (const PassingRuns& runs : passing) {
    const std::string_view form = FormIn(runs.conditions);
    if (Has(runs.rules, rule) && ops.contains(OpIn(runs.conditions)) &&
        std::ranges::find(part.forms, form) == part.forms.end()) {
      AddOnce(form, part.right_forms);
    }
  }
}

/// Of the failing runs on one product.
void AddFaultsOf(const std::vector<FailingRuns>& failing,
                 const std::vector<Measurement>& measured, Tally& tally) {
  const isa::Product product = failing.front().product;
  std::vector<PassingRuns> passing;
  std::ranges::copy_if(
      tally.passing, std::back_inserter(passing),
      [&](const PassingRuns& runs) { return runs.product == product; });
  for (const Fault& fault : LocalizeFaults(failing, passing, measured)) {
    const auto rests_on = [&](RuleId rule, std::uint64_t count) {
      CellTally& cell = tally.CellOf(rule, product);
      cell.cases += count;
      if (!Has(fault.rules, rule)) cell.elsewhere[fault.rules.front()] += count;
    };
    WrongPart part{.where = TextOf(fault.conditions), .right = fault.right};
    std::vector<Candidate> candidates;
    std::uint64_t ulp = 0;
    for (std::size_t i : fault.failing) {
      const FailingRuns& runs = failing[i];
      part.wrong += runs.cases;
      for (RuleId suspect : runs.suspects) rests_on(suspect, runs.cases);
      for (const ClearedRule& one : runs.cleared) rests_on(one.rule, one.cases);
      ulp = std::max(ulp, runs.largest_ulp);
      candidates.insert(candidates.end(), runs.best.begin(), runs.best.end());
    }
    for (RuleId rule : fault.rules) {
      WrongPart own = part;
      AddForms(failing, passing, fault, rule, own);
      CellTally& cell = tally.CellOf(rule, product);
      cell.numeric.largest_ulp = std::max(cell.numeric.largest_ulp, ulp);
      cell.alone[static_cast<std::size_t>(Showing::kDifferently)] += own.wrong;
      AddPart(own, cell.parts);
      Show(candidates, cell.bad);
      cell.co_suspects.insert(fault.rules.begin(), fault.rules.end());
      cell.co_suspects.insert(fault.co_suspects.begin(),
                              fault.co_suspects.end());
      cell.co_suspects.erase(rule);
    }
    for (RuleId rule : fault.co_suspects) {
      tally.CellOf(rule, product).suspected = true;
    }
  }
}

}  // namespace

std::vector<Fault> LocalizeFaults(std::vector<FailingRuns> failing,
                                  const std::vector<PassingRuns>& passing,
                                  const std::vector<Measurement>& measured) {
  for (FailingRuns& runs : failing) Narrow(measured, runs);
  return Localizer(failing, passing).Localize();
}

void AddFaults(const std::vector<Measurement>& measured, Tally& tally) {
  // They are in the order of their products.
  const auto all = std::exchange(tally.failing, {});
  for (auto from = all.begin(); from != all.end();) {
    const auto to = std::ranges::upper_bound(from, all.end(), from->product, {},
                                             &FailingRuns::product);
    AddFaultsOf({from, to}, measured, tally);
    from = to;
  }
}

}  // namespace lanediff::audit
