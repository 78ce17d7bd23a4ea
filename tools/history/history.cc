#include "tools/history/history.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <tuple>

#include "differential/compare/signature.h"
#include "differential/testcase/record_json.h"
#include "isa/vocabulary.h"
#include "tools/history/timeline.h"

namespace lanediff::campaign {
namespace {

using reports::CampaignDay;
using reports::CampaignFinding;
using reports::CampaignRecord;

/// Rows as a document of their own.
template <class T>
struct Rows {
  std::vector<T> rows;

  static void Fields(auto& r, auto& v) { v.Required("rows", r.rows); }
};

/// The rows that `sql` makes, each a record as JSON.
template <class T>
std::vector<T> ReadRows(Database& database, std::string_view sql) {
  auto read = ReadDocument<Rows<T>>(database.Get(fmt::format(
      "SELECT json_object('rows', json_group_array(json(row))) FROM ({})",
      sql)));
  if (!read) {
    throw DatabaseError("campaign: is damaged: " + LineOf(read.error()));
  }
  return std::move(read->rows);
}

/// By date, then by what they are: never by the order of adding.
constexpr std::string_view kRuns = R"(
SELECT json_object('date', date, 'verb', verb, 'target', target,
  'commit', commit_name, 'label', label, 'unfinished', unfinished,
  'cases', cases, 'nodes', nodes, 'seconds', seconds, 'reference', reference,
  'scope', json_object('sample', sample,
    'legalOnly', json(iif(legal_only, 'true', 'false')), 'edition', edition,
    'only', json(only_these)),
  'seen', json((SELECT json_group_array(json_object('signature', signature,
      'times', times, 'known', json(iif(known = '', 'false', 'true')),
      'case', case_name))
    FROM (SELECT * FROM finding WHERE run = run.id ORDER BY signature))),
  'compared', json((SELECT json_group_array(
      json_set(numbers, '$.instruction', instruction))
    FROM (SELECT * FROM figure WHERE run = run.id AND kind = 'compared'
      ORDER BY instruction))),
  'caseHashes', case_hashes) AS row
FROM run ORDER BY date, verb, target, digest)";

/// Days without a run that was due: the most frequent distance of two days is
/// the period; fewer than four days show none.
constexpr std::string_view kMissingDays = R"(
WITH RECURSIVE
met AS (SELECT DISTINCT date(date) AS day FROM run),
gap AS (SELECT day, CAST(julianday(lead(day) OVER (ORDER BY day)) -
    julianday(day) AS INTEGER) AS days FROM met),
period AS (SELECT days AS step FROM gap WHERE days NOTNULL
  GROUP BY days ORDER BY count(*) DESC, days LIMIT 1),
missing AS (
  SELECT date(day, step || ' days') AS day, days - step AS days, step
  FROM gap, period WHERE (SELECT count(*) FROM met) >= 4
  UNION ALL
  SELECT date(day, step || ' days'), days - step, step FROM missing
  WHERE days > step)
SELECT json_object('date', day) AS row FROM missing WHERE days > 0 ORDER BY day
)";

/// How quick fuzz programs were. Sums of microseconds depend on no order.
constexpr const char* kPace = R"(
CREATE TEMP VIEW pace AS
SELECT date, target, instruction, build,
  sum(numbers ->> 'microseconds') / 1e6 AS seconds,
  sum(numbers ->> 'cases') AS cases, sum(numbers ->> 'legal') AS legal,
  sum(numbers ->> 'nodes') AS nodes, sum(numbers ->> 'findings') AS findings
FROM figure JOIN run ON run.id = run WHERE kind = 'rate'
GROUP BY date, target, instruction, build
)";
constexpr std::string_view kRates = R"(
SELECT json_object('date', date, 'target', target, 'instruction', instruction,
  'build', build, 'casesPerSecond', cases / seconds,
  'legalPerSecond', legal / seconds, 'nodesPerSecond', nodes / seconds,
  'findingsPerSecond', findings / seconds) AS row
FROM pace WHERE seconds > 0 ORDER BY date, target, instruction, build)";

/// Functional coverage after all documents of a date. Bins once reached stay so
/// while the instruction has as many of them; where it has others, a new era of
/// counting bins begins, and that of cases goes on. A hole of a document is
/// still one if it is one of all documents of the era so far.
constexpr std::string_view kCoverage = R"(
WITH met AS (
  SELECT date, target, instruction, numbers ->> 'bins' AS bins,
    numbers ->> 'never' AS never, numbers -> 'holes' AS holes,
    row_number() OVER (PARTITION BY target, instruction
      ORDER BY date, digest) AS place
  FROM figure JOIN run ON run.id = run WHERE kind = 'coverage'),
changed AS (
  SELECT *, bins IS NOT lag(bins) OVER (PARTITION BY target, instruction
    ORDER BY place) AS begins FROM met),
counted AS (
  SELECT *, sum(begins) OVER (PARTITION BY target, instruction
    ORDER BY place) AS era FROM changed),
placed AS (
  SELECT *, row_number() OVER same AS number, min(never) OVER same AS closed,
    max(place) OVER (PARTITION BY target, instruction, date) = place AS last
  FROM counted WINDOW same AS (PARTITION BY target, instruction, era
    ORDER BY place)),
hole AS (
  SELECT target, instruction, place, number, row_number() OVER (
    PARTITION BY target, instruction, era, value ORDER BY place) AS times
  FROM placed, json_each(holes)),
open AS (
  SELECT target, instruction, place, count(*) AS holes FROM hole
  WHERE times = number GROUP BY target, instruction, place),
made AS (
  SELECT date, target, instruction, sum(cases) AS cases FROM pace
  GROUP BY date, target, instruction)
SELECT json_object('date', placed.date, 'target', placed.target,
  'instruction', placed.instruction, 'cases', sum(coalesce(cases, 0)) OVER (
    PARTITION BY placed.target, placed.instruction ORDER BY placed.date),
  'reached', bins - min(bins, coalesce(open.holes, 0)),
  'bins', bins - min(bins, closed)) AS row
FROM placed LEFT JOIN open USING (target, instruction, place)
LEFT JOIN made USING (date, target, instruction)
WHERE last ORDER BY placed.target, placed.instruction, placed.date
)";

/// The smallest case of the date on which it was seen last; a kept case comes
/// before others.
constexpr std::string_view kShownCase = R"(
SELECT message, reference, case_name, reproduce, known
FROM finding JOIN run ON run.id = run
WHERE signature = ?1 AND target = ?2 AND date = ?3
ORDER BY stored_case IS NULL, steps, finding.nodes, case_name, message,
  reproduce LIMIT 1)";

std::vector<Run> LoadRuns(Database& database) {
  std::vector<Run> runs = ReadRows<Run>(database, kRuns);
  std::map<std::string, std::string> names;  // by hash
  for (Run& run : runs) {
    run.shown.edition = run.scope.edition.empty()
                            ? std::string(isa::Name(isa::kNewestEdition))
                            : run.scope.edition;
    run.shown.findings = run.seen.size();
    for (const Seen& seen : run.seen) {
      names.emplace(CaseHash(seen.case_name), seen.case_name);
      const auto kind = diff::KindIn(seen.signature);
      if (kind && diff::IsFailure(*kind)) {
        run.failed.insert(InstructionIn(seen.signature));
      }
    }
  }
  constexpr std::size_t kDigits = 16;
  for (Run& run : runs) {
    for (std::size_t at = 0; at < run.case_hashes.size(); at += kDigits) {
      const auto name = names.find(run.case_hashes.substr(at, kDigits));
      if (name != names.end()) run.case_names.insert(name->second);
    }
    run.case_hashes.clear();
  }
  return runs;
}

std::size_t RankIn(const auto& words, const std::string& word) {
  return static_cast<std::size_t>(std::ranges::find(words, word) -
                                  words.begin());
}

void Count(const CampaignFinding& found, std::vector<CampaignDay>& days) {
  const std::size_t kind = RankIn(reports::kCampaignClasses, found.badness);
  const auto on = [&](const std::string& date) -> CampaignDay& {
    return *std::ranges::find(days, date, &CampaignDay::date);
  };
  for (std::size_t p = 0; p < found.periods.size(); ++p) {
    const auto& period = found.periods[p];
    (p == 0 ? on(period.seen.date).fresh : on(period.seen.date).came_back)
        .push_back(found.signature);
    if (period.fixed) on(period.fixed->date).fixed.push_back(found.signature);
    for (CampaignDay& day : days) {
      if (day.date < period.seen.date ||
          (period.fixed && day.date >= period.fixed->date)) {
        continue;
      }
      const auto since = period.accepted.upper_bound(day.date);
      if (std::prev(since)->second) {
        ++day.accepted;
      } else {
        ++day.open[kind];
      }
    }
  }
}

void AddRuns(const std::vector<Run>& runs, CampaignRecord& record) {
  for (const Run& run : runs) {
    const reports::CampaignRun& shown = run.shown;
    if (record.days.empty() || record.days.back().date != shown.date) {
      CampaignDay& day = record.days.emplace_back();
      day.date = shown.date;
      day.open.resize(reports::kCampaignClasses.size());
    }
    ++record.days.back().runs;
    record.days.back().incomplete += shown.unfinished.empty() ? 0 : 1;
    record.runs.push_back(shown);
  }
}

void ShowCase(Database& database, CampaignFinding& found) {
  const auto shown = database.Row(
      kShownCase,
      {found.signature, found.target, found.periods.back().last_seen.date});
  if (shown.empty()) return;  // which `CheckWhole` finds
  found.message = shown.at(0);
  found.reference = shown.at(1);
  found.case_name = shown.at(2);
  found.reproduce = shown.at(3);
  if (found.state == "accepted") found.accepted = shown.at(4);
}

void AddFindings(Database& database, const std::vector<Run>& runs,
                 CampaignRecord& record) {
  std::map<std::string, std::vector<Day>> days;  // by target
  std::set<std::pair<std::string, std::string>> seen;
  for (const Run& run : runs) {
    auto& of_target = days[run.shown.target];
    if (of_target.empty() ||
        of_target.back().front()->shown.date != run.shown.date) {
      of_target.emplace_back();
    }
    of_target.back().push_back(&run);
    for (const Seen& one : run.seen) {
      seen.emplace(run.shown.target, one.signature);
    }
  }
  for (const auto& [target, signature] : seen) {
    CampaignFinding found{.target = target,
                          .signature = signature,
                          .instruction = InstructionIn(signature),
                          .badness = reports::ClassOf(signature)};
    Follow(days.at(target), record.silent_days, found);
    ShowCase(database, found);
    Count(found, record.days);
    record.findings.push_back(std::move(found));
  }
}

void AddFigures(Database& database, CampaignRecord& record) {
  for (const auto& day :
       ReadRows<reports::CampaignMoment>(database, kMissingDays)) {
    record.missing.push_back(day.date);
  }
  database.Execute(kPace);
  record.rates = ReadRows<reports::CampaignRate>(database, kRates);
  record.coverage = ReadRows<reports::CampaignCoverage>(database, kCoverage);
}

}  // namespace

CampaignRecord ReadHistory(Database& database, const HistoryOptions& options) {
  const Database::Transaction snapshot(database, Database::For::kReading);
  const std::vector<Run> runs = LoadRuns(database);
  CampaignRecord record;
  record.silent_days = options.silent_days;
  AddRuns(runs, record);
  AddFindings(database, runs, record);
  std::ranges::sort(record.findings, {}, [](const CampaignFinding& found) {
    return std::tuple(RankIn(reports::kCampaignStates, found.state),
                      RankIn(reports::kCampaignClasses, found.badness),
                      found.signature, found.target);
  });
  AddFigures(database, record);
  database.CheckWhole();
  return record;
}

std::string KeptCase(Database& database, const CampaignFinding& found) {
  return database.Get(
      "SELECT text FROM finding JOIN stored_case ON stored_case.id = "
      "stored_case JOIN run ON run.id = run WHERE target = ?1 AND signature = "
      "?2 AND case_name = ?3 AND message = ?4 ORDER BY stored_case.digest "
      "LIMIT 1",
      {found.target, found.signature, found.case_name, found.message});
}

}  // namespace lanediff::campaign
