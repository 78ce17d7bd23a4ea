#include "tools/history/database.h"

namespace lanediff::campaign {

const char* const kTables = R"(
-- A report of one run.
CREATE TABLE run (
  id INTEGER PRIMARY KEY,
  date TEXT NOT NULL,         -- YYYY-MM-DD or YYYY-MM-DDTHH:MM:SSZ
  digest TEXT NOT NULL,       -- of the document
  verb TEXT NOT NULL,
  target TEXT NOT NULL,       -- what was under test
  reference TEXT NOT NULL,
  commit_name TEXT NOT NULL,  -- empty: unknown
  label TEXT NOT NULL,
  sample INTEGER NOT NULL,    -- cases of each rule at most; 0: all
  legal_only INTEGER NOT NULL,
  edition TEXT NOT NULL,      -- of the documents; empty: the newest alone
  only_these TEXT NOT NULL CHECK (json_valid(only_these)),  -- products, spaces
  unfinished TEXT NOT NULL,   -- why not all was done; empty: all was
  cases INTEGER NOT NULL,
  nodes INTEGER NOT NULL,
  seconds REAL NOT NULL,      -- 0: unknown
  case_hashes TEXT NOT NULL,  -- of compared cases: 16 digits each
  UNIQUE (date, digest)
) STRICT;

CREATE TABLE IF NOT EXISTS stored_case (
  id INTEGER PRIMARY KEY,
  digest TEXT NOT NULL UNIQUE,
  text TEXT NOT NULL          -- a document lanediff-case
) STRICT;

-- That a run showed a finding, with its smallest case there.
CREATE TABLE IF NOT EXISTS finding (
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

-- Figures of a run by instruction, as JSON. By kind:
-- compared: cases (absent: not compared), leftOut: no evidence of silence
-- rate, by build: microseconds, cases, legal, findings, nodes, of all fuzz programs
-- coverage: bins, never: of them, that no case can reach, holes: not reached
CREATE TABLE IF NOT EXISTS figure (
  run INTEGER NOT NULL REFERENCES run (id),
  kind TEXT NOT NULL CHECK (kind IN ('compared', 'rate', 'coverage')),
  instruction TEXT NOT NULL,
  build TEXT NOT NULL,        -- "release", or its sanitizers; may be empty
  numbers TEXT NOT NULL CHECK (json_valid(numbers)),
  PRIMARY KEY (run, kind, instruction, build)
) STRICT, WITHOUT ROWID;
)";

// Other tables refer to the name "run", and keep doing so.
const char* const kSetVersion2Aside = R"(
PRAGMA legacy_alter_table = ON;
ALTER TABLE run RENAME TO old_run;
PRAGMA legacy_alter_table = OFF;
)";

// Its scope is three texts with line feeds between: "N of each rule", what
// narrows it, and a line for each product or space. Its shards are no runs.
const char* const kCopyVersion2 = R"(
WITH first AS (
  SELECT *, substr(scope, instr(scope, char(10)) + 1) AS rest FROM old_run),
second AS (
  SELECT *, substr(rest, 1, instr(rest, char(10)) - 1) AS narrowed,
    substr(rest, instr(rest, char(10)) + 1) AS list FROM first)
INSERT INTO run
SELECT id, date, digest || '.' || id, verb, target, reference, commit_name,
  label, CAST(scope AS INTEGER), narrowed LIKE 'legal only%',
  iif(instr(narrowed, '; edition '),
      substr(narrowed, instr(narrowed, '; edition ') + 10), ''),
  iif(list = '', '[]', '["' || replace(list, char(10), '","') || '"]'),
  iif(sharded AND unfinished = '', 'shard ' || shard || '/' || shards ||
      ' alone', unfinished),
  cases, nodes, seconds, lower(hex(case_hashes))
FROM second;
DROP TABLE old_run;
)";

}  // namespace lanediff::campaign
