// RepeatReduceSum and WholeReduceSum, which look alike.

#include <fmt/format.h>

#include <cstdint>
#include <string>

#include "reports/trace/instructions.h"
#include "tools/cli/verbs/explain/arithmetic.h"
#include "tools/cli/verbs/explain/blocks.h"
#include "tools/cli/verbs/explain/instructions.h"
#include "tools/cli/verbs/explain/lanes.h"

namespace lanediff::cli::explain {
namespace {

/// RRS-TREE, WRS-TREE: the leaves below a node.
std::string LeavesOf(const oracle::Node& node) {
  if (node.operation == "write") return "sole lane";
  const std::int64_t leaves = std::int64_t{2} << node.level;
  return fmt::format("level {} node {} (lanes {}-{})", node.level, node.index,
                     node.index * leaves, (node.index + 1) * leaves - 1);
}

template <class Call>
void PictureOfSum(const Call& call, const StepFacts& facts) {
  PrintLanes(facts, "src", call.dtype,
             view::PortraitOf(call, facts).mask_origin);
  PrintBlocks(facts, "iteration");
  PrintNodes(facts, LeavesOf);
  PrintTrueResults(facts, call.dtype);
}

}  // namespace

void Picture(const isa::RepeatReduceSum& call, const StepFacts& facts) {
  PictureOfSum(call, facts);
}

void Picture(const isa::WholeReduceSum& call, const StepFacts& facts) {
  PictureOfSum(call, facts);
}

}  // namespace lanediff::cli::explain
