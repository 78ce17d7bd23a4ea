#include <fmt/format.h>

#include "tools/cli/verbs/explain/arithmetic.h"
#include "tools/cli/verbs/explain/blocks.h"
#include "tools/cli/verbs/explain/instructions.h"
#include "tools/cli/verbs/explain/lanes.h"

namespace lanediff::cli::explain {

void PictureOfLanes(isa::DType dtype, const std::string& mask_origin,
                    const StepFacts& facts) {
  PrintLanes(facts, "dst", dtype, mask_origin);
  PrintBlocks(facts, "iteration");
  PrintNodes(facts, [](const oracle::Node& node) {
    return fmt::format("lane {}", node.index);
  });
}

}  // namespace lanediff::cli::explain
