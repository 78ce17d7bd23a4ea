#include "tools/history/database.h"

#include "tools/history/testing.h"

namespace lanediff::campaign::test {
namespace {

using DatabaseTest = CampaignTest;

/// The table of version 2 that version 3 has otherwise.
constexpr const char* kVersion2 = R"(
PRAGMA legacy_alter_table = ON;
ALTER TABLE run RENAME TO new_run;
CREATE TABLE run (id INTEGER PRIMARY KEY, identity TEXT NOT NULL, date TEXT NOT
  NULL, shard INTEGER NOT NULL, digest TEXT NOT NULL, verb TEXT NOT NULL, target
  TEXT NOT NULL, reference TEXT NOT NULL, version TEXT NOT NULL, commit_name TEXT
  NOT NULL, label TEXT NOT NULL, scope TEXT NOT NULL, shards INTEGER NOT NULL,
  sharded INTEGER NOT NULL, file TEXT NOT NULL, unfinished TEXT NOT NULL, cases
  INTEGER NOT NULL, steps INTEGER NOT NULL, compared_bytes INTEGER NOT NULL,
  nodes INTEGER NOT NULL, seconds REAL NOT NULL, case_hashes BLOB NOT NULL,
  UNIQUE (identity, date, shard, digest)) STRICT;
INSERT INTO run SELECT id, digest, date, 0, digest, verb, target, reference, '',
  commit_name, label, iif(sample + legal_only = 0, '', iif(sample = 0, '',
  sample || ' of each rule') || char(10) || iif(legal_only, 'legal only', '') ||
  iif(edition = '', '', '; edition ' || edition) || char(10)), 1, 0, '',
  unfinished, cases, 1, 2, nodes, seconds, CAST('12345678' AS BLOB) FROM new_run;
DROP TABLE new_run;
PRAGMA user_version = 2;
)";

class UpgradeTest : public CampaignTest {
 protected:
  std::string Bytes() const {
    std::ostringstream text;
    text << std::ifstream(DatabasePath(), std::ios::binary).rdbuf();
    return text.str();
  }
  void Downgrade(const std::string& more = "") const {
    Database old(DatabasePath(), Database::For::kWriting);
    old.Execute("PRAGMA foreign_keys = OFF");
    old.Execute((kVersion2 + more).c_str());
  }
};

TEST_F(UpgradeTest, OneOfTheVersionBeforeIsRead) {
  Add(1, "sweep!");
  Add(2, "sweep sample=3 legal=1 edition=2024");
  Add(2, "fuzz bins=10 holes=a,b\"\\");
  const std::string wanted = reports::CampaignJson(History());
  Downgrade();
  const std::string old_bytes = Bytes();
  EXPECT_EQ(reports::CampaignJson(History()), wanted);
  EXPECT_TRUE(Bytes() == old_bytes) << "a reader upgrades a copy";
  Add(3, "sweep");
  EXPECT_FALSE(Bytes() == old_bytes) << "a writer upgrades the file";
  EXPECT_EQ(Summary(), "fixed: 1-1-3");
  Database now(DatabasePath(), Database::For::kReading);
  EXPECT_EQ(now.Get("SELECT case_hashes FROM run"), "3132333435363738");
}

TEST_F(UpgradeTest, ItsShardsAreNoCompleteRuns) {
  Add(1, "sweep!");
  Add(2, "sweep");
  Downgrade("UPDATE run SET sharded = 1, shards = 4, shard = 1 WHERE id = 2");
  EXPECT_EQ(Summary(), "open: 1-1-");
  EXPECT_EQ(History().runs[1].unfinished, "shard 1/4 alone");
}

TEST_F(UpgradeTest, AnOlderOneIsRefused) {
  Add(1, "sweep!");
  Downgrade("PRAGMA user_version = 1");
  try {
    History();
    FAIL() << "it was read";
  } catch (const DatabaseError& error) {
    EXPECT_TRUE(
        std::string(error.what())
            .ends_with(
                "is of an older lanediff, with tables of version 1; this one "
                "knows "
                "versions from 2; fix: add the results to a new campaign"));
  }
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
