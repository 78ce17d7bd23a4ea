#pragma once

#include <string>
#include <vector>

/// What of a folder goes into a campaign.
namespace lanediff::campaign {

/// A document of a run or a shard.
struct FoundDocument {
  std::string file = {};
  double seconds = 0;       ///< of its stage; 0: unknown
  bool unfinished = false;  ///< as its stage reports
};

/// Documents that are added together or not at all.
struct FoundBatch {
  std::string date = {};    ///< of stages.txt; else empty
  std::string commit = {};  ///< likewise
  std::vector<FoundDocument> documents = {};
};

struct Found {
  std::vector<FoundBatch> batches = {};
  std::vector<std::string> problems = {};  ///< one line each
};

/// The documents in `out`: itself, if it is a file; of the folder of a nightly
/// run (reports/nightly.h) its stages' results; of any other folder, and those
/// below it, each document that begins as one, alone, in the order of names.
/// Folders of cases and of fuzz programs' inputs are skipped.
Found FindDocuments(const std::string& out);

}  // namespace lanediff::campaign
