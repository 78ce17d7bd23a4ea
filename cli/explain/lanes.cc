#include "cli/explain/lanes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "cli/explain/text.h"

namespace lanediff::cli::explain {
namespace {

constexpr std::size_t kBlocksOfIteration = 8;

struct Drawing {
  std::vector<std::string> blocks;  ///< one character a lane
  std::int64_t lanes = 0;           ///< that take part
};

/// All iterations have the same lanes; the first is drawn.
Drawing Draw(const StepFacts& facts, std::string_view operand,
             isa::DType type) {
  const std::int64_t bytes = ElementBytes(type);
  const auto per_block = static_cast<std::size_t>(32 / bytes);
  std::string all(kBlocksOfIteration * per_block, '.');
  Drawing drawing;
  for (const oracle::Access& access : facts.accesses) {
    if (access.iteration != 0 || access.operand != operand) continue;
    const auto first = static_cast<std::size_t>(access.lane);
    const auto count = static_cast<std::size_t>(access.bytes / bytes);
    if (all.size() < first + count) all.resize(first + count, '.');
    std::fill_n(all.begin() + access.lane, count, '#');
    drawing.lanes += static_cast<std::int64_t>(count);
  }
  all.resize((all.size() + per_block - 1) / per_block * per_block, '.');
  for (std::size_t at = 0; at < all.size(); at += per_block) {
    drawing.blocks.push_back(all.substr(at, per_block));
  }
  return drawing;
}

}  // namespace

void PrintLanes(const StepFacts& facts, std::string_view operand,
                isa::DType type, const std::string& origin) {
  if (facts.accesses.empty()) {
    PrintWrapped("  lanes: ", "none takes part; " + origin);
    return;
  }
  const Drawing drawing = Draw(facts, operand, type);
  PrintWrapped(
      "  lanes: ",
      fmt::format("{} take part; {}", Counted(drawing.lanes, "lane"), origin));
  for (std::size_t i = 0; i < drawing.blocks.size();) {
    std::size_t end = i + 1;
    while (end < drawing.blocks.size() &&
           drawing.blocks[end] == drawing.blocks[i]) {
      ++end;
    }
    const std::string which = end - i == 1
                                  ? fmt::format("block {}", i)
                                  : fmt::format("blocks {}-{}", i, end - 1);
    fmt::print("    {:<12} |{}|\n", which, drawing.blocks[i]);
    i = end;
  }
}

bool HasMaskedLane(const StepFacts& facts, std::string_view operand,
                   isa::DType type) {
  return std::ranges::any_of(Draw(facts, operand, type).blocks,
                             [](const std::string& block) {
                               return block.find('.') != std::string::npos;
                             });
}

std::string RegisterOrigin(const StepFacts& facts) {
  return "mask from the register, " + facts.before.MaskOrigin();
}

}  // namespace lanediff::cli::explain
