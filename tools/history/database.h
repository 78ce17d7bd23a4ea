#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

/// The database of a campaign: one SQLite file. Only database.cc includes
/// SQLite.
namespace lanediff::campaign {

/// What is wrong with a database, in one line that names its file.
class DatabaseError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Its name in the campaign's folder.
inline constexpr std::string_view kDatabaseName = "campaign.db";
/// "LDcm": distinguishes the database from other programs' databases.
inline constexpr std::int64_t kApplicationId = 0x4c44636d;
/// Of the tables (tools/history/database.cc). A newer one is refused, an older
/// one brought up to it.
extern const std::int64_t kSchemaVersion;

/// A connection. Whatever goes wrong is thrown as a `DatabaseError`. One thread
/// at a time; other processes may read and write at once, and wait for each
/// other.
class Database {
 public:
  enum class For : std::uint8_t { kReading, kWriting };

  /// Opens the file; for writing it is made where it isn't there.
  explicit Database(const std::string& path, For purpose);
  ~Database();
  Database(Database&&) noexcept;

  /// Values are bound in the order of the question marks, from the first on,
  /// and columns are read in theirs. After the last row, or `Run`, it can be
  /// bound again.
  class Statement {
   public:
    ~Statement();
    Statement(Statement&&) noexcept;

    Statement& Bind(std::int64_t value);
    Statement& Bind(std::uint64_t value);  ///< below 2^63
    Statement& Bind(double value);
    Statement& Bind(std::string_view value);  ///< UTF-8
    Statement& Bind(const std::optional<std::int64_t>& value);
    Statement& BindBytes(std::string_view value);

    bool Next();  ///< whether there is a row, now the current one
    void Run();   ///< of one without rows

    // Of the current row, column by column.
    std::int64_t Integer();
    double Real();
    std::string Text();  ///< or bytes
    std::optional<std::int64_t> MaybeInteger();

   private:
    friend class Database;
    struct Impl;
    explicit Statement(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
  };

  Statement Prepare(std::string_view sql);
  void Execute(const char* sql);      ///< one or more, without values
  std::int64_t LastRow() const;       ///< id of the row inserted last
  std::uint64_t ChangedRows() const;  ///< by the statement that ran last

  /// Throws if another process wrote to an immutable database since it was
  /// opened: a reader without write permission cannot lock the file.
  void MustBeUnwritten() const;

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

  const std::string& path() const { return path_; }

 private:
  struct Impl;
  void Check();    ///< that it is a campaign's, of a version that is known
  void Upgrade();  ///< makes the tables, or brings them up to date
  std::int64_t Pragma(const char* sql);

  std::string path_;
  std::unique_ptr<Impl> impl_;
};

}  // namespace lanediff::campaign
