#include "tools/history/database.h"

#include "tools/history/testing.h"

namespace lanediff::campaign::test {
namespace {

using DatabaseTest = CampaignTest;

/// Of version 1, with a run of two shards that saw a finding, and one of fuzz.
constexpr const char* kVersion1 = R"(
CREATE TABLE target (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE version (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE run (id INTEGER PRIMARY KEY, identity TEXT NOT NULL, date TEXT NOT
  NULL, verb TEXT NOT NULL, target INTEGER NOT NULL REFERENCES target (id),
  reference TEXT NOT NULL, version INTEGER REFERENCES version (id), commit_name
  TEXT NOT NULL, label TEXT NOT NULL, scope TEXT NOT NULL, shards INTEGER NOT
  NULL, sharded INTEGER NOT NULL, UNIQUE (identity, date)) STRICT;
CREATE TABLE part (id INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES run
  (id), shard INTEGER NOT NULL, digest TEXT NOT NULL, file TEXT NOT NULL,
  unfinished TEXT NOT NULL, cases INTEGER NOT NULL, steps INTEGER NOT NULL,
  compared_bytes INTEGER NOT NULL, nodes INTEGER NOT NULL, seconds REAL NOT
  NULL, case_hashes BLOB NOT NULL, UNIQUE (run, shard, digest)) STRICT;
CREATE TABLE finding (id INTEGER PRIMARY KEY, target INTEGER NOT NULL REFERENCES
  target (id), signature TEXT NOT NULL, instruction TEXT NOT NULL, UNIQUE
  (target, signature)) STRICT;
CREATE TABLE stored_case (id INTEGER PRIMARY KEY, digest TEXT NOT NULL UNIQUE,
  text TEXT NOT NULL) STRICT;
CREATE TABLE sighting (part INTEGER NOT NULL REFERENCES part (id), finding
  INTEGER NOT NULL REFERENCES finding (id), times INTEGER NOT NULL, known TEXT
  NOT NULL, message TEXT NOT NULL, case_name TEXT NOT NULL, path TEXT NOT NULL,
  reproduce TEXT NOT NULL, steps INTEGER NOT NULL, nodes INTEGER NOT NULL,
  stored_case INTEGER REFERENCES stored_case (id), PRIMARY KEY (part, finding))
  STRICT, WITHOUT ROWID;
CREATE INDEX sighting_finding ON sighting (finding);
CREATE TABLE looked (part INTEGER NOT NULL REFERENCES part (id), instruction
  TEXT NOT NULL, cases INTEGER NOT NULL, left_out INTEGER NOT NULL, PRIMARY KEY
  (part, instruction)) STRICT, WITHOUT ROWID;
CREATE TABLE rate (part INTEGER NOT NULL REFERENCES part (id), instruction TEXT
  NOT NULL, build TEXT NOT NULL, seconds REAL NOT NULL, cases INTEGER NOT NULL,
  legal INTEGER NOT NULL, findings INTEGER NOT NULL, nodes INTEGER NOT NULL,
  PRIMARY KEY (part, instruction, build)) STRICT, WITHOUT ROWID;
CREATE TABLE coverage (part INTEGER NOT NULL REFERENCES part (id), instruction
  TEXT NOT NULL, bins INTEGER NOT NULL, never INTEGER NOT NULL, holes TEXT NOT
  NULL, PRIMARY KEY (part, instruction)) STRICT, WITHOUT ROWID;
INSERT INTO target VALUES (1, 'model');
INSERT INTO version VALUES (1, '1.0.0+abc');
)";

TEST_F(DatabaseTest, OneOfVersion1IsUpgraded) {
  const std::string fuzz = "fuzz bins=10 holes=a,b\"\\";
  // What today's `add` stores is what version 1 held of the same documents.
  AddShards(1, "sweep!");
  Add(2, fuzz);
  const std::string wanted = reports::CampaignJson(History());
  {
    Database old(DatabasePath("old.db"), Database::For::kWriting);
    old.Execute(("ATTACH '" + DatabasePath() + "' AS now").c_str());
    old.Execute(
        "DROP TABLE figure; DROP TABLE finding; DROP TABLE run; DROP TABLE "
        "stored_case");
    old.Execute(kVersion1);
    old.Execute(R"(
INSERT INTO run SELECT min(id), identity, date, verb, 1, reference,
  iif(version = '', NULL, 1), commit_name, label, scope, shards, sharded FROM
  now.run GROUP BY identity, date;
INSERT INTO part SELECT id, (SELECT id FROM main.run WHERE run.identity =
  now.run.identity), shard, digest, file, unfinished, cases, steps,
  compared_bytes, nodes, seconds, case_hashes FROM now.run;
INSERT INTO finding SELECT 1, 1, signature, 'min' FROM now.finding LIMIT 1;
INSERT INTO sighting SELECT run, 1, times, known, message, case_name, path,
  reproduce, steps, nodes, NULL FROM now.finding;
INSERT INTO looked SELECT run, instruction, coalesce(numbers ->> 'cases', 0),
  coalesce(numbers ->> 'leftOut', 0) FROM now.figure WHERE kind = 'compared';
INSERT INTO rate SELECT run, instruction, build, (numbers ->> 'microseconds') / 1e6, numbers
  ->> 'cases', numbers ->> 'legal', numbers ->> 'findings', numbers ->> 'nodes'
  FROM now.figure WHERE kind = 'rate';
INSERT INTO coverage SELECT run, instruction, numbers ->> 'bins', numbers ->>
  'never', (SELECT group_concat(value, char(10)) FROM json_each(numbers,
  '$.holes')) FROM now.figure WHERE kind = 'coverage';
PRAGMA user_version = 1;
)");
  }
  const auto bytes = [&] {
    std::ostringstream text;
    text << std::ifstream(DatabasePath("old.db"), std::ios::binary).rdbuf();
    return text.str();
  };
  const std::string old_bytes = bytes();
  EXPECT_EQ(reports::CampaignJson(History("old.db")), wanted);
  EXPECT_TRUE(bytes() == old_bytes) << "a reader upgrades a copy";
  // A document of then is not counted again.
  AddText(RunJson(fuzz).dump(), Day(2), "old.db");
  EXPECT_FALSE(bytes() == old_bytes) << "a writer upgrades the file";
  EXPECT_EQ(reports::CampaignJson(History("old.db")), wanted);
}

TEST_F(DatabaseTest, TablesThatDoNotFitTogetherAreDamage) {
  Add(1, "sweep!");
  Database(DatabasePath(), Database::For::kWriting)
      .Execute("PRAGMA foreign_keys = OFF; DELETE FROM run");
  EXPECT_THROW(History(), DatabaseError);
}

TEST_F(DatabaseTest, ReadersLeaveNothingBesideIt) {
  Add(1, "sweep!");
  History();
  EXPECT_FALSE(fs::exists(DatabasePath() + "-wal"));
  EXPECT_FALSE(fs::exists(DatabasePath() + "-shm"));
}

TEST_F(DatabaseTest, OneOfOthersIsLeftAlone) {
  Database(DatabasePath(), Database::For::kWriting)
      .Execute("PRAGMA user_version = 99");
  EXPECT_THROW(History(), DatabaseError);
  std::ofstream(folder_ / "text.db") << std::string(4096, 'x');
  EXPECT_THROW(History("text.db"), DatabaseError);
  EXPECT_THROW(History("nowhere.db"), DatabaseError);
  EXPECT_FALSE(fs::exists(folder_ / "nowhere.db"));
}

}  // namespace
}  // namespace lanediff::campaign::test
