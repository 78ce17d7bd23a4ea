#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace lanediff::emulator {

/// The ways through the iterations of a call.
enum class Path {
  kPlain,       ///< element by element: the four seams in a row
  kContiguous,  ///< vectors, over operands without gaps
  kStrided,     ///< vectors, over operands with gaps
  kMasked,      ///< vectors of which some lanes take no part
};
inline constexpr std::size_t kPaths = 4;

/// How many calls took each way. Calls without anything to do are not counted.
class PathCounts {
 public:
  void Count(Path path) { ++counts_[static_cast<std::size_t>(path)]; }
  std::uint64_t operator[](Path path) const {
    return counts_[static_cast<std::size_t>(path)];
  }
  bool operator==(const PathCounts&) const = default;

 private:
  std::array<std::uint64_t, kPaths> counts_{};
};

}  // namespace lanediff::emulator
