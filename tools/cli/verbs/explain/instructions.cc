// What an executed step did.

#include "reports/trace/instructions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "differential/testcase/element.h"
#include "isa/footprint.h"
#include "isa/memory_map.h"
#include "oracle/product_bound.h"
#include "reports/trace/facts.h"
#include "tools/cli/verbs/explain/explain.h"

namespace lanediff::cli::explain {

namespace {

using isa::Access;
using isa::Call;
using oracle::Node;
using view::kNoEvent;
using view::NodeCounts;
using view::Phase;
using view::RankOf;

/// A node for each lane.
std::string LaneOf(const Node& node) {
  return fmt::format("lane {}", node.index);
}

/// Of a reduction's trees: the leaves below a node, or the result that it
/// writes.
std::string LeavesOf(const Node& node) {
  if (node.operation == "write") return fmt::format("result {}", node.index);
  const std::int64_t leaves = std::int64_t{2} << node.level;
  return fmt::format("level {} node {} (lanes {}-{})", node.level, node.index,
                     node.index * leaves, (node.index + 1) * leaves - 1);
}

/// What lies between this block of an operand and its next.
std::string GapBehind(const std::vector<Access>& accesses, std::size_t i) {
  const auto next = std::find_if(
      accesses.begin() + static_cast<std::ptrdiff_t>(i) + 1, accesses.end(),
      [&](const Access& other) { return other.write == accesses[i].write; });
  if (next == accesses.end()) return "";
  const std::int64_t end = accesses[i].at + accesses[i].bytes;
  if (next->at == end) return "";
  return fmt::format(", then a gap of {} bytes to {}{}", next->at - end,
                     next->at, accesses[i].write ? ", unchanged" : "");
}

/// The count form: what was requested and what was moved (DC-COUNT-LENGTH).
void PrintCount(const Call& call, const StepFacts& facts) {
  const std::int64_t bytes =
      isa::SizeBytes(call.src(0).dtype.value_or(call.dtype));
  const std::int64_t count = call[isa::Param::kCount];
  const std::int64_t requested = count * bytes;
  std::int64_t moved = 0;
  for (const Access& access : facts.accesses) {
    if (access.write) moved += access.bytes;
  }
  fmt::print("  count: {} of {} bytes each are {} bytes; {} bytes are copied",
             Counted(count, "element"), bytes, requested, moved);
  if (moved < requested) {
    fmt::print(", the tail of {} is not",
               Counted((requested - moved) / bytes, "element"));
  }
  fmt::print("\n");
}

/// What stands around the blocks (DCP-FILL).
void PrintPadding(const Call& call, const StepFacts& facts) {
  using enum isa::Param;
  const std::int64_t bytes =
      isa::FootprintsOfMove(call)[0].first - call[kBlockLen];
  if (facts.accesses.empty() || bytes == 0) return;
  const bool padded = call[kLeftPadding] != 0 || call[kRightPadding] != 0;
  fmt::print("  padding: {} a block, {} of them in front; {}\n",
             Counted(bytes, "byte"),
             call[kLeftPadding] * isa::SizeBytes(call.dtype),
             !padded       ? "the block's first element"
             : call.is_pad ? DescribeElement(call.dtype, call.scalar)
                           : "no document states the value");
}

constexpr std::size_t kSide = 16;
constexpr std::size_t kCellWidth = 4;

using Matrix = std::array<std::string, kSide * kSide>;

/// The matrix at `at`, as values or, where a value is wider than a cell, as
/// bits.
Matrix CellsAt(const diff::MemorySet& memory, const Access& access) {
  const std::span<const std::uint8_t> bytes = memory[access.memory];
  Matrix values;
  Matrix patterns;
  bool fits = true;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::uint64_t bits = LoadElement(
        access.dtype,
        std::span(bytes).subspan(static_cast<std::size_t>(access.at) + 2 * i));
    values[i] = ElementToText(access.dtype, bits).text;
    patterns[i] = fmt::format("{:04x}", bits);
    fits = fits && values[i].size() <= kCellWidth;
  }
  return fits ? values : patterns;
}

/// The last iteration after that of `write` which writes one of its bytes
/// again, if one does.
std::optional<std::int64_t> OverwrittenBy(const std::vector<Access>& accesses,
                                          const Access& write) {
  std::optional<std::int64_t> last;
  for (const Access& later : accesses) {
    if (later.write && later.iteration > write.iteration &&
        later.at < write.at + write.bytes &&
        write.at < later.at + later.bytes) {
      last = later.iteration;
    }
  }
  return last;
}

void PrintMatrix(const StepFacts& facts, const Access& write) {
  const auto later = OverwrittenBy(facts.accesses, write);
  if (later) {
    fmt::print("    iteration {}: iteration {} writes there again\n",
               write.iteration, *later);
    return;
  }
  fmt::print("    iteration {}: dst {} {} after the step, row by row\n",
             write.iteration, isa::Name(write.memory), write.at);
  const Matrix cells = CellsAt(facts.memory, write);
  for (std::size_t row = 0; row < kSide; ++row) {
    std::string line;
    for (std::size_t i = 0; i < kSide; ++i) {
      line += fmt::format(" {:>{}}", cells[row * kSide + i], kCellWidth);
    }
    fmt::print("    src {:>2},{:>2}…{:>3} |{}\n", row, row + kSide,
               row + kSide * (kSide - 1), line);
  }
}

/// "127 nodes: 86 rounded (12 of them ties), 1 saturated".
std::string Text(const NodeCounts& counts) {
  std::string text = Counted(counts.all, "node") + ":";
  if (counts.rounded == 0) {
    text += counts.outside == 0 ? " all exact" : " none rounded";
  }
  if (counts.rounded > 0) text += fmt::format(" {} rounded", counts.rounded);
  if (counts.tied > 0) text += fmt::format(" ({} of them ties)", counts.tied);
  const std::pair<std::int64_t, std::string_view> others[] = {
      {counts.saturated, "saturated"},
      {counts.wrapped, "wrapped"},
      {counts.nan, "with NaN"}};
  for (const auto& [count, what] : others) {
    if (count > 0) text += fmt::format(", {} {}", count, what);
  }
  return text;
}

void PrintTree(const Call& call, const std::vector<Phase>& phases,
               const StepFacts& facts) {
  const std::int64_t columns = call.tiles[Call::kSrcTile].valid_col;
  const std::int64_t lanes = 256 / isa::SizeBytes(call.dtype);
  fmt::print("  product of a row, order {}{}: {} = {} of {} lanes and {}\n",
             isa::Name(call.order.value_or(isa::Order::kDocumented)),
             call.order ? "" : " (the default)", Counted(columns, "column"),
             Counted(columns / lanes, "repeat"), lanes,
             Counted(columns % lanes, "tail column"));
  for (const Phase& phase : phases) {
    NodeCounts counts;
    for (const Node& node : facts.nodes) {
      if (node.iteration == facts.focus && phase.Has(node)) counts.Add(node);
    }
    const std::string levels =
        phase.first_level == phase.last_level
            ? fmt::format("level {}", phase.first_level)
            : fmt::format("levels {}-{}", phase.first_level, phase.last_level);
    PrintWrapped(fmt::format("    {:<10} {:<11} ", phase.name, levels),
                 fmt::format("{}; row {}: {}", phase.meaning, facts.focus,
                             Text(counts)));
  }
}

std::string PlaceOf(const std::vector<Phase>& phases, const Node& node) {
  const auto phase =
      std::ranges::find_if(phases, [&](const Phase& p) { return p.Has(node); });
  return fmt::format("level {}{} lane {}", node.level,
                     phase == phases.end() ? "" : " " + phase->name,
                     node.index);
}

/// The factors of a row. No tile of the call overlaps src, so that they are
/// still there after the step.
std::vector<std::uint64_t> FactorsOf(const StepFacts& facts, std::int64_t row) {
  std::vector<std::uint64_t> factors;
  for (const Access& access : facts.accesses) {
    if (access.write || access.iteration != row) continue;
    const std::span<const std::uint8_t> memory = facts.memory[access.memory];
    const std::int64_t bytes = isa::SizeBytes(access.dtype);
    for (std::int64_t at = 0; at < access.bytes; at += bytes) {
      factors.push_back(LoadElement(
          access.dtype,
          std::span(memory).subspan(static_cast<std::size_t>(access.at + at))));
    }
  }
  return factors;
}

void PrintBound(const Call& call, const StepFacts& facts) {
  for (const oracle::TrueResult& result : facts.true_results) {
    if (result.iteration != facts.focus) continue;
    const std::optional<bool> within = oracle::WithinProductBound(
        call.dtype, FactorsOf(facts, result.iteration), result.bits);
    fmt::print("    error bound (1+2^-{})^{} - 1: {}\n",
               call.dtype == isa::DType::kHalf ? 11 : 24,
               call.tiles[Call::kSrcTile].valid_col - 1,
               !within   ? "undefined for zeros, NaNs, overflow and underflow"
               : *within ? "kept"
                         : "EXCEEDED, an operation under- or overflowed");
  }
}

/// Nodes that are shown unless all are requested.
constexpr std::size_t kFewNodes = 12;

std::string EventsOf(const Node& node) {
  std::string events;
  if (node.tie) {
    events += "  ROUNDED, tie to even";
  } else if (node.rounded) {
    events += "  ROUNDED";
  }
  if (node.saturated) events += "  SATURATED";
  if (node.wrapped) events += "  WRAPPED";
  return events;
}

std::string NodeText(const Node& node) {
  const auto show = [&](std::uint64_t bits) {
    return ElementToText(node.dtype, bits).text;
  };
  const std::string inputs =
      node.operation == "write"
          ? show(node.left)
          : fmt::format("{}, {}{}{}", show(node.left), show(node.right),
                        node.third ? ", " : "",
                        node.third ? show(*node.third) : "");
  return fmt::format(
      "{} {} = {} → {}{}", node.operation, inputs,
      view::ShortDecimal(node.exact),
      DescribeElement(node.result_dtype.value_or(node.dtype), node.result),
      EventsOf(node));
}

/// The indices of the nodes to show, in the order of execution.
std::vector<std::size_t> Selection(const StepFacts& facts) {
  std::vector<std::size_t> chosen;
  const bool everything = facts.all || facts.nodes.size() <= kFewNodes;
  for (std::size_t i = 0; i < facts.nodes.size(); ++i) {
    if (everything || RankOf(facts.nodes[i]) < kNoEvent) chosen.push_back(i);
  }
  if (everything || chosen.size() <= kFewNodes) return chosen;
  std::ranges::sort(chosen, {}, [&](std::size_t i) {
    const Node& node = facts.nodes[i];
    return std::tuple(node.iteration != facts.focus, RankOf(node), i);
  });
  chosen.resize(kFewNodes);
  std::ranges::sort(chosen);
  return chosen;
}

/// `numbered`: an iteration has several results.
void PrintTrueResult(const oracle::TrueResult& result, isa::DType type,
                     bool numbered) {
  fmt::print("    iteration {}{}: exact {}\n", result.iteration,
             numbered ? fmt::format(" result {}", result.lane) : "",
             view::ShortDecimal(result.exact));
  const std::string written = DescribeElement(type, result.bits);
  const auto [nearest, ulp] = view::NearestOf(type, result.exact, result.bits);
  if (!nearest) {
    fmt::print("      no finite {}; written is {}\n", isa::Name(type), written);
    return;
  }
  std::string distance = ", at no distance from a NaN";
  if (ulp) distance = *ulp == 0 ? "" : fmt::format(", {} ULP from it", *ulp);
  fmt::print("      nearest {} is {}; written is {}{}\n", isa::Name(type),
             DescribeElement(type, *nearest), written, distance);
}

/// Prints how many nodes there were and those in which something happened: of
/// the iteration in focus first, saturation and NaNs before ties before other
/// rounding, as many as fit. `place` describes where a node stands.
void PrintNodes(const StepFacts& facts,
                const std::function<std::string(const Node&)>& place) {
  if (facts.nodes.empty()) {
    fmt::print("  arithmetic: none\n");
    return;
  }
  NodeCounts counts;
  for (const Node& node : facts.nodes) counts.Add(node);
  fmt::print("  arithmetic, {}\n", Text(counts));
  const std::vector<std::size_t> chosen = Selection(facts);
  for (const std::size_t i : chosen) {
    const Node& node = facts.nodes[i];
    fmt::print("    iteration {} {}: {}\n", node.iteration, place(node),
               NodeText(node));
  }
  if (chosen.size() == facts.nodes.size()) return;
  const std::int64_t events = std::ranges::count_if(
      facts.nodes, [](const Node& node) { return RankOf(node) < kNoEvent; });
  if (events == 0) {
    fmt::print("    none rounded, saturated or with NaN; --all shows them\n");
    return;
  }
  const auto shown = static_cast<std::int64_t>(chosen.size());
  const std::int64_t more = std::max<std::int64_t>(events - shown, 0);
  fmt::print(
      "    … {} more rounded, saturated or with NaN, {} without event; "
      "--all shows them\n",
      more, counts.all - shown - more);
}

/// Prints the exact result of the iteration in focus (of all, if everything is
/// requested) beside its nearest representable value and what was written.
void PrintTrueResults(const StepFacts& facts, isa::DType type) {
  if (facts.true_results.empty()) return;
  fmt::print("  true results, unrounded\n");
  const bool numbered =
      std::ranges::adjacent_find(facts.true_results, {},
                                 &oracle::TrueResult::iteration) !=
      facts.true_results.end();
  std::set<std::int64_t> left_out;
  for (const oracle::TrueResult& result : facts.true_results) {
    if (facts.all || result.iteration == facts.focus) {
      PrintTrueResult(result, type, numbered);
    } else {
      left_out.insert(result.iteration);
    }
  }
  PrintLeftOut(std::ssize(left_out), "iteration");
}

void PictureLanes(const Call& call, const StepFacts& facts) {
  const bool reduces = call.Is(isa::Family::kReduction);
  PrintLanes(facts, reduces ? "src" : "dst", call.TypeOf(reduces ? 1 : 0),
             isa::LaneBytes(call), view::PortraitOf(call, facts).mask_origin);
  PrintBlocks(facts, "iteration");
  PrintNodes(facts, reduces ? LeavesOf : LaneOf);
  if (reduces) PrintTrueResults(facts, call.dtype);
}

void PictureCopy(const Call& call, const StepFacts& facts) {
  if (call.Has(isa::Param::kCount)) PrintCount(call, facts);
  PrintBlocks(facts, "block",
              [&](std::size_t i) { return GapBehind(facts.accesses, i); });
  if (call.Has(isa::Param::kIsPad)) PrintPadding(call, facts);
  const auto type_of = [&](const isa::Operand& operand) {
    return operand.dtype.value_or(call.dtype);
  };
  if (type_of(call.src(0)) != type_of(call.dst())) {
    fmt::print("  conversion: each {} becomes the {} of the same value\n",
               isa::Name(type_of(call.src(0))), isa::Name(type_of(call.dst())));
  }
}

void PictureTranspose(const StepFacts& facts) {
  PrintBlocks(facts, "iteration");
  fmt::print(
      "  transposed: row j of dst is column j of src, the elements named at "
      "the left\n");
  std::optional<std::int64_t> also;  // who has the last word there
  std::int64_t left_out = 0;
  for (const Access& access : facts.accesses) {
    if (!access.write) continue;
    if (facts.all || access.iteration == facts.focus ||
        access.iteration == also) {
      PrintMatrix(facts, access);
      also = OverwrittenBy(facts.accesses, access);
    } else {
      ++left_out;
    }
  }
  PrintLeftOut(left_out, "iteration");
}

void PictureTiles(const Call& call, const StepFacts& facts) {
  PrintBlocks(facts, "row");
  const std::vector<Phase> phases = view::PortraitOf(call, facts).phases;
  PrintTree(call, phases, facts);
  PrintNodes(facts, [&](const Node& node) { return PlaceOf(phases, node); });
  PrintTrueResults(facts, call.dtype);
  PrintBound(call, facts);
}

}  // namespace

void Picture(const isa::Step& step, const StepFacts& facts) {
  const auto* const call = std::get_if<Call>(&step);
  if (call == nullptr) return;
  switch (call->signature->family) {
    case isa::Family::kLanewise:
    case isa::Family::kReduction:
      return PictureLanes(*call, facts);
    case isa::Family::kCopy:
      return PictureCopy(*call, facts);
    case isa::Family::kTranspose:
      return PictureTranspose(facts);
    case isa::Family::kBroadcast:
      return PrintBlocks(facts, "iteration");
    case isa::Family::kTile:
      return PictureTiles(*call, facts);
  }
}

}  // namespace lanediff::cli::explain
