#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tools/history/database.h"
#include "tools/history/documents.h"
#include "tools/history/part.h"

/// Puts what nights left into a campaign.
namespace lanediff::campaign {

class Writer;

/// What is told of all that is added together; empty: as it tells itself.
struct AddOptions {
  std::string date = {};    ///< YYYY-MM-DD or YYYY-MM-DDTHH:MM:SSZ, in UTC
  std::string commit = {};  ///< of what was tested
  std::string label = {};
};

/// What is wrong with a date, in one line; empty if it is one.
std::string NoDate(const std::string& text);

struct AddResult {
  std::vector<std::string> lines = {};     ///< what became of each document
  std::vector<std::string> problems = {};  ///< what was not added, and why
};

/// Adds nights to a database. Each is added as a whole or not at all, whenever
/// the process ends. What is there already is not added again: parts are the
/// same where what they tell is.
class Adder {
 public:
  explicit Adder(Database& database);
  ~Adder();

  /// Documents that can't be taken are told of, the others of the night are
  /// added. Throws a `DatabaseError` where the database is at fault: nothing of
  /// this night was added then.
  AddResult Add(const FoundNight& night, const AddOptions& options);

 private:
  std::unique_ptr<Writer> writer_;
};

}  // namespace lanediff::campaign
