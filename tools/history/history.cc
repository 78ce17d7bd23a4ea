#include "tools/history/history.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>

#include "tools/history/runs.h"
#include "tools/history/timeline.h"

namespace lanediff::campaign {
namespace {

using reports::CampaignDay;
using reports::CampaignFinding;
using reports::CampaignRecord;

/// Days without a run that was due: the most frequent distance of two days is
/// the period; fewer than four days show none.
constexpr const char* kMissingDays = R"(
WITH RECURSIVE
met AS (SELECT DISTINCT date(date) AS day FROM whole),
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
SELECT day FROM missing WHERE days > 0 ORDER BY day
)";

/// How quick fuzz programs were. Sums of microseconds depend on no order.
constexpr const char* kPace = R"(
CREATE TEMP TABLE pace AS
SELECT whole.date AS date, whole.target AS target, instruction, build,
  sum(numbers ->> 'microseconds') / 1e6 AS seconds,
  sum(numbers ->> 'cases') AS cases, sum(numbers ->> 'legal') AS legal,
  sum(numbers ->> 'nodes') AS nodes, sum(numbers ->> 'findings') AS findings
FROM figure JOIN part ON part.id = figure.run JOIN whole ON whole.id = part.run
WHERE kind = 'rate' AND counts
GROUP BY whole.date, whole.target, instruction, build
)";

/// Functional coverage after all documents of a date. Bins once reached stay so
/// while the instruction has as many of them; where it has others, a new era of
/// counting bins begins, and that of cases goes on. A hole of a document is
/// still one if it is one of all documents of the era so far.
constexpr const char* kCoverage = R"(
WITH met AS (
  SELECT whole.date AS date, whole.target AS target, instruction,
    numbers ->> 'bins' AS bins, numbers ->> 'never' AS never,
    numbers -> 'holes' AS holes,
    row_number() OVER (PARTITION BY whole.target, instruction
      ORDER BY part.run, shard, digest) AS place
  FROM figure JOIN part ON part.id = figure.run
  JOIN run ON run.id = part.id JOIN whole ON whole.id = part.run
  WHERE kind = 'coverage' AND counts),
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
SELECT placed.date, placed.target, placed.instruction,
  sum(coalesce(cases, 0)) OVER (PARTITION BY placed.target, placed.instruction
    ORDER BY placed.date),
  bins - min(bins, coalesce(open.holes, 0)), bins - min(bins, closed)
FROM placed LEFT JOIN open USING (target, instruction, place)
LEFT JOIN made USING (date, target, instruction)
WHERE last ORDER BY placed.target, placed.instruction, placed.date
)";

void Count(const CampaignFinding& found, std::vector<CampaignDay>& days) {
  const auto kind = static_cast<std::size_t>(
      std::ranges::find(reports::kCampaignClasses, found.badness) -
      reports::kCampaignClasses.begin());
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

/// The smallest case of the day on which it was seen last; a kept case comes
/// before others.
void ShowCase(Database& database, CampaignFinding& found) {
  Query(database,
        "SELECT message, reference, case_name, reproduce, known FROM seen JOIN "
        "whole ON whole.id = seen.run WHERE signature = ? AND target = ? AND "
        "date = ? ORDER BY stored_case IS NULL, seen.steps, seen.nodes, "
        "case_name, message, reproduce",
        found.signature, found.target, found.periods.back().last_seen.date)
      .Next(found.message, found.reference, found.case_name, found.reproduce,
            found.accepted);
  if (found.state != "accepted") found.accepted.clear();
}

void AddFindings(Database& database, const std::vector<Run>& runs,
                 CampaignRecord& record) {
  std::map<std::string, std::vector<Day>> days;  // by target
  for (const Run& run : runs) {
    auto& of_target = days[run.shown.target];
    if (of_target.empty() ||
        of_target.back().front()->shown.date != run.shown.date) {
      of_target.emplace_back();
    }
    of_target.back().push_back(&run);
  }
  Query rows(database,
             "SELECT DISTINCT target, signature FROM seen JOIN whole ON "
             "whole.id = seen.run ORDER BY target, signature");
  for (std::string target, signature; rows.Next(target, signature);) {
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
  Query missing(database, kMissingDays);
  for (std::string day; missing.Next(day);) record.missing.push_back(day);
  database.Execute(kPace);
  reports::CampaignRate rate;
  Query rates(database,
              "SELECT date, target, instruction, build, cases / seconds, legal "
              "/ seconds, nodes / seconds, findings / seconds FROM pace WHERE "
              "seconds > 0 ORDER BY date, target, instruction, build");
  while (rates.Next(rate.date, rate.target, rate.instruction, rate.build,
                    rate.cases, rate.legal, rate.nodes, rate.findings)) {
    record.rates.push_back(rate);
  }
  reports::CampaignCoverage one;
  Query coverage(database, kCoverage);
  while (coverage.Next(one.date, one.target, one.instruction, one.cases,
                       one.reached, one.bins)) {
    record.coverage.push_back(one);
  }
}

void Sort(std::vector<CampaignFinding>& findings) {
  const auto rank = [](const CampaignFinding& found) {
    const auto state =
        std::ranges::find(reports::kCampaignStates, found.state) -
        reports::kCampaignStates.begin();
    const auto badness =
        std::ranges::find(reports::kCampaignClasses, found.badness) -
        reports::kCampaignClasses.begin();
    return std::tuple(state, badness, found.signature, found.target);
  };
  std::ranges::sort(findings, {}, rank);
}

}  // namespace

CampaignRecord ReadHistory(Database& database, const HistoryOptions& options) {
  const Database::Transaction snapshot(database, Database::For::kReading);
  const std::vector<Run> runs = LoadRuns(database);
  CampaignRecord record;
  record.silent_days = options.silent_days;
  AddRuns(runs, record);
  AddFindings(database, runs, record);
  Sort(record.findings);
  AddFigures(database, record);
  database.CheckWhole();
  return record;
}

std::string KeptCase(Database& database, const CampaignFinding& found) {
  return database.Get<std::string>(
      "SELECT text FROM finding JOIN stored_case ON stored_case.id = "
      "stored_case JOIN run ON run.id = run WHERE target = ? AND signature = ? "
      "AND case_name = ? AND message = ? ORDER BY stored_case.digest LIMIT 1",
      found.target, found.signature, found.case_name, found.message);
}

}  // namespace lanediff::campaign
