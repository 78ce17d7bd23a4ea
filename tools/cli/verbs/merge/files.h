#pragma once

#include <expected>
#include <map>
#include <string>

#include "reports/record.h"

/// Cases that shards kept, on their way into one folder.
namespace lanediff::cli {

/// `path`, which is below `from`, below `to`; as it is where it is elsewhere.
std::string Moved(const std::string& path, const std::string& from,
                  const std::string& to);

/// Replaces `from` by `to` in the paths of the cases of `run`, also in the
/// commands that show their findings.
void Move(reports::RunRecord& run, const std::string& from,
          const std::string& to);

/// Contents by the paths at which they are to be written.
using Files = std::map<std::string, std::string>;

/// Reads what a shard with the folder `folder` kept as `path`, a path below
/// `out`: the case and, of a crash, the input beside it. The error is one line;
/// a path that no shard keeps a case at is one.
std::expected<void, std::string> TakeKept(const std::string& path,
                                          const std::string& out,
                                          const std::string& folder,
                                          Files& files);

/// Writes them, in folders that are made; false, with a message, if one can't
/// be written.
bool WriteFiles(const Files& files);

/// Whether the case or input in `path` is smaller, as fuzzers see it, than the
/// one in `other`; a file that is no case counts as it is.
bool IsSmaller(const std::string& path, const std::string& other);

}  // namespace lanediff::cli
