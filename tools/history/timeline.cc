#include "tools/history/timeline.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "differential/compare/signature.h"
#include "isa/catalogue.h"

namespace lanediff::campaign {
namespace {

using reports::CampaignFinding;
using reports::CampaignMoment;
using reports::CampaignPeriod;

CampaignMoment MomentOf(const Run& run) {
  return {.date = run.shown.date, .commit = run.shown.commit};
}

class Follower {
 public:
  Follower(std::uint64_t silent_days, CampaignFinding& found)
      : silent_days_(silent_days),
        found_(found),
        of_lint_(diff::KindIn(found.signature) ==
                 diff::FindingKind::kLintDiffers) {}

  void Follow(const std::vector<Day>& days) {
    for (std::size_t n = 0; n < days.size(); ++n) {
      const auto saw = std::ranges::find_if(
          days[n], [&](const Run* run) { return SeenBy(*run) != nullptr; });
      if (saw != days[n].end()) {
        See(days, n, **saw);
      } else if (open_) {
        LookForSilence(days[n]);
      }
    }
    found_.state = !open_                      ? "fixed"
                   : accepted_                 ? "accepted"
                   : found_.periods.size() > 1 ? "came back"
                                               : "open";
    if (open_) found_.silent = silent_.size();
    found_.verbs.assign(verbs_.begin(), verbs_.end());
  }

 private:
  /// What a run saw of the finding; null: nothing.
  const Seen* SeenBy(const Run& run) const {
    const auto place = std::ranges::lower_bound(run.seen, found_.signature, {},
                                                &Seen::signature);
    return place == run.seen.end() || place->signature != found_.signature
               ? nullptr
               : &*place;
  }

  void See(const std::vector<Day>& days, std::size_t n, const Run& saw) {
    if (!open_) {
      open_ = true;
      last_.clear();
      doubted_.clear();
      found_.periods.push_back(
          {.seen = MomentOf(saw), .before = LastWithout(days, n, saw)});
    }
    silent_.clear();
    DropContradicted(days[n]);
    accepted_ = true;
    decltype(last_) now;
    for (const Run* run : days[n]) {
      const Seen* const seen = SeenBy(*run);
      if (seen == nullptr) continue;
      const std::string& verb = run->shown.verb;
      now[{verb, run->reference}].push_back(run);
      if (verb == "check") doubted_.erase(seen->case_name);
      found_.times += seen->times;
      accepted_ = accepted_ && seen->known;
      verbs_.insert(verb);
    }
    now.merge(last_);
    last_ = std::move(now);
    DoubtChecks(days[n]);
    CampaignPeriod& period = found_.periods.back();
    period.accepted[saw.shown.date] = accepted_;
    period.last_seen = MomentOf(saw);
    ++found_.days;
  }

  /// What was gone while another one saw the finding proves nothing when it is
  /// gone again.
  void DropContradicted(const Day& day) {
    for (const Run* run : day) {
      if (SeenBy(*run) != nullptr) continue;
      for (auto& [of, all] : last_) {
        std::erase_if(all,
                      [&](const Run* last) { return Proves(*run, *last); });
      }
    }
  }

  /// A check that did not see it in the case in which another one did proves
  /// nothing with that case, until a check sees it there.
  void DoubtChecks(const Day& day) {
    for (const Run* run : day) {
      if (run->shown.verb != "check" || SeenBy(*run) != nullptr) continue;
      for (const Run* saw : day) {
        const Seen* const seen = SeenBy(*saw);
        if (seen != nullptr && Proves(*run, *saw)) {
          doubted_.insert(seen->case_name);
        }
      }
    }
  }

  /// Whether a run looked for what these, of one verb and day, saw: of a
  /// check one of their cases is enough, others look as far as all of them.
  bool LookedFor(const Run& run, const std::vector<const Run*>& all) const {
    if (run.shown.verb == "check") {
      return std::ranges::any_of(all, [&](const Run* last) {
        return Proves(run, *last) &&
               !doubted_.contains(SeenBy(*last)->case_name);
      });
    }
    return !all.empty() && std::ranges::all_of(all, [&](const Run* last) {
      return Proves(run, *last);
    });
  }

  void LookForSilence(const Day& day) {
    const Run* silent = nullptr;
    for (const Run* run : day) {
      for (const auto& [of, all] : last_) {
        if (!LookedFor(*run, all)) continue;
        if (run->shown.verb != "fuzz") {
          return Close(MomentOf(*run), run->shown.verb);
        }
        silent = run;
      }
    }
    // Several runs of a date count once.
    if (silent == nullptr ||
        (!silent_.empty() && silent_.back().date.substr(0, 10) ==
                                 silent->shown.date.substr(0, 10))) {
      return;
    }
    silent_.push_back(MomentOf(*silent));
    if (silent_.size() >= silent_days_) Close(silent_.front(), "fuzz");
  }

  void Close(const CampaignMoment& moment, const std::string& verb) {
    found_.periods.back().fixed = moment;
    found_.periods.back().fixed_by = verb;
    open_ = false;
    silent_.clear();
  }

  /// The last before day `n` that would have seen what `saw` does.
  std::optional<CampaignMoment> LastWithout(const std::vector<Day>& days,
                                            std::size_t n,
                                            const Run& saw) const {
    while (n-- > 0) {
      for (const Run* run : days[n]) {
        if (SeenBy(*run) != nullptr) return std::nullopt;
      }
      for (const Run* run : days[n]) {
        if (Proves(*run, saw)) return MomentOf(*run);
      }
    }
    return std::nullopt;
  }

  /// Whether `run`, which does not see it, looked for what `last` saw.
  bool Proves(const Run& run, const Run& last) const {
    if (!run.shown.unfinished.empty() || run.reference != last.reference) {
      return false;
    }
    const std::string& verb = run.shown.verb;
    const bool has_case = run.case_names.contains(SeenBy(last)->case_name);
    // A case of any verb can be checked, but not for findings of lint.
    if (verb == "check") return !of_lint_ && has_case;
    return verb == last.shown.verb && Covers(run.scope, last.scope) &&
           (verb == "mutants" ? has_case : LookedAsMuch(run, last));
  }

  bool LookedAsMuch(const Run& run, const Run& last) const {
    const std::string& own = found_.instruction;
    if (ComparedBy(last, own).cases || isa::FindInstruction(own) != nullptr) {
      return LookedAsMuch(run, last, own);
    }
    // Of no instruction of its own, such as a step that sets state: whatever
    // was looked at then, by fuzz programs that ended early, too.
    bool any = false;
    for (const Compared& one : last.compared) {
      if (!one.cases && last.shown.verb != "fuzz") continue;
      if (!LookedAsMuch(run, last, one.instruction)) return false;
      any = true;
    }
    return any;
  }

  static Compared ComparedBy(const Run& run, const std::string& instruction) {
    const auto compared =
        std::ranges::find(run.compared, instruction, &Compared::instruction);
    return compared == run.compared.end() ? Compared() : *compared;
  }

  static bool LookedAsMuch(const Run& run, const Run& last,
                           const std::string& instruction) {
    const Compared now = ComparedBy(run, instruction);
    const Compared before = ComparedBy(last, instruction);
    if (!now.cases || run.failed.contains(instruction)) return false;
    if (run.shown.verb != "fuzz") return now.left_out <= before.left_out;
    const std::uint64_t cases = before.cases.value_or(0) + before.left_out;
    return *now.cases >= cases - cases / 2;
  }

  std::uint64_t silent_days_;
  CampaignFinding& found_;
  bool of_lint_;
  bool open_ = false;
  bool accepted_ = false;
  /// Runs of the last day with the finding, by verb and reference, since it is
  /// open.
  std::map<std::pair<std::string, std::string>, std::vector<const Run*>> last_;
  std::set<std::string> doubted_;  ///< names of cases
  std::set<std::string> verbs_;    ///< that saw it
  std::vector<CampaignMoment> silent_;
};

}  // namespace

void Follow(const std::vector<Day>& days, std::uint64_t silent_days,
            CampaignFinding& found) {
  Follower(silent_days, found).Follow(days);
}

}  // namespace lanediff::campaign
