#include "reports/trace/instructions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <variant>
#include <vector>

#include "isa/footprint.h"
#include "isa/memory_map.h"
#include "isa/step.h"
#include "reports/trace/arithmetic.h"

namespace lanediff::view {
namespace {

using isa::CallRule;
using isa::Family;
using isa::Param;

bool Saturates(isa::DType dtype, const StepFacts& facts) {
  return dtype == isa::DType::kHalf && facts.before.saturation() &&
         !facts.nodes.empty();
}

/// Whether a lane of the 256 bytes of an iteration takes no part.
bool HasMaskedLane(const StepFacts& facts, std::string_view operand,
                   isa::DType type) {
  return LanesOf(facts, operand, type).drawing.find('.') != std::string::npos;
}

/// Whether an access that reads, or one that writes, finds a byte that an
/// earlier iteration wrote. An iteration's reads are listed before its writes.
bool FindsWritten(const std::vector<isa::Access>& accesses, bool write) {
  constexpr std::int64_t kNoIteration = -1;
  std::vector<std::int64_t> writers;  // by byte, the last one
  for (const isa::Access& access : accesses) {
    const auto begin = static_cast<std::size_t>(access.at);
    const auto end = begin + static_cast<std::size_t>(access.bytes);
    if (writers.size() < end) writers.resize(end, kNoIteration);
    for (std::size_t i = begin; i < end; ++i) {
      const bool written =
          writers[i] != kNoIteration && writers[i] != access.iteration;
      if (written && access.write == write) return true;
      if (access.write) writers[i] = access.iteration;
    }
  }
  return false;
}

/// Of lane-wise calls and reductions.
bool UsesOfLanes(const isa::Call& call, const isa::Rule& rule,
                 const StepFacts& facts) {
  if (rule.id == call.Rule(CallRule::kDstBlkStride)) {
    return call[Param::kDstBlkStride] != 0;
  }
  if (facts.accesses.empty()) return false;
  if ((rule.forms >> call.form & 1) == 0) return false;
  if (rule.id == call.Rule(CallRule::kMaskLanes)) return call.is_set_mask;
  if (rule.id == call.Rule(CallRule::kUnmasked)) {
    return call.IsByCount() ? call.dst().bytes / isa::SizeBytes(call.dtype) >
                                  call[Param::kCount]
                            : HasMaskedLane(facts, "dst", call.dtype);
  }
  if (rule.id == call.Rule(CallRule::kInOrder)) {
    if (call.Is(Family::kReduction)) return facts.iterations() > 1;
    // Min's page states nothing on bytes that are written twice.
    return FindsWritten(facts.accesses, false) ||
           (call.signature->op != "Min" && FindsWritten(facts.accesses, true));
  }
  if (rule.id == call.Rule(CallRule::kSaturate)) {
    return Saturates(call.dtype, facts);
  }
  if (rule.id == call.Rule(CallRule::kIntegerOverflow)) {
    return std::ranges::any_of(facts.nodes, LeavesItsType);
  }
  return true;
}

std::string MaskOrigin(const isa::Call& call, const StepFacts& facts) {
  if (call.IsByCount()) {
    return fmt::format("no mask, count is {}", call[Param::kCount]);
  }
  if (!call.is_set_mask) {
    return "mask from the register, " + facts.before.MaskOrigin();
  }
  if (call.Has(Param::kMask)) {
    return fmt::format("mask from the call, the first {} lanes",
                       call[Param::kMask]);
  }
  return fmt::format(
      "mask from the call, 0x{:x} for lanes 0-63 and 0x{:x} from 64 on",
      call.mask_words[0], call.mask_words[1]);
}

Portrait PortraitOfLanes(const isa::Call& call, const StepFacts& facts) {
  const bool reduces = call.Is(Family::kReduction);
  Portrait portrait{
      .masked_operand = reduces ? "src" : "dst",
      .dtype = call.dtype,
      .mask_origin = MaskOrigin(call, facts),
      .arithmetic = reduces ? Arithmetic::kTree : Arithmetic::kLanes};
  if (call.IsByCount()) return portrait;
  const auto specs = call.signature->operands;
  const auto add = [&](std::size_t i) {
    portrait.lanes.push_back({specs[i].name, call.operands[i].at,
                              call.BlkStride(i), call.RepStride(i)});
  };
  for (std::size_t i = 1; i < specs.size(); ++i) add(i);
  if (!reduces) add(0);
  return portrait;
}

}  // namespace

bool Uses(const isa::Step& step, const isa::Rule& rule,
          const StepFacts& facts) {
  const auto* const call = std::get_if<isa::Call>(&step);
  if (call == nullptr) return true;
  switch (call->signature->family) {
    case Family::kLanewise:
    case Family::kReduction:
      return UsesOfLanes(*call, rule, facts);
    case Family::kCopy:
      if (rule.id == call->Rule(CallRule::kFill)) {
        const std::int64_t padded = isa::FootprintsOf(step)[0].first;
        return call->Has(Param::kIsPad) && !facts.accesses.empty() &&
               padded > (*call)[Param::kBlockLen];
      }
      return rule.forms == isa::kEveryForm
                 ? !facts.accesses.empty()
                 : (rule.forms >> call->form & 1) != 0;
    case Family::kTranspose: {
      const bool needs_more = rule.id == call->Rule(CallRule::kAddress) ||
                              rule.id == call->Rule(CallRule::kInOrder);
      return !needs_more || facts.iterations() > 1;
    }
    case Family::kTile:
      break;
  }
  return rule.id != call->Rule(CallRule::kSaturate) ||
         call->dtype == isa::DType::kHalf;
}

Portrait PortraitOf(const isa::Step& step, const StepFacts& facts) {
  const auto* const call = std::get_if<isa::Call>(&step);
  if (call == nullptr) return {};
  switch (call->signature->family) {
    case Family::kLanewise:
    case Family::kReduction:
      return PortraitOfLanes(*call, facts);
    case Family::kCopy:
      return {.iteration = "block"};
    case Family::kTranspose:
      return {};
    case Family::kTile:
      break;
  }
  return {.iteration = "row",
          .arithmetic = Arithmetic::kPhases,
          .phases = facts.nodes.empty() ? std::vector<Phase>()
                                        : PhasesOf(*call, facts.nodes)};
}

}  // namespace lanediff::view
