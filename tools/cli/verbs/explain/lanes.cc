#include "tools/cli/verbs/explain/lanes.h"

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <vector>

#include "reports/trace/lanes.h"
#include "tools/cli/verbs/explain/text.h"

namespace lanediff::cli::explain {
namespace {

/// The drawing in pieces of a DataBlock each.
std::vector<std::string> BlocksOf(const std::string& drawing, isa::DType type) {
  const auto per_block = static_cast<std::size_t>(32 / ElementBytes(type));
  std::vector<std::string> blocks;
  for (std::size_t at = 0; at < drawing.size(); at += per_block) {
    blocks.push_back(drawing.substr(at, per_block));
  }
  return blocks;
}

}  // namespace

void PrintLanes(const StepFacts& facts, std::string_view operand,
                isa::DType type, const std::string& origin) {
  if (facts.accesses.empty()) {
    PrintWrapped("  lanes: ", "none takes part; " + origin);
    return;
  }
  const view::Lanes lanes = view::LanesOf(facts, operand, type);
  PrintWrapped("  lanes: ",
               fmt::format("{} take part; {}",
                           Counted(lanes.taking_part, "lane"), origin));
  const std::vector<std::string> blocks = BlocksOf(lanes.drawing, type);
  for (std::size_t i = 0; i < blocks.size();) {
    std::size_t end = i + 1;
    while (end < blocks.size() && blocks[end] == blocks[i]) ++end;
    const std::string which = end - i == 1
                                  ? fmt::format("block {}", i)
                                  : fmt::format("blocks {}-{}", i, end - 1);
    fmt::print("    {:<12} |{}|\n", which, blocks[i]);
    i = end;
  }
}

}  // namespace lanediff::cli::explain
