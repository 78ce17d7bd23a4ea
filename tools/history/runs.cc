#include "tools/history/runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "tools/history/part.h"

namespace lanediff::campaign {
namespace {

using Place = std::pair<std::size_t, std::size_t>;  ///< run, part
using Places = std::map<std::int64_t, Place>;       ///< by a part's id

std::set<std::uint64_t> WholeShards(const Run& run) {
  std::set<std::uint64_t> whole;
  for (const RunPart& part : run.parts) {
    if (part.unfinished.empty()) whole.insert(part.shard);
  }
  return whole;
}

/// Of the tries of a shard that were not finished that which came farthest, as
/// long as none is whole.
void MarkCounting(Run& run) {
  const auto whole = WholeShards(run);
  std::map<std::uint64_t, RunPart*> farthest;  // by shard
  for (RunPart& part : run.parts) {
    part.counts = part.unfinished.empty();
    if (part.counts || whole.contains(part.shard)) continue;
    RunPart*& best = farthest[part.shard];
    if (best == nullptr || part.cases > best->cases) best = &part;
  }
  for (const auto& [shard, part] : farthest) part->counts = true;
}

/// Whether `late`, of the next day, has just the shards that `early` lacks.
bool Complements(const Run& early, const Run& late) {
  if (!early.sharded || early.identity != late.identity ||
      early.date.size() != 10 || NextDay(early.date) != late.date) {
    return false;
  }
  auto all = WholeShards(early);
  const std::size_t here = all.size();
  const auto there = WholeShards(late);
  all.insert(there.begin(), there.end());
  return here > 0 && here < early.shards && there.size() < late.shards &&
         here + there.size() == all.size() && all.size() == early.shards;
}

void JoinDays(std::vector<Run>& runs) {
  for (std::size_t i = 0; i < runs.size(); ++i) {
    for (std::size_t j = i + 1; j < runs.size(); ++j) {
      if (!Complements(runs[i], runs[j])) continue;
      std::ranges::move(runs[j].parts, std::back_inserter(runs[i].parts));
      runs[i].joined = true;
      runs.erase(runs.begin() + static_cast<std::ptrdiff_t>(j));
      break;
    }
  }
}

std::string DayOf(const std::string& date) { return date.substr(0, 10); }

/// Where some shards of the day before or after are missing, those of this day
/// may be of two runs, although all are there.
void DoubtNeighbours(std::vector<Run>& runs) {
  for (Run& run : runs) {
    if (!run.sharded || run.date.size() != 10) continue;
    run.joined = run.joined || std::ranges::any_of(runs, [&](const Run& one) {
                   return one.identity == run.identity &&
                          one.There() < one.shards &&
                          (NextDay(DayOf(one.date)) == run.date ||
                           NextDay(run.date) == DayOf(one.date));
                 });
  }
}

std::vector<Run> ReadRuns(Database& database) {
  std::vector<Run> runs;
  std::map<std::int64_t, std::size_t> by_id;
  auto rows = database.Prepare(
      "SELECT run.id, identity, date, verb, target.name, reference, "
      "version.name, "
      "commit_name, label, scope, shards, sharded FROM run JOIN target ON "
      "target.id = run.target LEFT JOIN version ON version.id = run.version "
      "ORDER BY date, verb, target.name, identity");
  while (rows.Next()) {
    by_id[rows.Integer()] = runs.size();
    Run& run = runs.emplace_back();
    run.identity = rows.Text();
    run.date = rows.Text();
    run.verb = rows.Text();
    run.target = rows.Text();
    run.reference = rows.Text();
    run.version = rows.Text();
    run.commit = rows.Text();
    run.label = rows.Text();
    run.scope = ScopeIn(rows.Text());
    run.shards = static_cast<std::uint64_t>(rows.Integer());
    run.sharded = rows.Integer() == 1;
  }
  auto parts = database.Prepare(
      "SELECT run, id, shard, unfinished, cases, steps, compared_bytes, nodes, "
      "seconds FROM part ORDER BY run, shard, digest");
  while (parts.Next()) {
    Run& run = runs[by_id.at(parts.Integer())];
    RunPart& part = run.parts.emplace_back();
    const auto number = [&] {
      return static_cast<std::uint64_t>(parts.Integer());
    };
    part.id = parts.Integer();
    part.shard = number();
    part.unfinished = parts.Text();
    part.cases = number();
    part.steps = number();
    part.compared_bytes = number();
    part.nodes = number();
    part.seconds = parts.Real();
  }
  return runs;
}

void ReadLooked(Database& database, const Places& places,
                std::vector<Run>& runs) {
  auto rows =
      database.Prepare("SELECT part, instruction, cases, left_out FROM looked");
  while (rows.Next()) {
    const auto place = places.find(rows.Integer());
    if (place == places.end()) continue;
    Run& run = runs[place->second.first];
    if (!run.parts[place->second.second].counts) continue;
    const std::string instruction = rows.Text();
    const auto cases = static_cast<std::uint64_t>(rows.Integer());
    const auto left_out = static_cast<std::uint64_t>(rows.Integer());
    if (cases > 0 || left_out == 0) run.looked[instruction] += cases;
    run.left_out[instruction] += left_out;
  }
}

std::set<std::uint64_t> ReadSeen(Database& database, const Places& places,
                                 std::vector<Run>& runs) {
  std::set<std::uint64_t> shown;
  auto rows = database.Prepare(
      "SELECT part, finding, times, known, case_name, steps, nodes FROM "
      "sighting");
  while (rows.Next()) {
    const auto place = places.find(rows.Integer());
    if (place == places.end()) continue;
    Run& run = runs[place->second.first];
    const bool counts = run.parts[place->second.second].counts;
    const std::int64_t finding = rows.Integer();
    Seen more;
    more.times = static_cast<std::uint64_t>(rows.Integer());
    more.known = rows.Text();
    more.case_hash = CaseHash(rows.Text());
    more.steps = static_cast<std::uint64_t>(rows.Integer());
    more.nodes = static_cast<std::uint64_t>(rows.Integer());
    more.place = place->second.second;
    shown.insert(more.case_hash);
    if (!counts) more.times = 0;
    const auto [seen, fresh] = run.seen.try_emplace(finding, more);
    if (fresh) continue;
    Seen& sum = seen->second;
    const std::uint64_t times = sum.times + more.times;
    // What one part of a run takes for known, all of it does.
    const std::string known = sum.known.empty() || more.known.empty()
                                  ? sum.known + more.known
                                  : std::min(sum.known, more.known);
    if (std::tie(more.steps, more.nodes, more.case_hash, more.place) <
        std::tie(sum.steps, sum.nodes, sum.case_hash, sum.place)) {
      sum = more;
    }
    sum.times = times;
    sum.known = known;
  }
  return shown;
}

void ReadCompared(Database& database, const Places& places,
                  const std::set<std::uint64_t>& shown,
                  std::vector<Run>& runs) {
  auto rows = database.Prepare(
      "SELECT id, case_hashes FROM part WHERE length(case_hashes) > 0");
  while (rows.Next()) {
    const auto place = places.find(rows.Integer());
    if (place == places.end()) continue;
    const std::string bytes = rows.Text();
    for (std::size_t at = 0; at + 8 <= bytes.size(); at += 8) {
      std::uint64_t hash = 0;
      for (int i = 7; i >= 0; --i) {
        hash = hash << 8 | static_cast<std::uint8_t>(
                               bytes[at + static_cast<std::size_t>(i)]);
      }
      if (shown.contains(hash)) runs[place->second.first].compared.insert(hash);
    }
  }
}

bool Differ(const std::string& a, const std::string& b) {
  return !a.empty() && !b.empty() && a != b;
}

/// Whether both saw the same. A merged run of exhaust has saved fewer cases
/// than its shards.
bool SawTheSame(const Run& a, const Run& b) {
  return std::ranges::equal(
      a.seen, b.seen, [&](const auto& one, const auto& other) {
        return one.first == other.first &&
               (a.verb == "exhaust" || one.second.times == other.second.times);
      });
}

auto Figures(const Run& run) {
  return std::tuple(run.verb, run.target, run.Sum(&RunPart::cases),
                    run.Sum(&RunPart::steps), run.Sum(&RunPart::compared_bytes),
                    run.Sum(&RunPart::nodes));
}

/// Whether `merged` may be the report of the shards of `run`, but for the date.
bool IsMerged(const Run& merged, const Run& run) {
  return !merged.sharded && run.sharded && merged.Unfinished().empty() &&
         run.Unfinished().empty() && Figures(merged) == Figures(run) &&
         merged.looked == run.looked && merged.scope == run.scope &&
         merged.reference == run.reference && SawTheSame(merged, run) &&
         !Differ(merged.commit, run.commit) &&
         !Differ(merged.version, run.version);
}

/// Whether what ended on `ended` may have begun when `merged` did: on that day,
/// or, in the second half of it, the day before.
bool MayHaveEnded(const Run& merged, const std::string& ended) {
  const std::string day = DayOf(merged.date);
  return day == DayOf(ended) ||
         (merged.date.size() > 10 && merged.date.substr(11, 2) >= "12" &&
          NextDay(day) == DayOf(ended));
}

/// Drops the shards of runs whose merged report is there, too: of each
/// report, by date, those of the first run that no report before it took.
void DropMerged(std::vector<Run>& runs) {
  std::set<const Run*> dropped;
  for (const Run& merged : runs) {
    const auto run = std::ranges::find_if(runs, [&](const Run& one) {
      return !dropped.contains(&one) && IsMerged(merged, one) &&
             MayHaveEnded(merged, one.date);
    });
    if (run != runs.end()) dropped.insert(&*run);
  }
  std::vector<Run> left;
  for (Run& run : runs) {
    if (!dropped.contains(&run)) left.push_back(std::move(run));
  }
  runs = std::move(left);
}

}  // namespace

std::uint64_t Run::There() const { return WholeShards(*this).size(); }

std::string Run::Unfinished() const {
  if (There() == shards) return "";
  for (const RunPart& part : parts) {
    if (part.counts && !part.unfinished.empty() && !sharded) {
      return part.unfinished;
    }
  }
  std::map<std::uint64_t, bool> all;
  for (const RunPart& part : parts) {
    all[part.shard] = all[part.shard] || part.unfinished.empty();
  }
  return ShardsText(all, shards);
}

std::string ShardsText(const std::map<std::uint64_t, bool>& there,
                       std::uint64_t count) {
  constexpr std::size_t kMostListed = 8;
  const auto list = [&](const char* word, const auto& belongs) {
    std::string text;
    std::size_t listed = 0;
    for (std::uint64_t i = 0; i < count && listed <= kMostListed; ++i) {
      if (!belongs(there.find(i))) continue;
      text += listed == 0 ? fmt::format("; {}: ", word) : ", ";
      text += listed++ < kMostListed ? fmt::format("{}/{}", i, count) : "...";
    }
    return text;
  };
  const auto whole = static_cast<std::uint64_t>(
      std::ranges::count_if(there, [](const auto& one) { return one.second; }));
  if (whole == count) return "";
  return fmt::format(
      "{} of {} shards{}{}", whole, count,
      list("missing", [&](auto one) { return one == there.end(); }),
      list("not whole",
           [&](auto one) { return one != there.end() && !one->second; }));
}

std::vector<Run> LoadRuns(Database& database) {
  std::vector<Run> runs = ReadRuns(database);
  JoinDays(runs);
  DoubtNeighbours(runs);
  for (Run& run : runs) MarkCounting(run);
  Places places;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    for (std::size_t p = 0; p < runs[r].parts.size(); ++p) {
      places[runs[r].parts[p].id] = {r, p};
    }
  }
  ReadLooked(database, places, runs);
  const auto shown = ReadSeen(database, places, runs);
  ReadCompared(database, places, shown, runs);
  DropMerged(runs);
  return runs;
}

}  // namespace lanediff::campaign
