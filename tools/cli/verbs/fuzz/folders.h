#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "tools/cli/shard.h"
#include "tools/cli/work_folder.h"

namespace lanediff::cli {

/// Where a run reads and writes. In OUT, which may be anybody's folder and may
/// be shared by the shards of a run, things are only added: findings/ what is
/// reported, unconfirmed/ what did not show again, fuzz-corpus/ inputs that
/// programs keep. Everything else is in a folder of the run's own,
/// OUT/lanediff-fuzz or OUT/lanediff-fuzz-I-of-N: raw/ findings before
/// triage, artifacts/ inputs that ended a program, seeds/, logs/.
class FuzzFolders {
 public:
  /// Makes them, and sees that they can be written to. Takes up what runs
  /// before it left: a whole run what any other left that is not running, too.
  /// The error is one line.
  static std::expected<FuzzFolders, std::string> Make(const std::string& out,
                                                      Shard shard);

  /// As the user spelled it, or with "./" before a "-".
  const std::string& out() const { return out_; }
  std::string Findings(const std::string& name = "") const;
  std::string Unconfirmed(const std::string& name) const;
  std::string Corpus(const std::string& instruction) const;
  std::string Raw(const std::string& name = "") const;
  std::string Artifacts(const std::string& name = "") const;
  std::string Logs(const std::string& name) const;
  const WorkFolder& own() const { return own_; }

 private:
  FuzzFolders(std::string out, WorkFolder own);
  std::expected<void, std::string> MakeAll() const;
  void TakeOver(const std::string& folder) const;

  std::string out_;
  WorkFolder own_;
};

/// The files in `folder` whose names end in `suffix`, sorted.
std::vector<std::string> FilesIn(const std::string& folder,
                                 std::string_view suffix);

/// The files whose paths begin with `prefix`, which has a folder, sorted.
std::vector<std::string> FilesBeginningWith(const std::string& prefix);

/// `path`, or where something is there "STEM-2.EXTENSION", "-3" and so on.
std::string FreePath(const std::string& path);

}  // namespace lanediff::cli
