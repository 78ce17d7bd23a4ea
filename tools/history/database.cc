#include "tools/history/database.h"

#include <fmt/format.h>
#include <sqlite3.h>
#include <unistd.h>

#include <memory>

namespace lanediff::campaign {
namespace {

namespace fs = std::filesystem;

/// PRAGMA user_version, of `kTables`.
constexpr std::int64_t kSchemaVersion = 3;
constexpr int kWaitMilliseconds = 10'000;
/// "LDcm": distinguishes the database from other programs' databases.
constexpr std::int64_t kApplicationId = 0x4c44636d;

/// What an error of SQLite means to a person.
std::string Meaning(int code, const char* message) {
  switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return fmt::format(
          "locked by another process for more than {} s; try again when it "
          "has ended",
          kWaitMilliseconds / 1000);
    case SQLITE_FULL:
      return "can't be written: No space left on device; nothing of this was "
             "added";
    case SQLITE_READONLY:
    case SQLITE_PERM:
      return "can't be written: it or its folder is read-only";
    case SQLITE_CANTOPEN:
      return "can't be opened; a file that this user may read, in a folder "
             "that is there, is allowed";
    case SQLITE_NOTADB:
      return "is no database; one that lanediff campaign made is allowed";
    case SQLITE_CORRUPT:
      return fmt::format(
          "is damaged: {}; `sqlite3 FILE .recover` saves what can be read",
          message);
    case SQLITE_IOERR:
      return fmt::format(
          "can't be read or written: {}; nothing of this was added", message);
    case SQLITE_NOMEM:
      return "not enough memory";
    default:
      return message;
  }
}

/// `path` as a URI; letters that a URI means otherwise are escaped.
std::string UriOf(const std::string& path) {
  std::string uri = "file:";
  for (const char c : path) {
    const bool plain = c != '%' && c != '?' && c != '#';
    uri += plain ? std::string(1, c)
                 : fmt::format("%{:02x}", static_cast<unsigned char>(c));
  }
  return uri;
}

constexpr const char* kTables = R"(
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
/// Renames the table of version 2 whose columns have changed.
constexpr const char* kSetVersion2Aside = R"(
PRAGMA legacy_alter_table = ON;
ALTER TABLE run RENAME TO old_run;
PRAGMA legacy_alter_table = OFF;
)";

// Its scope is three texts with line feeds between: "N of each rule", what
// narrows it, and a line for each product or space. Its shards are no runs.
/// Copies it into `kTables`, and drops it.
constexpr const char* kCopyVersion2 = R"(
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

}  // namespace

Database::Database(const std::string& path, For purpose) : path_(path) {
  const bool writes = purpose == For::kWriting;
  std::error_code error;
  const fs::path folder = fs::absolute(path, error).parent_path();
  const bool writable = access(folder.c_str(), W_OK) == 0;
  if (!writes && !fs::exists(path, error)) {
    throw DatabaseError(path +
                        ": not found; lanediff campaign DIR makes "
                        "one, and so does lanediff campaign add");
  }
  if (writes && !writable) Fail(SQLITE_READONLY);
  std::string uri = UriOf(path);
  // A reader that could write clears away the files beside it when it ends.
  int flags = SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE |
              SQLITE_OPEN_READWRITE | (writes ? SQLITE_OPEN_CREATE : 0);
  // Readers of a WAL need a file beside it; where that can't be made, and no
  // writer has left one, no process writes.
  if (!writable && !fs::exists(path + "-wal", error)) {
    uri += "?immutable=1";
    flags ^= SQLITE_OPEN_READWRITE | SQLITE_OPEN_READONLY;
    written_ = fs::last_write_time(path, error);
  }
  const int code = sqlite3_open_v2(uri.c_str(), &handle_, flags, nullptr);
  try {
    Must(code);
    sqlite3_busy_timeout(handle_, kWaitMilliseconds);
    Execute("PRAGMA temp_store = MEMORY");
    const std::int64_t version = Check();
    if (!writes && version == 0) {
      throw DatabaseError(path + ": is empty; fix: lanediff campaign add OUT");
    }
    if (writes) {
      if (sqlite3_db_readonly(handle_, "main") == 1) Fail(SQLITE_READONLY);
      Execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
      Upgrade();
    } else if (version != kSchemaVersion) {
      CopyToMemory();
      Upgrade();
    }
    Execute("PRAGMA foreign_keys = ON");
  } catch (...) {
    sqlite3_close(handle_);
    throw;
  }
}

Database::~Database() { sqlite3_close(handle_); }

void Database::Fail(int code) const {
  // SQLite reports no cause for the file that connections share.
  std::error_code error;
  const auto folder = fs::absolute(path_, error).parent_path();
  constexpr std::uintmax_t kLeast = 64 << 10;
  if ((code & 0xff) == SQLITE_IOERR &&
      fs::space(folder, error).available < kLeast) {
    code = SQLITE_FULL;
  }
  throw DatabaseError(path_ + ": " + Meaning(code, sqlite3_errmsg(handle_)));
}

void Database::Must(int code) const {
  if (code != SQLITE_OK) Fail(code);
}

std::int64_t Database::Check() {
  // At one moment: another process may be making it.
  const Transaction moment(*this, For::kReading);
  const std::string id = Get("PRAGMA application_id");
  const std::int64_t version = std::stoll(Get("PRAGMA user_version"));
  const bool empty = Get("SELECT count(*) FROM sqlite_schema") == "0";
  if (id != std::to_string(kApplicationId) && !(id == "0" && empty)) {
    throw DatabaseError(path_ +
                        ": is a database of another program; one that lanediff "
                        "campaign made is allowed");
  }
  if (version > kSchemaVersion) {
    throw DatabaseError(fmt::format(
        "{}: is of a newer lanediff, with tables of version {}; this one knows "
        "versions up to {}",
        path_, version, kSchemaVersion));
  }
  if (version > 0 && version < kSchemaVersion - 1) {
    throw DatabaseError(fmt::format(
        "{}: is of an older lanediff, with tables of version {}; this one "
        "knows versions from {}; fix: add the results to a new campaign",
        path_, version, kSchemaVersion - 1));
  }
  return version;
}

void Database::CopyToMemory() {
  sqlite3* const file = handle_;
  const bool opened = sqlite3_open(":memory:", &handle_) == SQLITE_OK;
  sqlite3_backup* const copy =
      opened ? sqlite3_backup_init(handle_, "main", file, "main") : nullptr;
  if (copy != nullptr) sqlite3_backup_step(copy, -1);
  sqlite3_backup_finish(copy);
  sqlite3_close(file);
  // The copy has the error of each of these.
  Must(sqlite3_extended_errcode(handle_));
  Execute("PRAGMA temp_store = MEMORY");
}

void Database::Upgrade() {
  Transaction transaction(*this);
  // Another process may have done it meanwhile.
  const std::string version = Get("PRAGMA user_version");
  if (version == std::to_string(kSchemaVersion)) return;
  if (version == "2") Execute(kSetVersion2Aside);
  Execute(kTables);
  if (version == "2") Execute(kCopyVersion2);
  Execute(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}",
                      kApplicationId, kSchemaVersion)
              .c_str());
  transaction.Commit();
}

void Database::Execute(const char* sql) {
  Must(sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr));
}

std::vector<std::string> Database::Row(
    std::string_view sql, std::initializer_list<std::string_view> texts) {
  sqlite3_stmt* made = nullptr;
  Must(sqlite3_prepare_v2(handle_, sql.data(), static_cast<int>(sql.size()),
                          &made, nullptr));
  const std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)> statement(
      made, sqlite3_finalize);
  int place = 0;
  for (const std::string_view text : texts) {
    // A null pointer would be NULL.
    Must(sqlite3_bind_text64(made, ++place, text.empty() ? "" : text.data(),
                             text.size(), SQLITE_STATIC, SQLITE_UTF8));
  }
  std::vector<std::string> row;
  int code = sqlite3_step(made);
  for (int i = 0; code == SQLITE_ROW && i < sqlite3_column_count(made); ++i) {
    const void* const bytes = sqlite3_column_blob(made, i);
    const int size = sqlite3_column_bytes(made, i);
    row.emplace_back(bytes == nullptr ? "" : static_cast<const char*>(bytes),
                     static_cast<std::size_t>(size));
  }
  while (code == SQLITE_ROW) code = sqlite3_step(made);
  if (code != SQLITE_DONE) Fail(code);
  return row;
}

std::string Database::Get(std::string_view sql,
                          std::initializer_list<std::string_view> texts) {
  const auto row = Row(sql, texts);
  return row.empty() ? "" : row.front();
}

void Database::CheckWhole() {
  if (!Get("PRAGMA foreign_key_check").empty()) {
    throw DatabaseError(path_ +
                        ": is damaged: its tables do not fit together; a copy "
                        "of an earlier day is allowed");
  }
  std::error_code error;
  if (!written_ || (fs::last_write_time(path_, error) == *written_ &&
                    !fs::exists(path_ + "-wal", error))) {
    return;
  }
  throw DatabaseError(path_ +
                      ": was written to while it was read, by a user without "
                      "leave to write beside it; try again");
}

Database::Transaction::Transaction(Database& database, For purpose)
    : database_(&database) {
  database.Execute(purpose == For::kWriting ? "BEGIN IMMEDIATE" : "BEGIN");
}

Database::Transaction::~Transaction() {
  if (database_ == nullptr) return;
  // An error may have undone it already.
  sqlite3_exec(database_->handle_, "ROLLBACK", nullptr, nullptr, nullptr);
}

void Database::Transaction::Commit() {
  database_->Execute("COMMIT");
  database_ = nullptr;
}

}  // namespace lanediff::campaign
