#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "tools/history/database.h"
#include "tools/history/part.h"

namespace lanediff::campaign {

/// A document, and what is known of it from elsewhere.
struct DatedPart {
  Part part = {};
  std::string date = {};
  std::string commit = {};
};

/// Writes parts into a database, within a transaction of the caller's.
class Writer {
 public:
  explicit Writer(Database& database);

  Database& database() { return database_; }

  /// The outcome in one line, or the reason why it can't be added. Throws a
  /// `DatabaseError`.
  std::expected<std::string, std::string> Add(const DatedPart& read,
                                              const std::string& label);

 private:
  Database::Statement Named(std::string_view table);
  Database::Statement Id(std::string_view table);
  /// The run of which it is a part, made where it isn't there.
  std::int64_t RunOf(const DatedPart& read, const std::string& digest,
                     std::int64_t target, const std::string& label);
  std::string Progress(std::int64_t run, std::uint64_t shards);
  void PutPart(const DatedPart& read, const std::string& digest,
               std::int64_t run, std::int64_t target);
  /// Of a part that is there what was not known when it was added: how many
  /// cases these are.
  std::uint64_t PutMissing(const Part& part, std::int64_t id,
                           std::int64_t target);
  /// The row of its case, put there; nothing where none was found.
  std::optional<std::int64_t> CaseOf(const Sighting& sighting);
  void PutSighting(std::int64_t part, std::int64_t target,
                   const std::string& signature, const Sighting& sighting);

  Database& database_;
  // Prepared once.
  Database::Statement put_target_, find_target_, put_version_, find_version_,
      put_run_, find_run_, parts_, whole_, put_part_, put_finding_,
      find_finding_, put_case_, find_case_, put_sighting_, fill_case_,
      first_place_, fill_seconds_, put_looked_, put_rate_, put_coverage_;
};

}  // namespace lanediff::campaign
