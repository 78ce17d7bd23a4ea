#include "isa/repeat_reduce_sum.h"

#include <fmt/format.h>

#include <cstdint>
#include <string>

#include "cli/explain/arithmetic.h"
#include "cli/explain/blocks.h"
#include "cli/explain/instructions.h"
#include "cli/explain/lanes.h"

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

bool Uses(const isa::RepeatReduceSum& call, isa::RuleId rule,
          const StepFacts& facts) {
  namespace rrs = isa::rrs;
  if (rule == rrs::kDstBlkStride) return call.dst_blk_stride != 0;
  if (rule == rrs::kInOrder) return facts.iterations() > 1;
  if (rule == rrs::kSaturate) {
    return call.dtype == isa::DType::kHalf && facts.before.saturation() &&
           !facts.nodes.empty();
  }
  return !facts.accesses.empty();
}

void Picture(const isa::RepeatReduceSum& call, const StepFacts& facts) {
  PrintLanes(facts, "src", call.dtype,
             call.is_set_mask
                 ? fmt::format("mask from the call, the first {} lanes",
                               call.elems_in_one_repeat)
                 : RegisterOrigin(facts));
  PrintBlocks(facts, "iteration");
  PrintNodes(facts, LeavesOf);
  PrintTrueResults(facts, call.dtype);
}

}  // namespace lanediff::cli::explain
