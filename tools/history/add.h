#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/history/database.h"

/// Adds results of runs to a campaign.
namespace lanediff::campaign {

/// A document of a run.
struct FoundDocument {
  std::string file = {};
  std::string date = {};    ///< of stages.txt; else empty
  std::string commit = {};  ///< likewise
  double seconds = 0;       ///< of its stage; 0: unknown
  bool unfinished = false;  ///< as its stage reports
};

/// Documents of which those that can be read are added together.
using FoundBatch = std::vector<FoundDocument>;

struct Found {
  std::vector<FoundBatch> batches = {};
  std::vector<std::string> problems = {};  ///< one line each
};

/// The documents in `out`: itself, if it is a file; of the folder of a nightly
/// run (reports/nightly.h) its stages' results; of any other folder, and those
/// below it, each document that begins as one, alone, in the order of names.
/// Folders of cases and of fuzz programs' inputs are skipped, and shards beside
/// reports.
Found FindDocuments(const std::string& out);

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

/// Adds the readable documents of the batch in one transaction, and lists the
/// others; a document of a date with the bytes of a stored one is not added
/// again. Throws a `DatabaseError` if the database fails; then no document was
/// added.
AddResult Add(Database& database, const FoundBatch& batch,
              const AddOptions& options);

}  // namespace lanediff::campaign
