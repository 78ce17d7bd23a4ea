#include "audit/blaming.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "audit/blame.h"
#include "isa/catalogue.h"

namespace lanediff::audit {
namespace {

/// What a condition leaves of a rule's worth.
constexpr double kConditionWorth = 0.8;
/// How much better another rule must be than one that is blamed already.
constexpr double kAnotherRule = 2;
/// A co-suspect has at most so many times the right results of who is blamed,
/// and explains at least this share of the wrong ones.
constexpr double kAsFew = 1.1;
constexpr double kAsMany = 0.9;
/// So many rounds look for conditions; who has more defects has them all over.
constexpr int kFineRounds = 24;

bool Has(const std::vector<std::string_view>& rules, std::string_view rule) {
  return std::ranges::binary_search(rules, rule);
}

bool Hold(Conditions conditions, Conditions of) {
  return (conditions & of) == of;
}

bool IsCommon(std::string_view rule) {
  const isa::Rule* const found = isa::FindRule(rule);
  return found == nullptr || found->instruction == "common";
}

/// Whether a rule that is not followed may be why the results are wrong, as far
/// as the first wrong element shows.
bool MayExplain(const Measurement& measured, const Wrong& wrong) {
  if (wrong.mismatch == MismatchKind::kMissing)
    return !IsAboutValues(isa::RuleId(measured.rule));
  return wrong.mismatch != MismatchKind::kZeroSign ||
         measured.rule == isa::arith::kZeroSign.text();
}

/// Leaves of the suspects those that `measured` has not shown to be innocent.
void Narrow(const std::vector<Measurement>& measured, Wrong& wrong) {
  std::vector<std::string_view> refuted;
  std::vector<std::string_view> open;
  for (std::string_view rule : wrong.suspects) {
    const auto shows = [&](bool follows) {
      return std::ranges::any_of(measured, [&](const Measurement& one) {
        return one.rule == rule && one.follows == follows &&
               Hold(wrong.conditions, one.conditions) &&
               (follows || MayExplain(one, wrong));
      });
    };
    if (shows(false)) refuted.push_back(rule);
    if (!shows(true)) open.push_back(rule);
  }
  if (!refuted.empty()) {
    wrong.suspects = std::move(refuted);
  } else if (!open.empty()) {
    wrong.suspects = std::move(open);
  }
}

/// A rule under conditions, and what is known of it.
struct Suspect {
  std::string_view rule;
  Conditions conditions = 0;
  std::uint64_t wrong = 0;
  std::uint64_t right = 0;
  std::uint64_t right_in_all = 0;  ///< under any conditions
  std::uint64_t right_alone = 0;   ///< of these, outside of programs
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
    const bool values = 2 * missing > wrong && IsAboutValues(isa::RuleId(rule));
    return std::tuple(values, right_in_all, ~made_for, IsCommon(rule), rule,
                      conditions);
  }
  /// The one that explains more first: of rules about some values, which meet
  /// in one sum. A program's right results may be another instruction's, so
  /// that who has far fewer without them, a sixteenth or so, is likelier.
  auto RankOfSome() const {
    return std::tuple(conditions != 0, ~wrong, std::bit_width(right_alone) / 4,
                      Rank());
  }
  bool IsLikelierThan(const Suspect& other) const {
    const double a = Worth();
    const double b = other.Worth();
    // Sums of the same counts in another order are the same.
    if (std::abs(a - b) > 1e-9 * std::max(a, b)) return a > b;
    return Rank() < other.Rank();
  }
};

class Blamer {
 public:
  Blamer(const std::vector<Wrong>& wrongs, const std::vector<Right>& rights)
      : wrongs_(wrongs), rights_(rights), open_(wrongs.size()) {
    for (std::size_t i = 0; i < wrongs.size(); ++i) open_[i] = !IsSign(i);
    for (const Right& right : rights) {
      for (std::string_view rule : right.rules) {
        AddOp(rule, right.conditions);
        right_in_all_[rule] += right.cases;
        if (InProgram(right.conditions) != right.conditions) {
          right_alone_[rule] += right.cases;
        }
      }
    }
    for (const Wrong& wrong : wrongs) {
      for (std::string_view rule : wrong.suspects) {
        AddOp(rule, wrong.conditions);
      }
      if (wrong.suspects.size() == 1) {
        only_suspects_.insert(wrong.suspects.front());
      }
    }
  }

  std::vector<Blame> Find() {
    std::vector<Blame> all;
    FindOpen(all);
    for (std::size_t i = 0; i < wrongs_.size(); ++i) open_[i] = IsSign(i);
    for (Blame& blame : all) TakeSigns(blame);
    if (const auto signs = OfZeroSigns()) all.push_back(Taken(*signs));
    FindOpen(all);
    return all;
  }

 private:
  /// Notes that a call of its own rests on `rule`, not one beside others.
  void AddOp(std::string_view rule, Conditions conditions) {
    if (!IsInProgram(conditions)) ops_[rule] |= OpIn(conditions);
  }

  /// Whether it is a rule of several instructions that one of them alone does
  /// not follow, while each of its wrong results has another suspect.
  bool IsOfOneAlone(const Suspect& suspect) const {
    if (only_suspects_.contains(suspect.rule)) return false;
    const auto ops = ops_.find(suspect.rule);
    return IsCommon(suspect.rule) && ops != ops_.end() &&
           std::popcount(ops->second) > 1 && std::popcount(suspect.ops) < 2;
  }

  bool IsSign(std::size_t i) const {
    return wrongs_[i].mismatch == MismatchKind::kZeroSign;
  }

  void FindOpen(std::vector<Blame>& all) {
    for (int round = 0; const auto next = Next(round < kFineRounds); ++round) {
      all.push_back(Taken(*next));
    }
  }

  /// Adds the open wrong signs of zero to `blame` if it explains them.
  void TakeSigns(Blame& blame) {
    std::vector<std::size_t> signs;
    std::uint64_t turned = 0;
    for (std::size_t i = 0; i < wrongs_.size(); ++i) {
      if (!open_[i] || !Has(wrongs_[i].suspects, blame.rule) ||
          !Hold(wrongs_[i].conditions, blame.conditions)) {
        continue;
      }
      signs.push_back(i);
      turned += wrongs_[i].cases;
    }
    std::uint64_t lost = 0;
    for (std::size_t i : blame.wrongs) {
      if (wrongs_[i].mismatch == MismatchKind::kZeroLost)
        lost += wrongs_[i].cases;
    }
    if (!IsAboutSomeValues(isa::RuleId(blame.rule)) && turned >= lost) return;
    for (std::size_t i : signs) open_[i] = false;
    blame.wrongs.insert(blame.wrongs.end(), signs.begin(), signs.end());
  }

  /// The rule of zero signs, if it is suspected of what is open.
  std::optional<Suspect> OfZeroSigns() const {
    for (const Suspect& suspect : Suspects(false)) {
      if (suspect.rule == isa::arith::kZeroSign.text() &&
          !IsOfOneAlone(suspect)) {
        return suspect;
      }
    }
    return std::nullopt;
  }

  /// The likeliest of all; none once nothing is open.
  std::optional<Suspect> Next(bool fine) const {
    std::vector<Suspect> all = Suspects(fine);
    std::vector<Suspect> allowed;
    std::ranges::copy_if(
        all, std::back_inserter(allowed),
        [&](const Suspect& suspect) { return !IsOfOneAlone(suspect); });
    return Likeliest(allowed.empty() ? all : allowed);
  }

  std::optional<Suspect> Likeliest(const std::vector<Suspect>& all) const {
    std::optional<Suspect> best;
    std::optional<Suspect> known;  // of those that are blamed already
    std::optional<Suspect> some;   // of those about some values
    for (const Suspect& suspect : all) {
      if (!best || suspect.IsLikelierThan(*best)) best = suspect;
      if (IsAboutSomeValues(isa::RuleId(suspect.rule)) &&
          (!some || suspect.RankOfSome() < some->RankOfSome())) {
        some = suspect;
      }
      const bool is_known =
          blamed_.contains(suspect.rule) && suspect.conditions == 0;
      if (is_known && (!known || suspect.IsLikelierThan(*known))) {
        known = suspect;
      }
    }
    if (best && IsAboutSomeValues(isa::RuleId(best->rule))) best = some;
    if (known && best->Worth() < kAnotherRule * known->Worth()) return known;
    return best;
  }

  /// Every rule that is suspected of what is open, as a whole and, where it is
  /// `fine`, under each condition and each two of them.
  std::vector<Suspect> Suspects(bool fine) const {
    std::map<std::string_view, std::set<Conditions>> there;
    for (std::size_t i = 0; i < wrongs_.size(); ++i) {
      if (!open_[i]) continue;
      const auto singles = Singles(wrongs_[i].conditions);
      for (std::string_view rule : wrongs_[i].suspects) {
        auto& conditions = there[rule];
        conditions.insert(0);
        for (std::size_t a = 0; fine && a < singles.size(); ++a) {
          for (std::size_t b = a; b < singles.size(); ++b) {
            conditions.insert(singles[a] | singles[b]);
          }
        }
      }
    }
    std::vector<Suspect> all;
    for (const auto& [rule, conditions] : there) {
      std::map<Conditions, std::uint64_t> rights;
      for (const Right& right : rights_) {
        if (Has(right.rules, rule)) rights[right.conditions] += right.cases;
      }
      std::vector<const Wrong*> wrongs;
      for (std::size_t i = 0; i < wrongs_.size(); ++i) {
        if (open_[i] && Has(wrongs_[i].suspects, rule)) {
          wrongs.push_back(&wrongs_[i]);
        }
      }
      for (Conditions one : conditions) {
        all.push_back(Weighed(rule, one, wrongs, rights));
      }
    }
    return all;
  }

  Suspect Weighed(std::string_view rule, Conditions conditions,
                  const std::vector<const Wrong*>& wrongs,
                  const std::map<Conditions, std::uint64_t>& rights) const {
    Suspect suspect{.rule = rule, .conditions = conditions};
    for (const Wrong* wrong : wrongs) {
      if (!Hold(wrong->conditions, conditions)) continue;
      suspect.wrong += wrong->cases;
      if (wrong->mismatch == MismatchKind::kMissing)
        suspect.missing += wrong->cases;
      if (wrong->made_for == rule) suspect.made_for += wrong->cases;
      suspect.ops |= OpIn(wrong->conditions);
    }
    for (const auto& [where, cases] : rights) {
      if (Hold(where, conditions)) suspect.right += cases;
    }
    suspect.right_in_all = Of(right_in_all_, rule);
    suspect.right_alone = Of(right_alone_, rule);
    return suspect;
  }

  using Counts = std::map<std::string_view, std::uint64_t>;

  static std::uint64_t Of(const Counts& counts, std::string_view rule) {
    const auto found = counts.find(rule);
    return found == counts.end() ? 0 : found->second;
  }

  std::uint64_t RightOf(std::string_view rule, Conditions conditions) const {
    std::uint64_t sum = 0;
    for (const Right& right : rights_) {
      if (Hold(right.conditions, conditions) && Has(right.rules, rule)) {
        sum += right.cases;
      }
    }
    return sum;
  }

  Blame Taken(const Suspect& suspect) {
    Blame blame{.rule = suspect.rule,
                .conditions = suspect.conditions,
                .right = suspect.right};
    std::uint64_t wrong = 0;
    std::map<std::string_view, std::uint64_t> explains;
    for (std::size_t i = 0; i < wrongs_.size(); ++i) {
      if (!open_[i] || !Has(wrongs_[i].suspects, suspect.rule) ||
          !Hold(wrongs_[i].conditions, suspect.conditions)) {
        continue;
      }
      open_[i] = false;
      blame.wrongs.push_back(i);
      wrong += wrongs_[i].cases;
      for (std::string_view rule : wrongs_[i].suspects) {
        explains[rule] += wrongs_[i].cases;
      }
    }
    blamed_.insert(suspect.rule);
    const auto as_few = [](std::uint64_t right, std::uint64_t than) {
      return static_cast<double>(right) <= kAsFew * static_cast<double>(than);
    };
    for (const auto& [rule, explained] : explains) {
      if (rule != suspect.rule &&
          static_cast<double>(explained) >=
              kAsMany * static_cast<double>(wrong) &&
          as_few(RightOf(rule, suspect.conditions), suspect.right) &&
          as_few(Of(right_in_all_, rule), suspect.right_in_all)) {
        blame.co_suspects.push_back(rule);
      }
    }
    return blame;
  }

  const std::vector<Wrong>& wrongs_;
  const std::vector<Right>& rights_;
  std::vector<bool> open_;
  Counts right_in_all_;
  Counts right_alone_;
  std::map<std::string_view, Conditions> ops_;  ///< that rest on a rule
  std::set<std::string_view> blamed_;
  std::set<std::string_view> only_suspects_;  ///< of some wrong result
};

}  // namespace

std::vector<Blame> FindBlame(std::vector<Wrong> wrongs,
                             const std::vector<Right>& rights,
                             const std::vector<Measurement>& measured) {
  for (Wrong& wrong : wrongs) Narrow(measured, wrong);
  return Blamer(wrongs, rights).Find();
}

}  // namespace lanediff::audit
