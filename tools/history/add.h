#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tools/history/database.h"
#include "tools/history/documents.h"
#include "tools/history/part.h"

/// Adds results of runs to a campaign.
namespace lanediff::campaign {

class Writer;

/// Values for all added documents; empty: the document's own value.
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

/// Adds batches to a database, each in one transaction. A part with the digest
/// of a stored part is not added again.
class Adder {
 public:
  explicit Adder(Database& database);
  ~Adder();

  /// Adds the readable documents of the batch and lists the others. Throws a
  /// `DatabaseError` if the database fails; then no document was added.
  AddResult Add(const FoundBatch& batch, const AddOptions& options);

 private:
  std::unique_ptr<Writer> writer_;
};

}  // namespace lanediff::campaign
