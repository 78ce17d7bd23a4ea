#include "tools/history/schema.h"

namespace lanediff::campaign {

const char* const kTables = R"(
-- A document: a run of a verb, or a shard of one.
CREATE TABLE run (
  id INTEGER PRIMARY KEY,
  identity TEXT NOT NULL,     -- what makes shards one run, but for the date
  date TEXT NOT NULL,         -- YYYY-MM-DD or YYYY-MM-DDTHH:MM:SSZ
  shard INTEGER NOT NULL,     -- from 0
  digest TEXT NOT NULL,       -- of its contents
  verb TEXT NOT NULL,
  target TEXT NOT NULL,       -- what was under test
  reference TEXT NOT NULL,
  version TEXT NOT NULL,      -- of lanediff; empty: unknown
  commit_name TEXT NOT NULL,  -- empty: unknown
  label TEXT NOT NULL,
  scope TEXT NOT NULL,        -- what narrows it besides instructions; empty: all
  shards INTEGER NOT NULL CHECK (shards > 0),
  sharded INTEGER NOT NULL CHECK (sharded IN (0, 1)),
  file TEXT NOT NULL,         -- as it was named
  unfinished TEXT NOT NULL,   -- why not all was done; empty: all was
  cases INTEGER NOT NULL,
  steps INTEGER NOT NULL,
  compared_bytes INTEGER NOT NULL,
  nodes INTEGER NOT NULL,
  seconds REAL NOT NULL,      -- 0: unknown
  case_hashes BLOB NOT NULL,  -- of check: 8 bytes each, sorted
  UNIQUE (identity, date, shard, digest)
) STRICT;

CREATE TABLE IF NOT EXISTS stored_case (
  id INTEGER PRIMARY KEY,
  digest TEXT NOT NULL UNIQUE,
  text TEXT NOT NULL          -- a document lanediff-case
) STRICT;

-- That a document showed a finding, with its smallest case there.
CREATE TABLE finding (
  run INTEGER NOT NULL REFERENCES run (id),
  signature TEXT NOT NULL,
  times INTEGER NOT NULL,     -- cases that show it, or how often a fuzzer did
  known TEXT NOT NULL,        -- why it is accepted; empty: it is not
  message TEXT NOT NULL,
  case_name TEXT NOT NULL,    -- its id
  path TEXT NOT NULL,
  reproduce TEXT NOT NULL,
  steps INTEGER NOT NULL,
  nodes INTEGER NOT NULL,
  stored_case INTEGER REFERENCES stored_case (id),
  PRIMARY KEY (run, signature)
) STRICT, WITHOUT ROWID;

-- Figures of a document by instruction, as JSON. By kind:
-- compared: cases (absent: not compared), leftOut: no evidence of silence
-- rate, by build: microseconds, cases, legal, findings, nodes, of all fuzz programs
-- coverage: bins, never: of them, that no case can reach, holes: not reached
CREATE TABLE figure (
  run INTEGER NOT NULL REFERENCES run (id),
  kind TEXT NOT NULL CHECK (kind IN ('compared', 'rate', 'coverage')),
  instruction TEXT NOT NULL,
  build TEXT NOT NULL,        -- "release", or its sanitizers; may be empty
  numbers TEXT NOT NULL CHECK (json_valid(numbers)),
  PRIMARY KEY (run, kind, instruction, build)
) STRICT, WITHOUT ROWID;
)";

const char* const kSetVersion1Aside = R"(
ALTER TABLE run RENAME TO old_run;
ALTER TABLE finding RENAME TO old_finding;
)";

const char* const kCopyVersion1 = R"(
INSERT INTO run
SELECT part.id, identity, date, shard, digest, verb, target.name, reference,
  coalesce(version.name, ''), commit_name, label, scope, shards, sharded, file,
  unfinished, cases, steps, compared_bytes, nodes, seconds, case_hashes
FROM part JOIN old_run ON old_run.id = part.run
JOIN target ON target.id = old_run.target
LEFT JOIN version ON version.id = old_run.version;

INSERT INTO finding
SELECT part, signature, times, known, message, case_name, path, reproduce,
  steps, nodes, stored_case
FROM sighting JOIN old_finding ON old_finding.id = sighting.finding;

INSERT INTO figure
SELECT part, 'compared', instruction, '',
  iif(cases > 0 OR left_out = 0,
      json_object('cases', cases, 'leftOut', left_out),
      json_object('leftOut', left_out))
FROM looked
UNION ALL
SELECT part, 'rate', instruction, build,
  json_object('microseconds', CAST(round(seconds * 1e6) AS INTEGER), 'cases', cases, 'legal', legal,
              'findings', findings, 'nodes', nodes)
FROM rate
UNION ALL
SELECT part, 'coverage', instruction, '',
  json_object('bins', bins, 'never', never, 'holes',
              iif(holes = '', json_array(), json('["' ||
                  replace(replace(replace(holes, '\', '\\'), '"', '\"'),
                          char(10), '","') || '"]')))
FROM coverage;

DROP TABLE coverage;
DROP TABLE rate;
DROP TABLE looked;
DROP TABLE sighting;
DROP TABLE part;
DROP TABLE old_finding;
DROP TABLE old_run;
DROP TABLE version;
DROP TABLE target;
)";

}  // namespace lanediff::campaign
