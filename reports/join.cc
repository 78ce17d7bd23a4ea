#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <ranges>

#include "differential/testcase/record_join.h"
#include "differential/testcase/sort_stably.h"
#include "isa/catalogue.h"
#include "reports/shard.h"

namespace lanediff::reports {
namespace {

using make::exhaust::State;

std::unexpected<std::string> NotItsOwn(const make::Shard& shard,
                                       std::uint64_t number) {
  return std::unexpected(
      fmt::format("shard {}/{}: case {} belongs to another shard", shard.index,
                  shard.count, number));
}

/// The rules in the order of the catalogue.
void Order(std::vector<SweptRule>& rules) {
  const auto catalogue = isa::Catalogue();
  std::ranges::sort(rules, {}, [&](const SweptRule& rule) {
    return std::ranges::find(catalogue, rule.id, &isa::Rule::id) -
           catalogue.begin();
  });
}

/// Bins that no part reached are those that are a hole in each.
void AddCoverage(const CoverageRecord& more, CoverageRecord& sum) {
  std::erase_if(sum.holes, [&](HoleRecord& hole) {
    const auto same = std::ranges::find(more.holes, hole.bin, &HoleRecord::bin);
    if (same == more.holes.end()) return true;
    if (hole.filler.empty()) hole.filler = same->filler;
    if (hole.reason.empty()) hole.reason = same->reason;
    return false;
  });
  sum.reached = sum.bins - sum.holes.size();
}

/// Adds the words of `text`, which has commas in between.
void AddWords(std::string_view text, std::set<std::string>& words) {
  for (const auto part : std::views::split(text, std::string_view(", "))) {
    const std::string_view word(part);
    if (!word.empty()) words.emplace(word);
  }
}

/// What no part executed was never executed.
void AddAccount(const diff::AccountRecord& more, diff::AccountRecord& sum) {
  JoinInto(more, sum);
  std::erase_if(sum.never_executed, [&](const std::string& op) {
    return std::ranges::binary_search(sum.executed, op);
  });
}

bool DidNotShowAgain(const CaseRecord& record) {
  return !record.findings.empty() &&
         record.findings.front().kind == diff::FindingKind::kNotDeterministic;
}

}  // namespace

bool RunJoin::Begin(const RunRecord& part) {
  const bool first = vectors_.empty();
  if (first) {
    run_.verb = part.verb;
    run_.target = part.target;
    run_.reference = part.reference;
    run_.about = part.about;
  }
  vectors_.insert(part.vectors);
  AddWords(part.edition, editions_);
  if (run_.account && part.account) {
    AddAccount(*part.account, *run_.account);
  } else if (part.account) {
    run_.account = part.account;
  }
  return first;
}

RunRecord RunJoin::End() {
  run_.vectors = fmt::format("{}", fmt::join(vectors_, ", "));
  run_.edition = fmt::format("{}", fmt::join(editions_, ", "));
  if (run_.account && run_.account->empty()) run_.account.reset();
  return std::move(run_);
}

Added CheckJoin::Add(RunRecord part, const make::Shard& shard) {
  Begin(part);
  shards_ = shard.count;
  for (CaseRecord& record : part.cases) {
    if (record.number % shard.count != shard.index) {
      return NotItsOwn(shard, record.number);
    }
    run_.cases.push_back(std::move(record));
  }
  return {};
}

std::expected<RunRecord, std::string> CheckJoin::Finish() {
  std::vector<CaseRecord>& cases = run_.cases;
  std::ranges::sort(cases, {}, &CaseRecord::number);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (cases[i].number != i) {
      const std::uint64_t wrong = std::min<std::uint64_t>(cases[i].number, i);
      return std::unexpected(
          fmt::format("shard {}/{}: case {} is {}", wrong % shards_, shards_,
                      wrong, cases[i].number < i ? "given twice" : "missing"));
    }
  }
  run_.SumUp();
  return End();
}

Added SweepJoin::Add(RunRecord part, const make::Shard& shard) {
  const bool first = Begin(part);
  if (part.sample) {
    if (!run_.sample) run_.sample.emplace();
    run_.sample->Add(*part.sample);
  }
  if (first) {
    sums_ = part.sweeps;
    cases_.resize(sums_.size());
  } else if (!std::ranges::equal(part.sweeps, sums_, {},
                                 &SweepRecord::instruction,
                                 &SweepRecord::instruction)) {
    return std::unexpected(
        fmt::format("shard {}/{} swept other instructions than shard 0",
                    shard.index, shard.count));
  } else {
    for (std::size_t r = 0; r < sums_.size(); ++r) {
      JoinInto(part.sweeps[r], sums_[r]);
    }
  }
  for (CaseRecord& record : part.cases) {
    const auto sum =
        std::ranges::find(sums_, record.slug, &SweepRecord::instruction);
    if (sum == sums_.end() || record.number % shard.count != shard.index) {
      return NotItsOwn(shard, record.number);
    }
    cases_[static_cast<std::size_t>(sum - sums_.begin())].push_back(
        std::move(record));
  }
  // What is not among the first of the shards so far is not among those of all.
  for (std::vector<CaseRecord>& of_sweep : cases_) {
    std::ranges::sort(of_sweep, {}, &CaseRecord::number);
    diff::LeaveKept(of_sweep, &CaseRecord::findings);
  }
  return {};
}

RunRecord SweepJoin::Finish() {
  for (std::vector<CaseRecord>& of_sweep : cases_) {
    std::ranges::move(of_sweep, std::back_inserter(run_.cases));
  }
  for (SweepRecord& sum : sums_) {
    Order(sum.rules);
    run_.AddSweep(std::move(sum));
  }
  return End();
}

void FuzzJoin::AddFound(CaseRecord&& record, ById& found) {
  const auto [place, fresh] = found.try_emplace(record.id, record);
  if (fresh) return;
  const std::uint64_t times = place->second.times + record.times;
  if (smaller_(record, place->second)) place->second = std::move(record);
  place->second.times = times;
}

void FuzzJoin::Add(RunRecord part) {
  Begin(part);
  std::ranges::move(part.fuzzers, std::back_inserter(run_.fuzzers));
  for (CaseRecord& record : part.cases) {
    AddFound(std::move(record),
             DidNotShowAgain(record) ? unconfirmed_ : found_);
  }
  if (part.target_coverage) {
    auto& sum = run_.target_coverage;
    sum = sum ? Join(*sum, *part.target_coverage) : *part.target_coverage;
  }
  for (CoverageRecord& more : part.coverage) {
    const auto [place, fresh] = coverage_.try_emplace(more.slug, more);
    if (!fresh) AddCoverage(more, place->second);
  }
}

RunRecord FuzzJoin::Finish() {
  for (auto& [id, record] : found_) run_.Add(std::move(record));
  for (auto& [id, record] : unconfirmed_) run_.Add(std::move(record));
  for (auto& [slug, sum] : coverage_) {
    run_.coverage.push_back(std::move(sum));
  }
  return End();
}

std::expected<MutantsRecord, std::string> MutantsJoin::Finish() {
  std::vector<MutantsRecord>& parts = parts_;
  MutantsRecord all = parts.front();
  all.mutants.clear();
  all.seconds = 0;
  std::size_t total = 0;
  std::set<std::string> vectors;
  std::set<std::string> editions;
  for (const MutantsRecord& part : parts) {
    vectors.insert(part.vectors);
    AddWords(part.edition, editions);
    total += part.mutants.size();
    all.seconds += part.seconds;
  }
  std::set<std::string> names;
  for (std::size_t i = 0; i < total; ++i) {
    auto& part = parts[i % parts.size()].mutants;
    if (i / parts.size() >= part.size()) {
      return std::unexpected(
          fmt::format("shard {}/{}: found {} mutants; too few of {}",
                      i % parts.size(), parts.size(), part.size(), total));
    }
    MutantRecord& mutant = part[i / parts.size()];
    if (!names.insert(mutant.name).second) {
      return std::unexpected(
          fmt::format("shard {}/{}: mutant \"{}\" is in another shard too",
                      i % parts.size(), parts.size(), mutant.name));
    }
    if (i > 0 &&
        !std::ranges::equal(mutant.checkers, all.mutants.front().checkers, {},
                            &CheckerRecord::checker, &CheckerRecord::checker)) {
      return std::unexpected(fmt::format(
          "shard {}/{}: mutant \"{}\" has other checkers than in shard 0",
          i % parts.size(), parts.size(), mutant.name));
    }
    all.mutants.push_back(std::move(mutant));
  }
  all.vectors = fmt::format("{}", fmt::join(vectors, ", "));
  all.edition = fmt::format("{}", fmt::join(editions, ", "));
  return all;
}

Added StateJoin::Add(State part, const make::Shard& shard) {
  State same = part;
  same.part.index = 0;
  same.part.count = 1;
  if (!all_) {
    all_ = same;
    all_->next = all_->points = all_->unsupported = all_->disagree = 0;
    all_->open.clear();
    all_->milliseconds = 0;
    all_->findings.clear();
  }
  std::string mismatch = make::exhaust::Mismatch(same, *all_);
  if (mismatch.empty() &&
      (part.part.index != shard.index || part.part.count != shard.count)) {
    mismatch = fmt::format("is of shard {}/{}, not {}/{}", part.part.index,
                           part.part.count, shard.index, shard.count);
  }
  if (!mismatch.empty()) {
    return std::unexpected(fmt::format("the state of shard {}/{} {}",
                                       shard.index, shard.count, mismatch));
  }
  State& all = *all_;
  all.next += part.next;
  all.points += part.points;
  all.unsupported += part.unsupported;
  all.disagree += part.disagree;
  diff::Join(part.open, all.open);
  all.milliseconds += part.milliseconds;
  // A call is in one shard, which lists its points in their order. What is
  // not among the first of the shards so far is not among those of all.
  std::ranges::move(part.findings, std::back_inserter(all.findings));
  SortStably(all.findings, &make::exhaust::SavedFinding::call);
  diff::SignatureCounts counts;
  std::erase_if(all.findings, [&](const make::exhaust::SavedFinding& one) {
    return !counts.Add(one.signature);
  });
  return {};
}

}  // namespace lanediff::reports
