#include "reports/trace/instructions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <variant>
#include <vector>

#include "isa/data_copy.h"
#include "isa/memory_map.h"
#include "isa/step.h"
#include "isa/trowprod.h"
#include "isa/vec_trans.h"
#include "reports/trace/arithmetic.h"

namespace lanediff::view {
namespace {

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

bool Reduces(const isa::Call& call) {
  return call.signature->family == isa::Family::kReduction;
}

struct UsesOwnRule {
  const isa::Rule& rule;
  const StepFacts& facts;

  bool operator()(const isa::Call& call) const {
    using isa::CallRule;
    using isa::Param;
    if (rule.id == call.Rule(CallRule::kDstBlkStride)) {
      return call[Param::kDstBlkStride] != 0;
    }
    if (facts.accesses.empty()) return false;
    if ((rule.forms >> call.form & 1) == 0) return false;
    if (rule.id == call.Rule(CallRule::kMaskLanes)) return call.is_set_mask;
    if (rule.id == call.Rule(CallRule::kUnmasked)) {
      return call.Has(Param::kCount)
                 ? call.dst().bytes / isa::SizeBytes(call.dtype) >
                       call[Param::kCount]
                 : HasMaskedLane(facts, "dst", call.dtype);
    }
    if (rule.id == call.Rule(CallRule::kInOrder)) {
      if (Reduces(call)) return facts.iterations() > 1;
      // Min's page states nothing on bytes that are written twice.
      return FindsWritten(facts.accesses, false) ||
             (call.signature->op != "Min" &&
              FindsWritten(facts.accesses, true));
    }
    if (rule.id == call.Rule(CallRule::kSaturate)) {
      return Saturates(call.dtype, facts);
    }
    if (rule.id == call.Rule(CallRule::kIntegerOverflow)) {
      return std::ranges::any_of(facts.nodes, LeavesItsType);
    }
    return true;
  }
  bool operator()(const isa::DataCopy& call) const {
    namespace dc = isa::dc;
    if (rule.id == dc::kCountLength) return call.form == isa::DataCopy::kCount;
    if (rule.id == dc::kAddress) return call.form == isa::DataCopy::kParams;
    return !facts.accesses.empty();
  }
  bool operator()(const isa::Trowprod& call) const {
    return rule.id != isa::trp::kSaturate || call.dtype == isa::DType::kHalf;
  }
  bool operator()(const isa::VecTrans&) const {
    const bool needs_more =
        rule.id == isa::vt::kAddress || rule.id == isa::vt::kInOrder;
    return !needs_more || facts.iterations() > 1;
  }
  bool operator()(const isa::StateStep auto&) const { return true; }
};

struct MakePortrait {
  const StepFacts& facts;

  Portrait operator()(const isa::Call& call) const {
    const bool reduces = Reduces(call);
    Portrait portrait{
        .masked_operand = reduces ? "src" : "dst",
        .dtype = call.dtype,
        .mask_origin = MaskOrigin(call),
        .arithmetic = reduces ? Arithmetic::kTree : Arithmetic::kLanes};
    if (call.Has(isa::Param::kCount)) return portrait;
    const auto specs = call.signature->operands;
    const auto add = [&](std::size_t i) {
      portrait.lanes.push_back({specs[i].name, call.operands[i].at,
                                call.BlkStride(i), call.RepStride(i)});
    };
    for (std::size_t i = 1; i < specs.size(); ++i) add(i);
    if (!reduces) add(0);
    return portrait;
  }
  Portrait operator()(const isa::DataCopy&) const {
    return {.iteration = "block"};
  }
  Portrait operator()(const isa::Trowprod& call) const {
    return {.iteration = "row",
            .arithmetic = Arithmetic::kPhases,
            .phases = facts.nodes.empty() ? std::vector<Phase>()
                                          : PhasesOf(call, facts.nodes)};
  }
  Portrait operator()(const isa::VecTrans&) const { return {}; }
  Portrait operator()(const isa::StateStep auto&) const { return {}; }

 private:
  std::string MaskOrigin(const isa::Call& call) const {
    using isa::Param;
    if (call.Has(Param::kCount)) {
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
};

}  // namespace

bool Uses(const isa::Step& step, const isa::Rule& rule,
          const StepFacts& facts) {
  return std::visit(UsesOwnRule{rule, facts}, step);
}

Portrait PortraitOf(const isa::Step& step, const StepFacts& facts) {
  return std::visit(MakePortrait{facts}, step);
}

}  // namespace lanediff::view
