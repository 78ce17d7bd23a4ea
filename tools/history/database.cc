#include "tools/history/database.h"

#include <fmt/format.h>
#include <sqlite3.h>
#include <unistd.h>

#include <filesystem>
#include <limits>
#include <utility>

namespace lanediff::campaign {
namespace {

/// The tables: what brings a database from schema version i to i + 1. Version 0
/// is an empty file. Steps are added at the end and never changed.
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

namespace fs = std::filesystem;

constexpr int kWaitMilliseconds = 10'000;

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
          "can't be read or written: {}; nothing of this was "
          "added",
          message);
    case SQLITE_NOMEM:
      return "not enough memory";
    default:
      return message;
  }
}

}  // namespace

const std::int64_t kSchemaVersion = std::size(kSteps);

struct Database::Impl {
  ~Impl() { sqlite3_close(handle); }

  [[noreturn]] void Fail(int code) const {
    // SQLite reports no cause for the file that connections share.
    std::error_code error;
    const auto folder = fs::absolute(path, error).parent_path();
    constexpr std::uintmax_t kLeast = 64 << 10;
    if ((code & 0xff) == SQLITE_IOERR &&
        fs::space(folder, error).available < kLeast) {
      code = SQLITE_FULL;
    }
    throw DatabaseError(path + ": " + Meaning(code, sqlite3_errmsg(handle)));
  }
  void Must(int code) const {
    if (code != SQLITE_OK) Fail(code);
  }

  std::string path;
  sqlite3* handle = nullptr;
  /// Last write time of the file, if it is opened as immutable.
  std::optional<fs::file_time_type> written = {};
};

struct Database::Statement::Impl {
  ~Impl() { sqlite3_finalize(handle); }

  void Must(int code) {
    if (code == SQLITE_OK) return;
    sqlite3_reset(handle);
    database->Fail(code);
  }
  void Reset() {
    sqlite3_reset(handle);
    bound = 0;
  }

  const Database::Impl* database = nullptr;
  sqlite3_stmt* handle = nullptr;
  int bound = 0;   ///< values so far
  int column = 0;  ///< that is read next
};

Database::Statement::Statement(std::unique_ptr<Impl> impl)
    : impl_(std::move(impl)) {}
Database::Statement::~Statement() = default;
Database::Statement::Statement(Statement&&) noexcept = default;

Database::Statement& Database::Statement::Bind(std::int64_t value) {
  impl_->Must(sqlite3_bind_int64(impl_->handle, ++impl_->bound, value));
  return *this;
}

Database::Statement& Database::Statement::Bind(std::uint64_t value) {
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
  if (value > static_cast<std::uint64_t>(kMost)) {
    throw DatabaseError(
        fmt::format("found {}; numbers up to {} are allowed", value, kMost));
  }
  return Bind(static_cast<std::int64_t>(value));
}

Database::Statement& Database::Statement::Bind(double value) {
  impl_->Must(sqlite3_bind_double(impl_->handle, ++impl_->bound, value));
  return *this;
}

Database::Statement& Database::Statement::Bind(std::string_view value) {
  impl_->Must(sqlite3_bind_text64(impl_->handle, ++impl_->bound, value.data(),
                                  value.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
  return *this;
}

Database::Statement& Database::Statement::Bind(
    const std::optional<std::int64_t>& value) {
  if (value) return Bind(*value);
  impl_->Must(sqlite3_bind_null(impl_->handle, ++impl_->bound));
  return *this;
}

Database::Statement& Database::Statement::BindBytes(std::string_view value) {
  // A null pointer would be NULL.
  impl_->Must(sqlite3_bind_blob64(impl_->handle, ++impl_->bound,
                                  value.empty() ? "" : value.data(),
                                  value.size(), SQLITE_TRANSIENT));
  return *this;
}

bool Database::Statement::Next() {
  const int code = sqlite3_step(impl_->handle);
  impl_->column = 0;
  if (code == SQLITE_ROW) return true;
  if (code != SQLITE_DONE) impl_->Must(code);
  impl_->Reset();
  return false;
}

void Database::Statement::Run() {
  while (Next()) {
  }
}

std::int64_t Database::Statement::Integer() {
  return sqlite3_column_int64(impl_->handle, impl_->column++);
}

double Database::Statement::Real() {
  return sqlite3_column_double(impl_->handle, impl_->column++);
}

std::string Database::Statement::Text() {
  const int column = impl_->column++;
  const void* const bytes = sqlite3_column_blob(impl_->handle, column);
  const int size = sqlite3_column_bytes(impl_->handle, column);
  if (bytes == nullptr) return "";
  return {static_cast<const char*>(bytes), static_cast<std::size_t>(size)};
}

std::optional<std::int64_t> Database::Statement::MaybeInteger() {
  if (sqlite3_column_type(impl_->handle, impl_->column) == SQLITE_NULL) {
    ++impl_->column;
    return std::nullopt;
  }
  return Integer();
}

Database::Database(const std::string& path, For purpose)
    : path_(path), impl_(std::make_unique<Impl>()) {
  impl_->path = path;
  const bool writes = purpose == For::kWriting;
  std::error_code error;
  const fs::path folder = fs::absolute(path, error).parent_path();
  // Readers of a WAL need a file beside it; where that can't be made, and no
  // writer has left one, no process writes.
  const bool immutable = !writes && access(folder.c_str(), W_OK) != 0 &&
                         !fs::exists(path + "-wal", error);
  if (!writes && !fs::exists(path, error)) {
    throw DatabaseError(path +
                        ": is not there; lanediff campaign DIR makes "
                        "one, and so does lanediff campaign add");
  }
  if (writes && access(folder.c_str(), W_OK) != 0) {
    throw DatabaseError(path + ": " + Meaning(SQLITE_READONLY, ""));
  }
  // Letters that a URI means otherwise are escaped.
  std::string uri = "file:";
  for (const char c : path) {
    if (c == '%' || c == '?' || c == '#') {
      uri += fmt::format("%{:02x}", static_cast<unsigned char>(c));
    } else {
      uri += c;
    }
  }
  if (immutable) {
    uri += "?immutable=1";
    impl_->written = fs::last_write_time(path, error);
  }
  // A reader that could write clears away the files beside it when it ends.
  const int access_flags = immutable ? SQLITE_OPEN_READONLY
                           : writes ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
                                    : SQLITE_OPEN_READWRITE;
  const int flags = access_flags | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX |
                    SQLITE_OPEN_EXRESCODE;
  impl_->Must(sqlite3_open_v2(uri.c_str(), &impl_->handle, flags, nullptr));
  sqlite3_busy_timeout(impl_->handle, kWaitMilliseconds);
  Execute("PRAGMA foreign_keys = ON");
  Check();
  if (!writes && Pragma("PRAGMA user_version") == 0) {
    throw DatabaseError(path + ": is empty; fix: lanediff campaign add OUT");
  }
  if (!writes) {
    if (Pragma("PRAGMA user_version") < kSchemaVersion) {
      Database upgraded(path, For::kWriting);
    }
    Execute("PRAGMA query_only = ON");
    return;
  }
  if (sqlite3_db_readonly(impl_->handle, "main") == 1) {
    impl_->Fail(SQLITE_READONLY);
  }
  Execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
  Upgrade();
}

Database::~Database() = default;
Database::Database(Database&&) noexcept = default;

void Database::Check() {
  // At one moment: another process may be making it.
  const Transaction moment(*this, For::kReading);
  const std::int64_t id = Pragma("PRAGMA application_id");
  const std::int64_t version = Pragma("PRAGMA user_version");
  const bool empty = Pragma("SELECT count(*) FROM sqlite_schema") == 0;
  if (id != kApplicationId && !(id == 0 && empty)) {
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
}

void Database::Upgrade() {
  if (Pragma("PRAGMA user_version") == kSchemaVersion) return;
  Transaction transaction(*this);
  // Another process may have done it meanwhile.
  for (auto version = Pragma("PRAGMA user_version"); version < kSchemaVersion;
       ++version) {
    Execute(kSteps[static_cast<std::size_t>(version)]);
  }
  Execute(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}",
                      kApplicationId, kSchemaVersion)
              .c_str());
  transaction.Commit();
}

std::int64_t Database::Pragma(const char* sql) {
  Statement statement = Prepare(sql);
  statement.Next();
  return statement.Integer();
}

Database::Statement Database::Prepare(std::string_view sql) {
  auto impl = std::make_unique<Statement::Impl>();
  impl->database = impl_.get();
  impl_->Must(sqlite3_prepare_v2(impl_->handle, sql.data(),
                                 static_cast<int>(sql.size()), &impl->handle,
                                 nullptr));
  return Statement(std::move(impl));
}

void Database::Execute(const char* sql) {
  impl_->Must(sqlite3_exec(impl_->handle, sql, nullptr, nullptr, nullptr));
}

void Database::MustBeUnwritten() const {
  std::error_code error;
  if (!impl_->written ||
      (fs::last_write_time(path_, error) == *impl_->written &&
       !fs::exists(path_ + "-wal", error))) {
    return;
  }
  throw DatabaseError(path_ +
                      ": was written to while it was read, by a user without "
                      "leave to write beside it; try again");
}

std::uint64_t Database::ChangedRows() const {
  return static_cast<std::uint64_t>(sqlite3_changes64(impl_->handle));
}

std::int64_t Database::LastRow() const {
  return sqlite3_last_insert_rowid(impl_->handle);
}

Database::Transaction::Transaction(Database& database, For purpose)
    : database_(&database) {
  database.Execute(purpose == For::kWriting ? "BEGIN IMMEDIATE" : "BEGIN");
}

Database::Transaction::~Transaction() {
  if (database_ == nullptr) return;
  // An error may have undone it already.
  sqlite3_exec(database_->impl_->handle, "ROLLBACK", nullptr, nullptr, nullptr);
}

void Database::Transaction::Commit() {
  database_->Execute("COMMIT");
  database_ = nullptr;
}

}  // namespace lanediff::campaign
