#include "isa/min.h"

#include <fmt/format.h>

#include "cli/explain/arithmetic.h"
#include "cli/explain/blocks.h"
#include "cli/explain/instructions.h"
#include "cli/explain/lanes.h"
#include "view/instructions.h"

namespace lanediff::cli::explain {

void Picture(const isa::Min& call, const StepFacts& facts) {
  PrintLanes(facts, "dst", call.dtype,
             view::PortraitOf(call, facts).mask_origin);
  PrintBlocks(facts, "iteration");
  PrintNodes(facts, [](const oracle::Node& node) {
    return fmt::format("lane {}", node.index);
  });
}

}  // namespace lanediff::cli::explain
