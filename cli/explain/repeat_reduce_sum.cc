#include "isa/repeat_reduce_sum.h"

#include <fmt/format.h>

#include <cstdint>
#include <string>

#include "cli/explain/arithmetic.h"
#include "cli/explain/blocks.h"
#include "cli/explain/instructions.h"
#include "cli/explain/lanes.h"
#include "view/instructions.h"

namespace lanediff::cli::explain {
namespace {

/// RRS-TREE: the leaves below a node.
std::string LeavesOf(const oracle::Node& node) {
  if (node.operation == "write") return "sole lane";
  const std::int64_t leaves = std::int64_t{2} << node.level;
  return fmt::format("level {} node {} (lanes {}-{})", node.level, node.index,
                     node.index * leaves, (node.index + 1) * leaves - 1);
}

}  // namespace

void Picture(const isa::RepeatReduceSum& call, const StepFacts& facts) {
  PrintLanes(facts, "src", call.dtype,
             view::PortraitOf(call, facts).mask_origin);
  PrintBlocks(facts, "iteration");
  PrintNodes(facts, LeavesOf);
  PrintTrueResults(facts, call.dtype);
}

}  // namespace lanediff::cli::explain
