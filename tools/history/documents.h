#pragma once

#include <string>
#include <vector>

/// What of a folder goes into a campaign.
namespace lanediff::campaign {

/// A document of a run or a shard.
struct FoundDocument {
  std::string file = {};
  double seconds = 0;       ///< that its stage took; 0: not told
  bool unfinished = false;  ///< its stage says so
};

/// Documents that are added together or not at all.
struct FoundNight {
  std::string date = {};    ///< as stages.txt tells it; else empty
  std::string commit = {};  ///< likewise
  std::vector<FoundDocument> documents = {};
};

struct Found {
  std::vector<FoundNight> nights = {};
  std::vector<std::string> problems = {};  ///< one line each
};

/// The documents in `out`: itself, if it is a file; of the folder of a night
/// (reports/night.h) what its stages left; of any other folder, and those below
/// it, each document that begins as one, alone, in the order of their names.
/// Folders of cases and of fuzz programs' inputs are not looked into.
Found FindDocuments(const std::string& out);

}  // namespace lanediff::campaign
