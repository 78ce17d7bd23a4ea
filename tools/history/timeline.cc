#include "tools/history/timeline.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include "differential/compare/signature.h"
#include "isa/catalogue.h"
#include "tools/history/part.h"

namespace lanediff::campaign {
namespace {

using reports::CampaignFinding;
using reports::CampaignMoment;
using reports::CampaignPeriod;

CampaignMoment MomentOf(const Run& run) {
  return {.date = run.date, .commit = run.commit};
}
std::string DayOf(const CampaignMoment& moment) {
  return moment.date.substr(0, 10);
}

std::uint64_t CasesOf(const std::map<std::string, std::uint64_t>& cases,
                      const std::string& instruction) {
  const auto found = cases.find(instruction);
  return found == cases.end() ? 0 : found->second;
}

class Follower {
 public:
  Follower(std::int64_t id, std::uint64_t silent_days, const Failing& failing,
           CampaignFinding& found)
      : id_(id),
        silent_days_(silent_days),
        failing_(failing),
        found_(found),
        of_lint_(diff::KindIn(found.signature) ==
                 diff::FindingKind::kLintDiffers) {}

  void Pass(const std::vector<Day>& days, std::size_t n) {
    const Run* saw = nullptr;
    for (const Run* run : days[n]) {
      if (!run->seen.contains(id_)) continue;
      if (saw == nullptr) saw = run;
    }
    if (saw != nullptr) {
      See(days, n, *saw);
    } else if (open_) {
      LookForSilence(days[n]);
    }
  }

  void Finish() {
    found_.state = !open_                      ? "fixed"
                   : accepted_                 ? "accepted"
                   : found_.periods.size() > 1 ? "came back"
                                               : "open";
    if (open_) found_.silent = silent_.size();
    found_.verbs.assign(verbs_.begin(), verbs_.end());
  }

 private:
  void See(const std::vector<Day>& days, std::size_t n, const Run& saw) {
    if (!open_) {
      open_ = true;
      last_.clear();
      doubted_.clear();
      CampaignPeriod& period = found_.periods.emplace_back();
      period.seen = MomentOf(saw);
      period.before = LastWithout(days, n, saw);
    }
    silent_.clear();
    DropContradicted(days[n]);
    accepted_ = true;
    std::set<std::pair<std::string, std::string>> cleared;
    for (const Run* run : days[n]) {
      const auto seen = run->seen.find(id_);
      if (seen == run->seen.end()) continue;
      const auto of = std::pair(run->verb, run->reference);
      if (cleared.insert(of).second) last_[of].clear();
      last_[of].push_back(run);
      if (run->verb == "check") doubted_.erase(seen->second.case_hash);
      verbs_.insert(run->verb);
      found_.times += seen->second.times;
      accepted_ = accepted_ && !seen->second.known.empty();
    }
    DoubtChecks(days[n]);
    found_.periods.back().accepted[saw.date] = accepted_;
    ++found_.days;
    found_.periods.back().last_seen = MomentOf(saw);
  }

  /// What was gone while another one saw the finding proves nothing when it is
  /// gone again.
  void DropContradicted(const Day& day) {
    for (const Run* run : day) {
      if (run->seen.contains(id_)) continue;
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
      if (run->verb != "check" || run->seen.contains(id_)) continue;
      for (const Run* saw : day) {
        const auto seen = saw->seen.find(id_);
        if (seen != saw->seen.end() && Proves(*run, *saw)) {
          doubted_.insert(seen->second.case_hash);
        }
      }
    }
  }

  bool IsDoubted(const Run& run, const Run& last) const {
    return run.verb == "check" &&
           doubted_.contains(last.seen.at(id_).case_hash);
  }

  /// Whether a run looked for what these, of one verb and day, saw: of a
  /// check one of their cases is enough, others look as far as all of them.
  bool LookedFor(const Run& run, const std::vector<const Run*>& all) const {
    const auto one = [&](const Run* last) {
      return Proves(run, *last) && !IsDoubted(run, *last);
    };
    return run.verb == "check" ? std::ranges::any_of(all, one)
                               : !all.empty() && std::ranges::all_of(all, one);
  }

  void LookForSilence(const Day& day) {
    const Run* silent = nullptr;
    for (const Run* run : day) {
      for (const auto& [of, all] : last_) {
        if (!LookedFor(*run, all)) continue;
        if (run->verb != "fuzz") return Close(MomentOf(*run), run->verb);
        silent = run;
      }
    }
    if (silent == nullptr) return;
    // Several runs of a date count once.
    if (!silent_.empty() && DayOf(silent_.back()) == DayOf(MomentOf(*silent))) {
      return;
    }
    silent_.push_back(MomentOf(*silent));
    if (silent_.size() >= silent_days_) Close(silent_.front(), "fuzz");
  }

  void Close(CampaignMoment moment, const std::string& verb) {
    found_.periods.back().fixed = std::move(moment);
    found_.periods.back().fixed_by = verb;
    open_ = false;
    silent_.clear();
  }

  /// The last before day `n` that would have seen what `saw` does.
  std::optional<CampaignMoment> LastWithout(const std::vector<Day>& days,
                                            std::size_t n,
                                            const Run& saw) const {
    while (n-- > 0) {
      const bool seen = std::ranges::any_of(
          days[n], [&](const Run* run) { return run->seen.contains(id_); });
      if (seen) return std::nullopt;
      for (const Run* run : days[n]) {
        if (Proves(*run, saw)) return MomentOf(*run);
      }
    }
    return std::nullopt;
  }

  /// Whether `run`, which does not see it, looked for what `last` saw.
  bool Proves(const Run& run, const Run& last) const {
    if (!run.Unfinished().empty() || run.joined ||
        run.reference != last.reference) {
      return false;
    }
    const Seen& seen = last.seen.at(id_);
    // A case of any verb can be checked, but not for findings of lint.
    if (run.verb == "check") {
      return !of_lint_ && run.compared.contains(seen.case_hash);
    }
    if (run.verb != last.verb) return false;
    if (!Covers(run.scope, last.scope)) return false;
    return run.verb == "mutants" ? run.compared.contains(seen.case_hash)
                                 : LookedAsMuch(run, last);
  }

  bool FailedAt(const Run& run, const std::string& instruction) const {
    const auto runs = failing_.find(instruction);
    return runs != failing_.end() && runs->second.contains(&run);
  }

  bool LookedAsMuch(const Run& run, const Run& last,
                    const std::string& instruction) const {
    if (!run.looked.contains(instruction) || FailedAt(run, instruction)) {
      return false;
    }
    const std::uint64_t left_out = CasesOf(last.left_out, instruction);
    if (run.verb != "fuzz") {
      return CasesOf(run.left_out, instruction) <= left_out;
    }
    const std::uint64_t of = CasesOf(last.looked, instruction) + left_out;
    return CasesOf(run.looked, instruction) >= of - of / 2;
  }

  bool LookedAsMuch(const Run& run, const Run& last) const {
    if (last.looked.contains(found_.instruction) ||
        isa::FindInstruction(found_.instruction) != nullptr) {
      return LookedAsMuch(run, last, found_.instruction);
    }
    // Of no instruction of its own, such as a step that sets state: whatever
    // was looked at then, by fuzz programs that ended early, too.
    std::set<std::string> at;
    for (const auto& [instruction, cases] : last.looked) at.insert(instruction);
    for (const auto& [instruction, cases] : last.left_out) {
      if (last.verb == "fuzz" && cases > 0) at.insert(instruction);
    }
    return !at.empty() &&
           std::ranges::all_of(at, [&](const std::string& instruction) {
             return LookedAsMuch(run, last, instruction);
           });
  }

  std::int64_t id_;
  std::uint64_t silent_days_;
  const Failing& failing_;
  CampaignFinding& found_;
  bool of_lint_;
  bool open_ = false;
  bool accepted_ = false;
  /// Runs of the last day with the finding, by verb and reference, since it is
  /// open.
  std::map<std::pair<std::string, std::string>, std::vector<const Run*>> last_;
  std::set<std::uint64_t> doubted_;  ///< hashes of cases
  std::set<std::string> verbs_;
  std::vector<CampaignMoment> silent_;
};

/// Calls `take(run, row)` for each row that `rows` has of a part that counts.
/// They come in the order of the runs: sums and what is replaced depend on it.
template <class Take>
void ForEachRow(const std::vector<Run>& runs, Database::Statement rows,
                const Take& take) {
  for (const Run& run : runs) {
    for (const RunPart& part : run.parts) {
      if (!part.counts) continue;
      rows.Bind(part.id);
      while (rows.Next()) take(run, rows);
    }
  }
}

void AddRates(Database& database, const std::vector<Run>& runs,
              reports::CampaignRecord& record) {
  // Date, target, instruction, build.
  std::map<std::tuple<std::string, std::string, std::string, std::string>, Rate>
      rates;
  auto find = database.Prepare(
      "SELECT instruction, build, seconds, cases, legal, findings, nodes FROM "
      "rate WHERE part = ? ORDER BY instruction, build");
  ForEachRow(runs, std::move(find), [&](const Run& run, auto& rows) {
    const std::string instruction = rows.Text();
    const std::string build = rows.Text();
    Rate& sum = rates[{run.date, run.target, instruction, build}];
    sum.seconds += rows.Real();
    sum.cases += static_cast<std::uint64_t>(rows.Integer());
    sum.legal += static_cast<std::uint64_t>(rows.Integer());
    sum.findings += static_cast<std::uint64_t>(rows.Integer());
    sum.nodes += static_cast<std::uint64_t>(rows.Integer());
  });
  for (const auto& [key, sum] : rates) {
    if (sum.seconds <= 0) continue;
    const auto& [date, target, instruction, build] = key;
    const auto a_second = [&](std::uint64_t number) {
      return static_cast<double>(number) / sum.seconds;
    };
    record.rates.push_back({.date = date,
                            .target = target,
                            .instruction = instruction,
                            .build = build,
                            .cases = a_second(sum.cases),
                            .legal = a_second(sum.legal),
                            .nodes = a_second(sum.nodes),
                            .findings = a_second(sum.findings)});
  }
}

std::set<std::string> Lines(const std::string& text) {
  std::set<std::string> lines;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    lines.insert(text.substr(from, end - from));
    from = end + 1;
  }
  return lines;
}

struct Module {
  std::uint64_t bins = 0;
  std::uint64_t never = 0;
  std::set<std::string> holes = {};

  void Add(Module more) {
    if (more.bins != bins) {
      *this = std::move(more);
      return;
    }
    std::erase_if(holes, [&](const std::string& hole) {
      return !more.holes.contains(hole);
    });
    never = std::min(never, more.never);
  }
};

void AddCoverage(Database& database, const std::vector<Run>& runs,
                 reports::CampaignRecord& record) {
  using Key = std::tuple<std::string, std::string, std::string>;
  std::map<Key, Module> dates;  // target, instruction, date
  auto find = database.Prepare(
      "SELECT instruction, bins, never, holes FROM coverage WHERE part = ?");
  ForEachRow(runs, std::move(find), [&](const Run& run, auto& rows) {
    const std::string instruction = rows.Text();
    Module slug;
    slug.bins = static_cast<std::uint64_t>(rows.Integer());
    slug.never = static_cast<std::uint64_t>(rows.Integer());
    slug.holes = Lines(rows.Text());
    const auto [place, fresh] =
        dates.try_emplace(Key{run.target, instruction, run.date}, slug);
    if (!fresh) place->second.Add(std::move(slug));
  });
  std::map<Key, std::uint64_t> cases;
  auto made =
      database.Prepare("SELECT instruction, cases FROM rate WHERE part = ?");
  ForEachRow(runs, std::move(made), [&](const Run& run, auto& rows) {
    const std::string instruction = rows.Text();
    cases[{run.target, instruction, run.date}] +=
        static_cast<std::uint64_t>(rows.Integer());
  });
  Module so_far;
  std::uint64_t tried = 0;
  const Key* before = nullptr;
  for (const auto& [key, slug] : dates) {
    const auto& [target, instruction, date] = key;
    const bool same = before != nullptr && std::get<0>(*before) == target &&
                      std::get<1>(*before) == instruction;
    if (!same) {
      so_far = slug;
      tried = 0;
    } else {
      so_far.Add(slug);
    }
    before = &key;
    tried += cases[key];
    record.coverage.push_back(
        {.date = date,
         .target = target,
         .instruction = instruction,
         .cases = tried,
         .reached = so_far.bins -
                    std::min<std::uint64_t>(so_far.bins, so_far.holes.size()),
         .bins = so_far.bins - std::min(so_far.bins, so_far.never)});
  }
}

}  // namespace

void Follow(std::int64_t id, const std::vector<Day>& days,
            const Failing& failing, std::uint64_t silent_days,
            CampaignFinding& found) {
  Follower follower(id, silent_days, failing, found);
  for (std::size_t n = 0; n < days.size(); ++n) follower.Pass(days, n);
  follower.Finish();
}

void AddFigures(Database& database, const std::vector<Run>& runs,
                reports::CampaignRecord& record) {
  AddRates(database, runs, record);
  AddCoverage(database, runs, record);
}

}  // namespace lanediff::campaign
