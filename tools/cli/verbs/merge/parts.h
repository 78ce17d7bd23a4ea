#pragma once

#include <cstddef>
#include <expected>
#include <functional>
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

/// The shards of one run, in the order of their index. Of any number of them
/// one result is in memory at a time.
class Parts {
 public:
  /// Those of `verb` that lie in `folders`, or of the only one that is there:
  /// all of them, each once, by their names. The error is one line that names
  /// the first that is not; no document has been read then.
  static std::expected<Parts, std::string> Find(
      const std::vector<std::string>& folders, const std::string& verb);

  using Take = std::function<std::expected<void, std::string>(Part&)>;
  /// Reads them, all complete and of the same version and options, and hands
  /// each to `take`, which takes its result away; what is left stays here. To
  /// be called once. The error is one line of the first that is not so, or the
  /// error of `take`.
  std::expected<void, std::string> Read(const Take& take);

  const std::string& verb() const { return verb_; }
  /// After `Read`: without results, and known issues with the first alone.
  const Part& operator[](std::size_t index) const { return parts_[index]; }
  const Part& front() const { return parts_.front(); }
  std::size_t size() const { return parts_.size(); }
  auto begin() const { return parts_.begin(); }
  auto end() const { return parts_.end(); }

 private:
  std::string verb_;
  std::vector<Part> parts_;
};

}  // namespace lanediff::cli
