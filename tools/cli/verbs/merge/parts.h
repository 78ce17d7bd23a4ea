#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "reports/record.h"
#include "reports/shard.h"

/// Cases that shards kept, on their way into one folder.
namespace lanediff::cli {

/// What one shard left, and where.
struct Part {
  reports::ShardRecord record;
  std::string file;    ///< the document
  std::string folder;  ///< that holds it and the cases it kept
};

/// The shards of one run, in the order of their index. Of any number of them
/// one result is in memory at a time.
class Parts {
 public:
  /// Those of `verb` that lie in `folders`, or of the only one that is there:
  /// all of them, each once, by their names. Throws an `Exit` for the first
  /// that is not so; no document has been read then.
  static Parts Find(const std::vector<std::string>& folders,
                    const std::string& verb);

  /// Reads them, all complete and of the same version and options, and hands
  /// each to `take`, which takes its result away; what is left stays here. To
  /// be called once. Throws an `Exit` for the first that is not so.
  void Read(const std::function<void(Part&)>& take);

  /// After `Read`: without results, and known issues with the first alone.
  const Part& operator[](std::size_t index) const { return parts_[index]; }
  const Part& front() const { return parts_.front(); }
  std::size_t size() const { return parts_.size(); }
  auto begin() const { return parts_.begin(); }
  auto end() const { return parts_.end(); }

 private:
  std::vector<Part> parts_;
};

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
/// `out`: the case and, of a crash, the input beside it. Throws an `Exit` where
/// it can't be read, and of a path that no shard keeps a case at.
void TakeKept(const std::string& path, const std::string& out,
              const std::string& folder, Files& files);

/// Writes them, in folders that are made; false, with a message, if one can't
/// be written.
bool WriteFiles(const Files& files);

/// Whether the case or input in `path` is smaller, as fuzzers see it, than the
/// one in `other`; a file that is no case counts as it is.
bool IsSmaller(const std::string& path, const std::string& other);

}  // namespace lanediff::cli
