#include "reports/trace/instructions.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <string>
#include <variant>
#include <vector>

#include "isa/footprint.h"
#include "isa/memory_map.h"
#include "isa/step.h"
#include "isa/units.h"
#include "reports/trace/facts.h"

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
bool HasMaskedLane(const isa::Call& call, const StepFacts& facts) {
  if (call.signature->PacksBits()) {
    return LanesOf(facts, "src0", call.dtype).drawing.find('.') !=
           std::string::npos;
  }
  return LanesOf(facts, "dst", call.TypeOf(0), isa::LaneBytes(call))
             .drawing.find('.') != std::string::npos;
}

/// Whether a reduction has a result in whose place no lane takes part.
bool HasResultOfNoLane(const isa::Call& call, const StepFacts& facts) {
  const std::string lanes = LanesOf(facts, "src", call.dtype).drawing;
  const auto each = static_cast<std::size_t>(
      isa::LanesOfResult(call.signature->group, isa::SizeBytes(call.dtype)));
  for (std::size_t i = 0; i + each <= lanes.size(); i += each) {
    if (lanes.find('#', i) >= i + each) return true;
  }
  return false;
}

/// Whether two iterations meet so.
bool Meet(const StepFacts& facts, Meeting how) {
  return std::ranges::any_of(FindOverlaps(facts.accesses),
                             [&](const Overlap& o) {
                               return o.meeting == how && o.first != o.second;
                             });
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
    if (call.Is(Family::kReduction)) return HasResultOfNoLane(call, facts);
    return call.IsByCount()
               ? call.dst().bytes / isa::SizeBytes(call.TypeOf(0)) *
                         (call.signature->PacksBits() ? 8 : 1) >
                     call[Param::kCount]
               : HasMaskedLane(call, facts);
  }
  if (rule.id == call.Rule(CallRule::kInOrder)) {
    if (call.Is(Family::kReduction)) return facts.iterations() > 1;
    // Min's page states nothing on bytes that are written twice.
    return Meet(facts, Meeting::kReadLater) ||
           (call.signature->op != "Min" && Meet(facts, Meeting::kWrittenTwice));
  }
  const bool value_alone = call.reduce_order == isa::ReduceOrder::kOnlyValue;
  if (rule.id == call.Rule(CallRule::kIndex)) return !value_alone;
  if (rule.id == call.Rule(CallRule::kSaturate)) {
    return call.reduce_order != isa::ReduceOrder::kOnlyIndex &&
           Saturates(call.dtype, facts);
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
  const bool packs = call.signature->PacksBits();
  Portrait portrait{
      .masked_operand = reduces ? "src"
                        : packs ? "src0"
                                : "dst",
      .dtype = call.TypeOf(reduces || packs ? 1 : 0),
      .lane_bytes = isa::LaneBytes(call),
      .mask_origin = MaskOrigin(call, facts),
      .arithmetic = reduces ? Arithmetic::kTree : Arithmetic::kLanes};
  if (call.IsByCount()) return portrait;
  const auto specs = call.signature->operands;
  const auto add = [&](std::size_t i) {
    if (specs[i].is_packed) return;
    portrait.lanes.push_back({specs[i].name, call.operands[i].at,
                              call.BlkStride(i), call.RepStride(i)});
  };
  for (std::size_t i = 1; i < call.used_operands().size(); ++i) add(i);
  if (!reduces && !packs) add(0);
  return portrait;
}

/// Levels of nodes, as they stand in the trace.
int LastLevel(const std::vector<oracle::Node>& nodes) {
  int last = 0;
  for (const oracle::Node& node : nodes) last = std::max(last, node.level);
  return last;
}

/// A halving needs one level for each power of two.
int FoldLevels(std::int64_t lanes) {
  return std::countr_zero(static_cast<std::uint64_t>(lanes));
}

std::string Columns(std::int64_t first, std::int64_t end) {
  return fmt::format("columns {}-{}", first, end - 1);
}

Phase Fold(std::int64_t lanes, int last) {
  return {
      "fold",
      fmt::format("lane e by lane e+w, w = {}, {}, …, 1", lanes / 2, lanes / 4),
      last - FoldLevels(lanes) + 1, last};
}

Phase Gather(std::int64_t lanes, std::int64_t columns, int last) {
  return {"gather",
          lanes == 1
              ? fmt::format("{} from left to right, starting from 1",
                            Columns(0, columns))
              : fmt::format(
                    "column j into lane j mod {}, ascending, starting from 1",
                    lanes),
          0, last};
}

std::vector<Phase> Documented(std::int64_t lanes, std::int64_t columns,
                              int last) {
  const std::int64_t repeats = columns / lanes;
  const std::int64_t pairs = repeats / 2;
  std::vector<Phase> phases;
  if (pairs > 0) {
    phases.push_back(
        {"pairs",
         fmt::format("tmp[k] = repeat 2k by repeat 2k+1, {} of {} in all",
                     Counted(pairs, "pair"), Columns(0, 2 * pairs * lanes)),
         0, 0});
  }
  const std::string into =
      pairs > 0 ? "into tmp[0]" : "into tmp[0], which starts as ones";
  if (repeats % 2 == 1) {
    phases.push_back(
        {"odd repeat",
         fmt::format("{} {}", Columns((repeats - 1) * lanes, repeats * lanes),
                     into),
         1, 1});
  }
  if (columns % lanes != 0) {
    phases.push_back({"tail",
                      fmt::format("{} {} from lane 0 on",
                                  Columns(repeats * lanes, columns), into),
                      2, 2});
  }
  if (pairs > 1) {
    phases.push_back({"tmp pairs",
                      fmt::format("neighbours among {} tmp repeats until one "
                                  "is left, an unpaired last one moves down",
                                  pairs),
                      3, last - FoldLevels(lanes)});
  }
  phases.push_back(Fold(lanes, last));
  return phases;
}

/// The phases in which an order multiplies a row, from the row's traced
/// `nodes`: at least one.
std::vector<Phase> PhasesOf(const isa::Call& call,
                            const std::vector<oracle::Node>& nodes) {
  const std::int64_t bytes = isa::SizeBytes(call.dtype);
  const std::int64_t repeat_lanes = isa::kIterationBytes / bytes;
  const std::int64_t block_lanes = isa::kDataBlockBytes / bytes;
  const std::int64_t columns = call.tiles[isa::Call::kSrcTile].valid_col;
  const int last = LastLevel(nodes);
  switch (call.order.value_or(isa::Order::kDocumented)) {
    case isa::Order::kDocumented:
      return Documented(repeat_lanes, columns, last);
    case isa::Order::kBlockLanes: {
      std::string meaning =
          fmt::format("lanes 0-{} from left to right", block_lanes - 1);
      if (call.dtype == isa::DType::kHalf) {
        meaning += ", in float, rounded to half once at the end";
      }
      return {Gather(block_lanes, columns, last - 1),
              {"chain", meaning, last, last}};
    }
    case isa::Order::kRegisterLanes:
      return {Gather(repeat_lanes, columns, last - FoldLevels(repeat_lanes)),
              Fold(repeat_lanes, last)};
    case isa::Order::kLeftFold:
      return {Gather(1, columns, last)};
  }
  return {};
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
        const std::int64_t padded = isa::FootprintsOfMove(*call)[0].first;
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
    case Family::kBroadcast:
      if (rule.id == call->Rule(CallRule::kInOrder)) {
        return Meet(facts, Meeting::kWrittenTwice);
      }
      return !facts.accesses.empty();
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
    case Family::kBroadcast:
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
