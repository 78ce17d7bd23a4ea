#include "reports/trace/instructions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <variant>
#include <vector>

#include "isa/data_copy.h"
#include "isa/memory_map.h"
#include "isa/repeat_reduce_sum.h"
#include "isa/trowprod.h"
#include "isa/vec_trans.h"
#include "isa/whole_reduce_sum.h"
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

struct UsesOwnRule {
  const isa::Rule& rule;
  const StepFacts& facts;

  bool operator()(const isa::RepeatReduceSum& call) const {
    namespace rrs = isa::rrs;
    if (rule.id == rrs::kDstBlkStride) return call.dst_blk_stride != 0;
    if (rule.id == rrs::kInOrder) return facts.iterations() > 1;
    if (rule.id == rrs::kSaturate) return Saturates(call.dtype, facts);
    return !facts.accesses.empty();
  }
  bool operator()(const isa::WholeReduceSum& call) const {
    namespace wrs = isa::wrs;
    if (rule.id == wrs::kInOrder) return facts.iterations() > 1;
    if (rule.id == wrs::kSaturate) return Saturates(call.dtype, facts);
    if (facts.accesses.empty()) return false;
    return rule.id != wrs::kMaskLanes || call.is_set_mask;
  }
  bool operator()(const isa::Call& call) const {
    using isa::LaneRule;
    if (facts.accesses.empty()) return false;
    if ((rule.forms >> call.form & 1) == 0) return false;
    if (rule.id == call.Rule(LaneRule::kMaskLanes)) return call.is_set_mask;
    if (rule.id == call.Rule(LaneRule::kUnmasked)) {
      return call.form == isa::kCountForm
                 ? call.dst().bytes / isa::SizeBytes(call.dtype) >
                       call[isa::Param::kCount]
                 : HasMaskedLane(facts, "dst", call.dtype);
    }
    if (rule.id == call.Rule(LaneRule::kInOrder)) {
      // Min's page states nothing on bytes that are written twice.
      return FindsWritten(facts.accesses, false) ||
             (call.signature->op != "Min" &&
              FindsWritten(facts.accesses, true));
    }
    if (rule.id == call.Rule(LaneRule::kIntegerOverflow)) {
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

  Portrait operator()(const isa::RepeatReduceSum& call) const {
    return OfSum(call, call.is_set_mask ? OwnMask(call.elems_in_one_repeat)
                                        : RegisterOrigin());
  }
  Portrait operator()(const isa::WholeReduceSum& call) const {
    return OfSum(call,
                 MaskOrigin(call, call.form == isa::WholeReduceSum::kContiguous,
                            call.mask));
  }
  Portrait operator()(const isa::Call& call) const {
    const bool masked = call.form != isa::kCountForm;
    Portrait portrait{
        .masked_operand = "dst",
        .dtype = call.dtype,
        .mask_origin = masked ? MaskOrigin(call, call.form == isa::kMaskForm,
                                           call[isa::Param::kMask])
                              : fmt::format("no mask, count is {}",
                                            call[isa::Param::kCount]),
        .arithmetic = Arithmetic::kLanes};
    if (!masked) return portrait;
    const auto specs = call.signature->operands;
    for (std::size_t i = 0; i < specs.size(); ++i) {
      portrait.lanes.push_back({specs[i].name, call.operands[i].at,
                                call.BlkStride(i), call.RepStride(i)});
    }
    std::ranges::rotate(portrait.lanes, portrait.lanes.begin() + 1);
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
  template <class Call>
  static Portrait OfSum(const Call& call, std::string mask_origin) {
    return {.masked_operand = "src",
            .dtype = call.dtype,
            .mask_origin = std::move(mask_origin),
            .lanes = {{"src", call.src.at, call.src_blk_stride,
                       call.src_rep_stride}},
            .arithmetic = Arithmetic::kTree};
  }
  /// For calls without isSetMask.
  std::string RegisterOrigin() const {
    return "mask from the register, " + facts.before.MaskOrigin();
  }
  /// For calls with it.
  static std::string OwnMask(std::int64_t lanes) {
    return fmt::format("mask from the call, the first {} lanes", lanes);
  }
  /// Of a call in a contiguous or a bitwise form.
  template <class Call>
  std::string MaskOrigin(const Call& call, bool contiguous,
                         std::int64_t lanes) const {
    if (!call.is_set_mask) return RegisterOrigin();
    if (contiguous) return OwnMask(lanes);
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
