#pragma once

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

struct sqlite3;

/// The database of a campaign: one SQLite file. Only database.cc includes
/// SQLite. Values enter and leave as texts, records as JSON.
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
  /// brings tables of the previous version up to date; a reader, which may lack
  /// write permission, does so in a copy in memory. Those of a newer and of an
  /// older version are refused.
  explicit Database(const std::string& path, For purpose);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  void Execute(const char* sql);  ///< one or more statements, without values
  /// Executes one statement, in which ?1 is the first of `texts`, UTF-8. Its
  /// first row; empty if it has none.
  std::vector<std::string> Row(
      std::string_view sql, std::initializer_list<std::string_view> texts = {});
  /// The first column of it; empty if there is none.
  std::string Get(std::string_view sql,
                  std::initializer_list<std::string_view> texts = {});

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
  [[noreturn]] void Fail(int code) const;
  void Must(int code) const;
  std::int64_t Check();  ///< that it is a campaign's; its version
  void CopyToMemory();   ///< continues with a copy instead of the file
  void Upgrade();        ///< makes the tables, or brings them up to date

  std::string path_;
  sqlite3* handle_ = nullptr;
  /// Last write time of the file, if it is opened as immutable.
  std::optional<std::filesystem::file_time_type> written_ = {};
};

}  // namespace lanediff::campaign
