#include "tools/history/database.h"

#include <fmt/format.h>
#include <sqlite3.h>
#include <unistd.h>

#include <bit>
#include <cstring>

#include "tools/history/schema.h"

namespace lanediff::campaign {
namespace {

namespace fs = std::filesystem;

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

}  // namespace

Database::Database(const std::string& path, For purpose) : path_(path) {
  const bool writes = purpose == For::kWriting;
  std::error_code error;
  const fs::path folder = fs::absolute(path, error).parent_path();
  const bool writable = access(folder.c_str(), W_OK) == 0;
  if (!writes && !fs::exists(path, error)) {
    throw DatabaseError(path +
                        ": is not there; lanediff campaign DIR makes "
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
    Execute("PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY");
    Check();
    const auto version = Get<std::int64_t>("PRAGMA user_version");
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

void Database::Check() {
  // At one moment: another process may be making it.
  const Transaction moment(*this, For::kReading);
  const auto id = Get<std::int64_t>("PRAGMA application_id");
  const auto version = Get<std::int64_t>("PRAGMA user_version");
  const bool empty = Get<bool>("SELECT count(*) = 0 FROM sqlite_schema");
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
  const auto version = Get<std::int64_t>("PRAGMA user_version");
  if (version == kSchemaVersion) return;
  if (version == 1) Execute(kSetVersion1Aside);
  Execute(kTables);
  if (version == 1) Execute(kCopyVersion1);
  Execute(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}",
                      kApplicationId, kSchemaVersion)
              .c_str());
  transaction.Commit();
}

void Database::Execute(const char* sql) {
  Must(sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr));
}

void Database::CheckWhole() {
  if (Query(*this, "PRAGMA foreign_key_check").Next()) {
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

Query::Query(Database& database, std::string_view sql, Prepared)
    : database_(database) {
  database.Must(sqlite3_prepare_v2(database.handle_, sql.data(),
                                   static_cast<int>(sql.size()), &handle_,
                                   nullptr));
}

Query::~Query() { sqlite3_finalize(handle_); }

void Query::Reset() { sqlite3_reset(handle_); }

bool Query::Step() {
  const int code = sqlite3_step(handle_);
  if (code == SQLITE_ROW) return true;
  if (code != SQLITE_DONE) database_.Fail(code);
  Reset();
  return false;
}

void Query::BindInteger(int place, std::int64_t value) {
  database_.Must(sqlite3_bind_int64(handle_, place, value));
}

void Query::Bind(int place, double value) {
  database_.Must(sqlite3_bind_double(handle_, place, value));
}

void Query::Bind(int place, std::string_view value) {
  // A null pointer would be NULL.
  database_.Must(
      sqlite3_bind_text64(handle_, place, value.empty() ? "" : value.data(),
                          value.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
}

void Query::Bind(int place, const std::vector<std::uint64_t>& value) {
  static_assert(std::endian::native == std::endian::little);
  // A null pointer would be NULL.
  database_.Must(sqlite3_bind_blob64(
      handle_, place, value.empty() ? static_cast<const void*>("") : &value[0],
      value.size() * sizeof(std::uint64_t), SQLITE_TRANSIENT));
}

void Query::Bind(int place, const std::optional<std::int64_t>& value) {
  database_.Must(value ? sqlite3_bind_int64(handle_, place, *value)
                       : sqlite3_bind_null(handle_, place));
}

std::int64_t Query::ReadInteger(int place) {
  return sqlite3_column_int64(handle_, place);
}

void Query::Read(int place, double& value) {
  value = sqlite3_column_double(handle_, place);
}

void Query::Read(int place, std::string& value) {
  const void* const bytes = sqlite3_column_blob(handle_, place);
  const int size = sqlite3_column_bytes(handle_, place);
  value.assign(bytes == nullptr ? "" : static_cast<const char*>(bytes),
               static_cast<std::size_t>(size));
}

void Query::Read(int place, std::vector<std::uint64_t>& value) {
  std::string bytes;
  Read(place, bytes);
  value.resize(bytes.size() / sizeof(std::uint64_t));
  std::memcpy(value.data(), bytes.data(), value.size() * sizeof(std::uint64_t));
}

void Query::Read(int place, std::optional<std::int64_t>& value) {
  value.reset();
  if (sqlite3_column_type(handle_, place) != SQLITE_NULL) {
    value = ReadInteger(place);
  }
}

}  // namespace lanediff::campaign
