#pragma once

#include <cstdint>
#include <map>
#include <vector>

namespace lanediff::diff {

/// A set of bytes of one memory, kept as maximal runs.
class ByteSet {
 public:
  /// Bytes from `begin` up to, not with, `end`.
  struct Run {
    std::int64_t begin;
    std::int64_t end;

    bool operator==(const Run&) const = default;
  };

  void Add(std::int64_t begin, std::int64_t end);
  void Remove(std::int64_t begin, std::int64_t end);

  /// The runs, in ascending order.
  std::vector<Run> Runs() const;
  /// The parts of them from `begin` to `end`, in ascending order.
  std::vector<Run> RunsIn(std::int64_t begin, std::int64_t end) const;
  bool empty() const { return end_of_.empty(); }

 private:
  std::map<std::int64_t, std::int64_t> end_of_;  ///< by where a run begins
};

}  // namespace lanediff::diff
