#include "tools/history/runs.h"

#include "differential/compare/signature.h"
#include "isa/vocabulary.h"
#include "tools/history/add.h"
#include "tools/history/part.h"

namespace lanediff::campaign {
namespace {

constexpr const char* kTemporaryTables = R"(
CREATE TEMP TABLE day AS
SELECT identity, date, shards, sharded,
  count(DISTINCT iif(unfinished = '', shard, NULL)) AS there
FROM run GROUP BY identity, date;

-- Days whose shards are just those that the day before lacks. Of several days
-- in a row every second one.
CREATE TEMP TABLE midnight AS
WITH RECURSIVE
pair AS (
  SELECT early.identity AS identity, early.date AS early, late.date AS late
  FROM day AS early JOIN day AS late ON late.identity = early.identity
    AND late.date = date(early.date, '+1 day')
  WHERE early.sharded AND length(early.date) = 10
    AND early.there BETWEEN 1 AND early.shards - 1
    AND early.there + late.there = early.shards
    AND NOT EXISTS (
      SELECT shard FROM run WHERE identity = early.identity
        AND date = early.date AND unfinished = ''
      INTERSECT
      SELECT shard FROM run WHERE identity = late.identity
        AND date = late.date AND unfinished = '')),
taken AS (
  SELECT * FROM pair WHERE NOT EXISTS (
    SELECT 1 FROM pair AS before
    WHERE before.identity = pair.identity AND before.late = pair.early)
  UNION ALL
  SELECT pair.* FROM taken
  JOIN pair AS skipped
    ON skipped.identity = taken.identity AND skipped.early = taken.late
  JOIN pair ON pair.identity = taken.identity AND pair.early = skipped.late)
SELECT * FROM taken;

-- Documents by run. Of an interrupted shard only the try that came farthest
-- counts for its run's sums, and none once it is whole.
CREATE TEMP TABLE part AS
SELECT id, dense_rank() OVER (ORDER BY coalesce(early, date), verb, target,
    run.identity) AS run,
  coalesce(early, date) AS date, early IS NOT NULL AS late,
  unfinished = '' OR (max(unfinished = '') OVER same = 0
    AND row_number() OVER (same ORDER BY cases DESC, digest) = 1) AS counts
FROM run LEFT JOIN midnight
  ON midnight.identity = run.identity AND midnight.late = run.date
WINDOW same AS (PARTITION BY run.identity, coalesce(early, date), shard);

-- Commit and label are those that came first.
CREATE TEMP TABLE whole AS
SELECT part.run AS id, min(run.id) AS first, part.date AS date, identity, verb,
  target, reference, version, commit_name, label, scope, shards, sharded,
  sum(late) > 0 AS doubted,
  count(DISTINCT iif(unfinished = '', shard, NULL)) AS there,
  group_concat(iif(counts, unfinished, ''), '') AS unfinished,
  sum(iif(counts, cases, 0)) AS cases,
  sum(iif(counts, steps, 0)) AS steps,
  sum(iif(counts, compared_bytes, 0)) AS compared_bytes,
  sum(iif(counts, nodes, 0)) AS nodes,
  sum(iif(counts, CAST(round(seconds * 1e6) AS INTEGER), 0)) / 1e6 AS seconds
FROM part JOIN run USING (id) GROUP BY part.run;
CREATE INDEX temp.whole_id ON whole (id);

-- Where shards of the day before or after are missing, those of this day may be
-- of two runs, although all are there.
UPDATE whole SET doubted = 1 WHERE sharded AND length(date) = 10 AND EXISTS (
  SELECT 1 FROM whole AS other
  WHERE other.identity = whole.identity AND other.there < other.shards
    AND abs(julianday(date(other.date)) - julianday(whole.date)) = 1);

-- The smallest case of each finding; what one part takes for known, all do.
CREATE TEMP TABLE seen AS
SELECT * FROM (
  SELECT part.run AS run, signature, sum(iif(counts, times, 0)) OVER same AS
      times, coalesce(min(nullif(known, '')) OVER same, '') AS known, message,
    case_name, reproduce, finding.steps AS steps, finding.nodes AS nodes,
    stored_case, row_number() OVER (same ORDER BY finding.steps, finding.nodes,
      case_name, digest) AS place
  FROM finding JOIN part ON part.id = finding.run JOIN run ON run.id = part.id
  WINDOW same AS (PARTITION BY part.run, signature))
WHERE place = 1;
CREATE INDEX temp.seen_run ON seen (run, signature);
CREATE INDEX temp.seen_signature ON seen (signature, run);

CREATE TEMP TABLE compared AS
SELECT part.run AS run, instruction, sum(numbers ->> 'cases') AS cases,
  sum(coalesce(numbers ->> 'leftOut', 0)) AS left_out
FROM figure JOIN part ON part.id = figure.run
WHERE kind = 'compared' AND counts GROUP BY part.run, instruction;
CREATE INDEX temp.compared_run ON compared (run, instruction);
)";

/// Merged reports and the runs of shards that they may be of. A merged run of
/// exhaust has saved fewer cases than its shards.
constexpr const char* kMerged = R"(
WITH content AS (
  SELECT *, substr(date, 1, 10) AS day,
    (SELECT json_group_array(json_array(instruction, cases)) FROM (
       SELECT instruction, cases FROM compared
       WHERE run = whole.id AND cases NOTNULL ORDER BY instruction)) AS looked,
    (SELECT json_group_array(json_array(signature, times)) FROM (
       SELECT signature, iif(verb = 'exhaust', 0, times) AS times FROM seen
       WHERE run = whole.id ORDER BY signature)) AS showed
  FROM whole WHERE there = shards)
SELECT merged.id, split.id FROM content AS merged JOIN content AS split ON
  NOT merged.sharded AND split.sharded AND
  (merged.verb, merged.target, merged.reference, merged.scope, merged.cases,
   merged.steps, merged.compared_bytes, merged.nodes, merged.looked,
   merged.showed) =
  (split.verb, split.target, split.reference, split.scope, split.cases,
   split.steps, split.compared_bytes, split.nodes, split.looked, split.showed)
  AND (merged.commit_name IN ('', split.commit_name) OR split.commit_name = '')
  AND (merged.version IN ('', split.version) OR split.version = '')
  AND (split.day = merged.day OR (substr(merged.date, 12, 2) >= '12' AND
                                  split.day = date(merged.day, '+1 day')))
ORDER BY merged.id, split.id
)";

/// Drops the shards of runs whose merged report is there, too: of each report,
/// by date, those of the first run that no report before it took.
void DropMerged(Database& database) {
  std::set<std::int64_t> used, dropped;
  std::int64_t merged = 0, split = 0;
  for (Query pairs(database, kMerged); pairs.Next(merged, split);) {
    if (used.contains(merged) || dropped.contains(split)) continue;
    used.insert(merged);
    dropped.insert(split);
  }
  for (const std::int64_t run : dropped) {
    database.Run("DELETE FROM whole WHERE id = ?", run);
    database.Run("DELETE FROM seen WHERE run = ?", run);
  }
}

using Runs = std::map<std::int64_t, Run>;  ///< by `id` of table `whole`

Runs ReadRuns(Database& database) {
  Runs runs;
  Query rows(database,
             "SELECT id, identity, sharded, scope, reference, date, verb, "
             "target, version, commit_name, label, shards, there, unfinished, "
             "doubted, cases, nodes, seconds, (SELECT count(*) FROM seen WHERE "
             "run = whole.id) FROM whole");
  std::int64_t id = 0;
  bool sharded = false;
  std::string identity, scope;
  Run run;
  reports::CampaignRun& shown = run.shown;
  while (rows.Next(id, identity, sharded, scope, run.reference, shown.date,
                   shown.verb, shown.target, shown.version, shown.commit,
                   shown.label, shown.shards, shown.there, shown.unfinished,
                   shown.doubted, shown.cases, shown.nodes, shown.seconds,
                   shown.findings)) {
    run.scope = ScopeIn(scope);
    shown.edition = run.scope.edition.empty()
                        ? std::string(isa::Name(isa::kNewestEdition))
                        : run.scope.edition;
    if (shown.there == shown.shards) {
      shown.unfinished.clear();
    } else if (sharded) {
      shown.unfinished = LackOf(database, identity, shown.date, shown.shards);
    }
    runs[id] = run;
  }
  return runs;
}

void ReadSeen(Database& database, Runs& runs) {
  std::int64_t run = 0;
  std::string name;
  Seen seen;
  Query rows(database,
             "SELECT run, signature, times, known <> '', case_name FROM seen");
  while (rows.Next(run, name, seen.times, seen.known, seen.case_name)) {
    runs.at(run).seen[name] = seen;
    const auto kind = diff::KindIn(name);
    if (kind && diff::IsFailure(*kind)) {
      runs.at(run).failed.insert(InstructionIn(name));
    }
  }
  Compared compared;
  Query figures(database,
                "SELECT compared.* FROM compared JOIN whole ON whole.id = run");
  while (figures.Next(run, name, compared.cases, compared.left_out)) {
    runs.at(run).compared[name] = compared;
  }
}

void ReadCaseNames(Database& database, Runs& runs) {
  std::map<std::uint64_t, std::string> names;  // by hash
  Query shown(database, "SELECT DISTINCT case_name FROM seen");
  for (std::string name; shown.Next(name);) names[CaseHash(name)] = name;
  std::int64_t run = 0;
  std::vector<std::uint64_t> hashes;
  Query rows(database,
             "SELECT part.run, case_hashes FROM part JOIN run USING (id) JOIN "
             "whole ON whole.id = part.run WHERE length(case_hashes) > 0");
  while (rows.Next(run, hashes)) {
    for (const std::uint64_t hash : hashes) {
      const auto name = names.find(hash);
      if (name != names.end()) runs.at(run).case_names.insert(name->second);
    }
  }
}

}  // namespace

std::vector<Run> LoadRuns(Database& database) {
  database.Execute(kTemporaryTables);
  DropMerged(database);
  Runs runs = ReadRuns(database);
  ReadSeen(database, runs);
  ReadCaseNames(database, runs);
  std::vector<Run> all;
  for (auto& [id, run] : runs) all.push_back(std::move(run));
  return all;
}

}  // namespace lanediff::campaign
