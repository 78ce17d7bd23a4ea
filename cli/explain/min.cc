#include "isa/min.h"

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <vector>

#include "cli/explain/arithmetic.h"
#include "cli/explain/blocks.h"
#include "cli/explain/instructions.h"
#include "cli/explain/lanes.h"

namespace lanediff::cli::explain {
namespace {

using isa::Min;

/// Whether an iteration reads a byte that an earlier one wrote. An iteration's
/// reads are listed before its writes.
bool ReadsWhatItWrote(const std::vector<oracle::Access>& accesses) {
  std::vector<bool> written;
  for (const oracle::Access& access : accesses) {
    const auto begin = static_cast<std::size_t>(access.at);
    const auto end = begin + static_cast<std::size_t>(access.bytes);
    if (written.size() < end) written.resize(end);
    for (std::size_t i = begin; i < end; ++i) {
      if (access.write) {
        written[i] = true;
      } else if (written[i]) {
        return true;
      }
    }
  }
  return false;
}

std::string OriginOf(const Min& call, const StepFacts& facts) {
  if (call.form == Min::kCount) {
    return fmt::format("no mask, count is {}", call.count);
  }
  if (!call.is_set_mask) return RegisterOrigin(facts);
  if (call.form == Min::kContiguous) {
    return fmt::format("mask from the call, the first {} lanes", call.mask);
  }
  return fmt::format(
      "mask from the call, 0x{:x} for lanes 0-63 and 0x{:x} from 64 on",
      call.mask_words[0], call.mask_words[1]);
}

}  // namespace

bool Uses(const Min& call, isa::RuleId rule, const StepFacts& facts) {
  namespace rule_of = isa::min;
  if (facts.accesses.empty()) return false;
  const bool masked = call.form != Min::kCount;
  if (rule == rule_of::kMaskLanes) return masked && call.is_set_mask;
  if (rule == rule_of::kUnmasked) {
    return masked && HasMaskedLane(facts, "dst", call.dtype);
  }
  if (rule == rule_of::kInOrder) return ReadsWhatItWrote(facts.accesses);
  return true;
}

void Picture(const Min& call, const StepFacts& facts) {
  PrintLanes(facts, "dst", call.dtype, OriginOf(call, facts));
  PrintBlocks(facts, "iteration");
  PrintNodes(facts, [](const oracle::Node& node) {
    return fmt::format("lane {}", node.index);
  });
}

}  // namespace lanediff::cli::explain
