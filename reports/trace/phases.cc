#include "reports/trace/phases.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstddef>

#include "isa/memory_map.h"
#include "isa/units.h"
#include "reports/trace/arithmetic.h"

namespace lanediff::view {
namespace {

/// Levels of nodes, as they stand in the trace.
int LastLevel(const std::vector<oracle::Node>& nodes) {
  int last = 0;
  for (const oracle::Node& node : nodes) last = std::max(last, node.level);
  return last;
}

/// A halving needs one level for each power of two.
int FoldLevels(std::int64_t lanes) {
  return std::countr_zero(static_cast<std::uint64_t>(lanes));
}

std::string Columns(std::int64_t first, std::int64_t end) {
  return fmt::format("columns {}-{}", first, end - 1);
}

Phase Fold(std::int64_t lanes, int last) {
  return {
      "fold",
      fmt::format("lane e by lane e+w, w = {}, {}, …, 1", lanes / 2, lanes / 4),
      last - FoldLevels(lanes) + 1, last};
}

Phase Gather(std::int64_t lanes, std::int64_t columns, int last) {
  return {"gather",
          lanes == 1
              ? fmt::format("{} from left to right, starting from 1",
                            Columns(0, columns))
              : fmt::format(
                    "column j into lane j mod {}, ascending, starting from 1",
                    lanes),
          0, last};
}

std::vector<Phase> Documented(std::int64_t lanes, std::int64_t columns,
                              int last) {
  const std::int64_t repeats = columns / lanes;
  const std::int64_t pairs = repeats / 2;
  std::vector<Phase> phases;
  if (pairs > 0) {
    phases.push_back(
        {"pairs",
         fmt::format("tmp[k] = repeat 2k by repeat 2k+1, {} of {} in all",
                     Counted(pairs, "pair"), Columns(0, 2 * pairs * lanes)),
         0, 0});
  }
  const std::string into =
      pairs > 0 ? "into tmp[0]" : "into tmp[0], which starts as ones";
  if (repeats % 2 == 1) {
    phases.push_back(
        {"odd repeat",
         fmt::format("{} {}", Columns((repeats - 1) * lanes, repeats * lanes),
                     into),
         1, 1});
  }
  if (columns % lanes != 0) {
    phases.push_back({"tail",
                      fmt::format("{} {} from lane 0 on",
                                  Columns(repeats * lanes, columns), into),
                      2, 2});
  }
  if (pairs > 1) {
    phases.push_back({"tmp pairs",
                      fmt::format("neighbours among {} tmp repeats until one "
                                  "is left, an unpaired last one moves down",
                                  pairs),
                      3, last - FoldLevels(lanes)});
  }
  phases.push_back(Fold(lanes, last));
  return phases;
}

}  // namespace

std::vector<Phase> PhasesOf(const isa::Call& call,
                            const std::vector<oracle::Node>& nodes) {
  const std::int64_t bytes = isa::SizeBytes(call.dtype);
  const std::int64_t repeat_lanes = isa::kIterationBytes / bytes;
  const std::int64_t block_lanes = isa::kDataBlockBytes / bytes;
  const std::int64_t columns = call.tiles[isa::Call::kSrcTile].valid_col;
  const int last = LastLevel(nodes);
  switch (call.order.value_or(isa::Order::kDocumented)) {
    case isa::Order::kDocumented:
      return Documented(repeat_lanes, columns, last);
    case isa::Order::kBlockLanes: {
      std::string meaning =
          fmt::format("lanes 0-{} from left to right", block_lanes - 1);
      if (call.dtype == isa::DType::kHalf) {
        meaning += ", in float, rounded to half once at the end";
      }
      return {Gather(block_lanes, columns, last - 1),
              {"chain", meaning, last, last}};
    }
    case isa::Order::kRegisterLanes:
      return {Gather(repeat_lanes, columns, last - FoldLevels(repeat_lanes)),
              Fold(repeat_lanes, last)};
    case isa::Order::kLeftFold:
      return {Gather(1, columns, last)};
  }
  return {};
}

}  // namespace lanediff::view
