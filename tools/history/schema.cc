#include "tools/history/schema.h"

#include "tools/history/database.h"

namespace lanediff::campaign {
namespace {

constexpr const char* kSteps[] = {R"(
-- What was under test, as runs name it.
CREATE TABLE target (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
) STRICT;

-- Of lanediff, if a run has it.
CREATE TABLE version (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
) STRICT;

-- One run of a verb; its shards are its parts.
CREATE TABLE run (
  id INTEGER PRIMARY KEY,
  identity TEXT NOT NULL,     -- what makes parts one run, but for the date
  date TEXT NOT NULL,         -- YYYY-MM-DD or YYYY-MM-DDTHH:MM:SSZ
  verb TEXT NOT NULL,
  target INTEGER NOT NULL REFERENCES target (id),
  reference TEXT NOT NULL,
  version INTEGER REFERENCES version (id),
  commit_name TEXT NOT NULL,  -- empty: unknown
  label TEXT NOT NULL,
  scope TEXT NOT NULL,        -- what narrows it besides instructions; empty: all
  shards INTEGER NOT NULL CHECK (shards > 0),
  sharded INTEGER NOT NULL CHECK (sharded IN (0, 1)), -- parts are shards' own
  UNIQUE (identity, date)
) STRICT;

-- A document of a run: all of it, or a shard.
CREATE TABLE part (
  id INTEGER PRIMARY KEY,
  run INTEGER NOT NULL REFERENCES run (id),
  shard INTEGER NOT NULL,     -- from 0
  digest TEXT NOT NULL,       -- of its contents
  file TEXT NOT NULL,         -- as it was named
  unfinished TEXT NOT NULL,   -- why not all was done; empty: all was
  cases INTEGER NOT NULL,
  steps INTEGER NOT NULL,
  compared_bytes INTEGER NOT NULL,
  nodes INTEGER NOT NULL,
  seconds REAL NOT NULL,      -- 0: unknown
  case_hashes BLOB NOT NULL,  -- of check: 8 bytes each, sorted
  UNIQUE (run, shard, digest)
) STRICT;

CREATE TABLE finding (
  id INTEGER PRIMARY KEY,
  target INTEGER NOT NULL REFERENCES target (id),
  signature TEXT NOT NULL,
  instruction TEXT NOT NULL,  -- its second word
  UNIQUE (target, signature)
) STRICT;

CREATE TABLE stored_case (
  id INTEGER PRIMARY KEY,
  digest TEXT NOT NULL UNIQUE,
  text TEXT NOT NULL          -- a document lanediff-case
) STRICT;

-- That a part showed a finding, with its smallest case there.
CREATE TABLE sighting (
  part INTEGER NOT NULL REFERENCES part (id),
  finding INTEGER NOT NULL REFERENCES finding (id),
  times INTEGER NOT NULL,     -- cases that show it, or how often a fuzzer did
  known TEXT NOT NULL,        -- why it is accepted; empty: it is not
  message TEXT NOT NULL,
  case_name TEXT NOT NULL,    -- its id
  path TEXT NOT NULL,
  reproduce TEXT NOT NULL,
  steps INTEGER NOT NULL,
  nodes INTEGER NOT NULL,
  stored_case INTEGER REFERENCES stored_case (id),
  PRIMARY KEY (part, finding)
) STRICT, WITHOUT ROWID;
CREATE INDEX sighting_finding ON sighting (finding);

-- What a part compared, by instruction.
CREATE TABLE looked (
  part INTEGER NOT NULL REFERENCES part (id),
  instruction TEXT NOT NULL,
  cases INTEGER NOT NULL,     -- 0: not counted by instruction
  left_out INTEGER NOT NULL,  -- no evidence of silence
  PRIMARY KEY (part, instruction)
) STRICT, WITHOUT ROWID;

-- How quick fuzz programs were.
CREATE TABLE rate (
  part INTEGER NOT NULL REFERENCES part (id),
  instruction TEXT NOT NULL,
  build TEXT NOT NULL,        -- "release", or its sanitizers; may be empty
  seconds REAL NOT NULL,      -- of all programs together
  cases INTEGER NOT NULL,
  legal INTEGER NOT NULL,
  findings INTEGER NOT NULL,
  nodes INTEGER NOT NULL,
  PRIMARY KEY (part, instruction, build)
) STRICT, WITHOUT ROWID;

-- Functional coverage of an instruction.
CREATE TABLE coverage (
  part INTEGER NOT NULL REFERENCES part (id),
  instruction TEXT NOT NULL,
  bins INTEGER NOT NULL,
  never INTEGER NOT NULL,     -- of them, that no case can reach
  holes TEXT NOT NULL,        -- not reached, a line each
  PRIMARY KEY (part, instruction)
) STRICT, WITHOUT ROWID;
)"};

}  // namespace

std::span<const char* const> SchemaSteps() { return kSteps; }

const std::int64_t kSchemaVersion = std::size(kSteps);

}  // namespace lanediff::campaign
