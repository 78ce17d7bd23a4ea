#include "reports/join.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

#include "case/record_sum.h"
#include "isa/catalogue.h"

namespace lanediff::reports {
namespace {

using make::exhaust::State;

/// A run of the same verb, target and reference, with nothing in it.
RunRecord Blank(const std::vector<RunRecord>& parts) {
  RunRecord run;
  run.verb = parts.front().verb;
  run.target = parts.front().target;
  run.reference = parts.front().reference;
  run.about = parts.front().about;
  std::set<std::string> vectors;
  for (const RunRecord& part : parts) vectors.insert(part.vectors);
  run.vectors = fmt::format("{}", fmt::join(vectors, ", "));
  return run;
}

std::unexpected<std::string> NotItsOwn(std::size_t part, std::size_t parts,
                                       std::uint64_t number) {
  return std::unexpected(
      fmt::format("shard {}/{} tells of case {}, which is not its own", part,
                  parts, number));
}

/// Adds `more` to `sum`; both are of one room.
void AddSweep(const SweepRecord& more, SweepRecord& sum) {
  AddNumbers(more, sum);
  for (const SweptRule& rule : more.rules) {
    auto place = std::ranges::find(sum.rules, rule.id, &SweptRule::id);
    if (place == sum.rules.end()) {
      sum.rules.push_back({.id = rule.id});
      place = std::prev(sum.rules.end());
    }
    AddNumbers(rule, *place);
  }
  diff::SignatureCounts counts;
  counts.Add(sum.signatures);
  counts.Add(more.signatures);
  sum.signatures = counts.Record();
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

void AddFound(CaseRecord&& record, std::map<std::string, CaseRecord>& found,
              const IsSmallerCase& smaller) {
  const auto [place, fresh] = found.try_emplace(record.id, record);
  if (fresh) return;
  const std::uint64_t times = place->second.times + record.times;
  if (smaller(record, place->second)) {
    place->second = std::move(record);
  }
  place->second.times = times;
}

bool DidNotShowAgain(const CaseRecord& record) {
  return !record.findings.empty() &&
         record.findings.front().kind == diff::FindingKind::kNotDeterministic;
}

}  // namespace

std::expected<RunRecord, std::string> JoinChecks(std::vector<RunRecord> parts) {
  RunRecord run = Blank(parts);
  std::vector<CaseRecord> cases;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    for (CaseRecord& record : parts[p].cases) {
      if (record.number % parts.size() != p) {
        return NotItsOwn(p, parts.size(), record.number);
      }
      cases.push_back(std::move(record));
    }
  }
  std::ranges::sort(cases, {}, &CaseRecord::number);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (cases[i].number != i) {
      const std::uint64_t wrong = std::min<std::uint64_t>(cases[i].number, i);
      return std::unexpected(fmt::format(
          "shard {}/{} tells of case {} {}", wrong % parts.size(), parts.size(),
          wrong, cases[i].number < i ? "twice" : "nothing"));
    }
    run.Add(std::move(cases[i]));
  }
  return run;
}

std::expected<RunRecord, std::string> JoinSweeps(std::vector<RunRecord> parts) {
  RunRecord run = Blank(parts);
  std::vector<SweepRecord> sums = parts.front().sweeps;
  for (const RunRecord& part : parts) {
    if (!part.sample) continue;
    if (!run.sample) run.sample.emplace();
    run.sample->Add(*part.sample);
  }
  std::map<std::string, std::size_t> rooms;
  for (std::size_t r = 0; r < sums.size(); ++r) rooms[sums[r].instruction] = r;
  std::vector<std::vector<CaseRecord>> cases(sums.size());
  for (std::size_t p = 0; p < parts.size(); ++p) {
    for (std::size_t r = 0; r < sums.size(); ++r) {
      if (parts[p].sweeps.size() != sums.size() ||
          parts[p].sweeps[r].instruction != sums[r].instruction) {
        return std::unexpected(
            fmt::format("shard {}/{} swept other instructions than shard 0", p,
                        parts.size()));
      }
      if (p > 0) AddSweep(parts[p].sweeps[r], sums[r]);
    }
    for (CaseRecord& record : parts[p].cases) {
      const auto room = rooms.find(record.room);
      if (room == rooms.end() || record.number % parts.size() != p) {
        return NotItsOwn(p, parts.size(), record.number);
      }
      cases[room->second].push_back(std::move(record));
    }
  }
  for (std::vector<CaseRecord>& of_room : cases) {
    std::ranges::sort(of_room, {}, &CaseRecord::number);
    diff::LeaveKept(of_room, &CaseRecord::findings);
    std::ranges::move(of_room, std::back_inserter(run.cases));
  }
  for (SweepRecord& sum : sums) {
    Order(sum.rules);
    run.AddSweep(std::move(sum));
  }
  return run;
}

RunRecord JoinFuzzing(std::vector<RunRecord> parts,
                      const IsSmallerCase& smaller) {
  RunRecord run = Blank(parts);
  std::map<std::string, CaseRecord> found;
  std::map<std::string, CaseRecord> unconfirmed;
  std::map<std::string, CoverageRecord> coverage;
  for (RunRecord& part : parts) {
    std::ranges::move(part.fuzzers, std::back_inserter(run.fuzzers));
    for (CaseRecord& record : part.cases) {
      AddFound(std::move(record), DidNotShowAgain(record) ? unconfirmed : found,
               smaller);
    }
    if (part.target_coverage) {
      auto& sum = run.target_coverage;
      sum = sum ? Join(*sum, *part.target_coverage) : *part.target_coverage;
    }
    for (CoverageRecord& room : part.coverage) {
      const auto [place, fresh] = coverage.try_emplace(room.room, room);
      if (!fresh) AddCoverage(room, place->second);
    }
  }
  for (auto& [id, record] : found) run.Add(std::move(record));
  for (auto& [id, record] : unconfirmed) run.Add(std::move(record));
  for (auto& [name, room] : coverage) run.coverage.push_back(std::move(room));
  return run;
}

std::expected<MutantsRecord, std::string> JoinMutants(
    std::vector<MutantsRecord> parts) {
  MutantsRecord all = parts.front();
  all.mutants.clear();
  all.seconds = 0;
  std::size_t total = 0;
  std::set<std::string> vectors;
  for (const MutantsRecord& part : parts) {
    vectors.insert(part.vectors);
    total += part.mutants.size();
    all.seconds += part.seconds;
  }
  std::set<std::string> names;
  for (std::size_t i = 0; i < total; ++i) {
    auto& part = parts[i % parts.size()].mutants;
    if (i / parts.size() >= part.size()) {
      return std::unexpected(
          fmt::format("shard {}/{} tells of {} mutants, too few among {}",
                      i % parts.size(), parts.size(), part.size(), total));
    }
    MutantRecord& mutant = part[i / parts.size()];
    if (!names.insert(mutant.name).second) {
      return std::unexpected(
          fmt::format("shard {}/{} tells of mutant \"{}\", another one too",
                      i % parts.size(), parts.size(), mutant.name));
    }
    if (i > 0 &&
        !std::ranges::equal(mutant.checkers, all.mutants.front().checkers, {},
                            &CheckerRecord::checker, &CheckerRecord::checker)) {
      return std::unexpected(fmt::format(
          "shard {}/{} tells of other checkers of mutant \"{}\" than shard 0",
          i % parts.size(), parts.size(), mutant.name));
    }
    all.mutants.push_back(std::move(mutant));
  }
  all.vectors = fmt::format("{}", fmt::join(vectors, ", "));
  return all;
}

std::expected<State, std::string> JoinStates(std::vector<State> parts) {
  State all = parts.front();
  all.part.index = 0;
  all.part.count = 1;
  all.next = all.points = all.unsupported = all.disagree = 0;
  all.milliseconds = 0;
  all.findings.clear();
  for (std::size_t p = 0; p < parts.size(); ++p) {
    State& part = parts[p];
    State same = part;
    same.part.index = 0;
    same.part.count = 1;
    std::string mismatch = make::exhaust::Mismatch(same, all);
    if (mismatch.empty() &&
        (part.part.index != p || part.part.count != parts.size())) {
      mismatch = fmt::format("is of shard {}/{}, not {}/{}", part.part.index,
                             part.part.count, p, parts.size());
    }
    if (!mismatch.empty()) {
      return std::unexpected(fmt::format("the state of shard {}/{} {}", p,
                                         parts.size(), mismatch));
    }
    all.next += part.next;
    all.points += part.points;
    all.unsupported += part.unsupported;
    all.disagree += part.disagree;
    all.milliseconds += part.milliseconds;
    std::ranges::move(part.findings, std::back_inserter(all.findings));
  }
  // A call is in one shard, which tells of its points in their order.
  std::multimap<std::uint64_t, make::exhaust::SavedFinding> calls;
  for (auto& one : all.findings) calls.emplace(one.call, std::move(one));
  all.findings.clear();
  diff::SignatureCounts counts;
  for (auto& [call, one] : calls) {
    if (counts.Add(one.signature)) all.findings.push_back(std::move(one));
  }
  return all;
}

}  // namespace lanediff::reports
