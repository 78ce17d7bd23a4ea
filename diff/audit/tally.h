#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "diff/audit/exam.h"
#include "diff/audit/record.h"
#include "diff/audit/stream.h"

namespace lanediff::diff::audit {

/// A case that may become evidence, by which it can be made again.
struct Candidate {
  std::string room;
  std::uint64_t number = 0;
  Side side = Side::kBreaks;
  Showing showing = Showing::kRefused;
  std::uint64_t distance = 0;  ///< of the field from the end of its range
  std::int64_t size = 0;       ///< of its memories, in units of 16 KiB
  std::string what;
  std::string message;
  std::string signature;

  /// The nearer, then the smaller, then the earlier comes first.
  auto Rank() const { return std::tie(distance, size, room, number); }
};

/// What was seen of one rule on one product.
struct CellTally {
  using Counts = std::array<std::uint64_t, isa::kCount<Showing>>;
  using Where = std::tuple<isa::DType, std::string, std::string>;
  using Place = std::tuple<std::string, int, std::int64_t>;

  Counts alone{};
  Counts together{};
  std::map<Where, Tried> tried;
  std::map<Place, Point> points;
  Numeric numeric;
  /// The best of each side, whatever the target showed: the same cases for
  /// every target. And the best of each showing that is not as it should be.
  std::vector<Candidate> typical;
  std::vector<Candidate> bad;
};

/// Whether a showing is as the documents say.
bool IsGood(Showing showing);

/// Sums over cases, the same in whatever order they are added.
class Tally {
 public:
  using Key = std::pair<std::string_view, isa::Product>;  // rule, product

  void Add(const AuditCase& c, const Exam& exam);
  void Merge(const Tally& other);

  /// For the way from one process to another of the same version.
  std::vector<std::uint8_t> Serialized() const;
  /// Throws a std::exception, the JSON library's or one of its own, if `bytes`
  /// are not from `Serialized`.
  static Tally Parse(std::span<const std::uint8_t> bytes);

  const std::map<Key, CellTally>& cells() const { return cells_; }
  std::uint64_t cases = 0;
  std::uint64_t unsupported = 0;
  std::uint64_t steps = 0;
  std::int64_t compared_bytes = 0;
  std::uint64_t nodes = 0;
  /// What was recorded and can't be read: how many, and the first few.
  std::uint64_t malformed = 0;
  std::vector<std::string> problems;

 private:
  std::map<Key, CellTally> cells_;
};

}  // namespace lanediff::diff::audit
