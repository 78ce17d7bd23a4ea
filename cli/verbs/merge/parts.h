#pragma once

#include <expected>
#include <string>
#include <vector>

#include "reports/shard.h"

namespace lanediff::cli {

/// What one shard left, and where.
struct Part {
  reports::ShardRecord record;
  std::string file;    ///< the document
  std::string folder;  ///< that holds it and the cases it kept
};

/// The shards of one run that lie in `folders`, in the order of their index:
/// of `verb`, or of the only one that is there. All of them, each once, all
/// complete and of the same version and options. The error is one line that
/// says which one is not.
std::expected<std::vector<Part>, std::string> ReadParts(
    const std::vector<std::string>& folders, const std::string& verb);

}  // namespace lanediff::cli
