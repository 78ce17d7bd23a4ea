#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "audit/characterize/probe_runner.h"
#include "audit/characterize/tree.h"

namespace lanediff::character {

/// "3, 5 to 7".
std::string LeavesText(const std::vector<std::size_t>& leaves);

/// In which order a target combines some number of leaves.
struct FoundOrder {
  enum class Kind : std::uint8_t {
    kTree,
    kNotATree,  ///< answers contradict each other
    kNoAnswer,
  };

  Kind kind = Kind::kNoAnswer;
  /// The names that fit, the likeliest first; all of one tree.
  std::vector<std::string_view> names;
  std::string tree;  ///< bracketed
  std::string note;  ///< more on the order, or why there is no answer
  std::uint64_t probes = 0;
  std::vector<Case> cases;
};

/// Named orders are recognised first, each by as many probes as there are
/// leaves or fewer, which no other tree would answer alike; unknown ones are
/// revealed. What was found is verified.
FoundOrder FindOrder(Prober& prober, std::size_t leaves);

}  // namespace lanediff::character
