#pragma once

#include <concepts>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

/// The database of a campaign: one SQLite file. Only database.cc includes
/// SQLite.
namespace lanediff::campaign {

/// What is wrong with a database, in one line that names its file.
class DatabaseError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Its name in the campaign's folder.
inline constexpr std::string_view kDatabaseName = "campaign.db";

/// A connection. Whatever goes wrong is thrown as a `DatabaseError`. One thread
/// at a time; other processes may read and write at once, and wait for each
/// other.
class Database {
 public:
  enum class For : std::uint8_t { kReading, kWriting };

  /// Opens the file; for writing it is made where it isn't there. A writer
  /// brings tables of an older version up to date; a reader, which may lack
  /// write permission, does so in a copy in memory. Those of a newer version
  /// are refused.
  explicit Database(const std::string& path, For purpose);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  void Execute(const char* sql);  ///< one or more statements, without values
  /// Executes one statement with these values.
  template <class... T>
  void Run(std::string_view sql, const T&... values);
  /// The first column of its first row; `Value()` if it has no row.
  template <class Value, class... T>
  Value Get(std::string_view sql, const T&... values);

  /// Throws if a row refers to none, or if another process wrote to an
  /// immutable database since it was opened: a reader without write permission
  /// cannot lock the file.
  void CheckWhole();

  /// All or nothing: what was written since is undone unless `Commit` is
  /// called. What is read in one is as it was at the first look, whatever
  /// others write meanwhile.
  class Transaction {
   public:
    explicit Transaction(Database& database, For purpose = For::kWriting);
    ~Transaction();
    void Commit();

   private:
    Database* database_;
  };

 private:
  friend class Query;
  [[noreturn]] void Fail(int code) const;
  void Must(int code) const;
  void Check();         ///< that it is a campaign's, of a version that is known
  void CopyToMemory();  ///< continues with a copy instead of the file
  void Upgrade();       ///< makes the tables, or brings them up to date

  std::string path_;
  sqlite3* handle_ = nullptr;
  /// Last write time of the file, if it is opened as immutable.
  std::optional<std::filesystem::file_time_type> written_ = {};
};

/// A statement, with values in the order of its question marks.
class Query {
 public:
  template <class... T>
  Query(Database& database, std::string_view sql, const T&... values)
      : Query(database, sql, Prepared()) {
    With(values...);
  }
  ~Query();
  Query(const Query&) = delete;
  Query& operator=(const Query&) = delete;

  /// Begins again, with these values.
  template <class... T>
  Query& With(const T&... values) {
    Reset();
    int place = 0;
    (Bind(++place, values), ...);
    return *this;
  }
  /// Reads the columns of the next row, from the first on; false if there is
  /// no further row.
  template <class... T>
  bool Next(T&... columns) {
    if (!Step()) return false;
    int place = 0;
    (Read(place++, columns), ...);
    return true;
  }

 private:
  struct Prepared {};
  Query(Database& database, std::string_view sql, Prepared);

  void Reset();
  bool Step();

  void BindInteger(int place, std::int64_t value);
  template <std::integral T>
  void Bind(int place, T value) {
    BindInteger(place, static_cast<std::int64_t>(value));
  }
  void Bind(int place, double value);
  void Bind(int place, std::string_view value);                   ///< UTF-8
  void Bind(int place, const std::vector<std::uint64_t>& value);  ///< BLOB
  void Bind(int place, const std::optional<std::int64_t>& value);

  std::int64_t ReadInteger(int place);
  template <std::integral T>
  void Read(int place, T& value) {
    value = static_cast<T>(ReadInteger(place));
  }
  void Read(int place, double& value);
  void Read(int place, std::string& value);
  void Read(int place, std::vector<std::uint64_t>& value);
  void Read(int place, std::optional<std::int64_t>& value);

  Database& database_;
  sqlite3_stmt* handle_ = nullptr;
};

template <class... T>
void Database::Run(std::string_view sql, const T&... values) {
  Query query(*this, sql, values...);
  while (query.Next()) {
  }
}

template <class Value, class... T>
Value Database::Get(std::string_view sql, const T&... values) {
  Value value = {};
  Query query(*this, sql, values...);
  if (!query.Next(value)) return value;
  while (query.Next()) {
  }
  return value;
}

}  // namespace lanediff::campaign
