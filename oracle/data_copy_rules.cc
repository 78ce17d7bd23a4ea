#include "oracle/data_copy_rules.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

#include "isa/rule.h"
#include "isa/vocabulary.h"
#include "oracle/call_rules.h"
#include "oracle/extended.h"
#include "oracle/listing.h"
#include "oracle/memory_map.h"
#include "oracle/state.h"
#include "oracle/vector_rules.h"

namespace lanediff::oracle {

using isa::DType;
using isa::Memory;
using isa::Param;
using isa::Pipe;
using isa::Position;
using isa::RuleSet;

namespace {

// ---- Stage 1: alignment and ranges -----------------------------------------

/// Where a LocalTensor may start as dst; as src it is 32 bytes everywhere.
std::int64_t LocalDstGrid(Position position) {
  constexpr std::int64_t kGrid = 32;
  if (position == Position::kC2) return 2 * kGrid;
  if (position == Position::kC2pipe2gm) return 4 * kGrid;
  return kGrid;
}

/// DC-DST-ALIGN, DC-SRC-ALIGN: a GlobalTensor starts at a multiple of what one
/// element of its type takes, a LocalTensor at one of `local_grid`.
bool StartsOnGrid(const isa::Operand& tensor, const isa::Call& call,
                  std::int64_t local_grid) {
  const bool is_global = tensor.position == Position::kGm;
  const std::int64_t grid =
      is_global ? ElementBytes(TypeOf(tensor, call)) : local_grid;
  return tensor.at % grid == 0;
}

/// Of a copy that pads: with padParams UB is dst, without them src.
RuleSet PadParameterRules(const isa::Call& call) {
  using enum isa::CallRule;
  constexpr std::int64_t kUint32Max = std::numeric_limits<std::uint32_t>::max();
  const std::int64_t element = ElementBytes(call.dtype);
  const std::int64_t length = call[Param::kBlockLen];
  RuleSet broken;
  broken.AddIf(!IsWithin(call[Param::kBlockCount], 0, 4095),
               call.Rule(kBlockCount));
  broken.AddIf(!IsWithin(length, 0, 2097151) || length % element != 0,
               call.Rule(kBlockLen));
  broken.AddIf(!IsWithin(call[Param::kSrcGap], 0, kUint32Max) ||
                   !IsWithin(call[Param::kDstGap], 0, kUint32Max),
               call.Rule(kGap));
  if (!call.Has(Param::kIsPad)) {
    broken.AddIf(call.src(0).at % 32 != 0, call.Rule(kSrcAlign));
    return broken;
  }
  broken.AddIf(call.dst().at % 32 != 0, call.Rule(kDstAlign));
  broken.AddIf(!IsWithin(call[Param::kLeftPadding], 0, 32 / element) ||
                   !IsWithin(call[Param::kRightPadding], 0, 32 / element),
               call.Rule(kPadding));
  broken.AddIf(element == 8 && call.scalar != 0, call.Rule(kPaddingValue));
  return broken;
}

}  // namespace

RuleSet CopyParameterRules(const isa::Call& call, isa::Edition edition) {
  using enum isa::CallRule;
  if (Pads(call)) return PadParameterRules(call);
  RuleSet broken;
  broken.AddIf(
      !StartsOnGrid(call.dst(), call, LocalDstGrid(call.dst().position)),
      call.Rule(kDstAlign));
  broken.AddIf(!StartsOnGrid(call.src(0), call, 32), call.Rule(kSrcAlign));
  if (call.Has(Param::kCount)) {
    constexpr std::int64_t kUint32Max =
        std::numeric_limits<std::uint32_t>::max();
    broken.AddIf(!IsWithin(call[Param::kCount], 0, kUint32Max),
                 call.Rule(kCount));
    return broken;
  }
  const std::int64_t blocks = call[Param::kBlockCount];
  const std::int64_t length = call[Param::kBlockLen];
  const bool may_be_empty = edition != isa::Edition::k2024;
  const auto is_none = [&](std::int64_t n) { return may_be_empty && n == 0; };
  broken.AddIf(!is_none(blocks) && !IsWithin(blocks, 1, 4095),
               call.Rule(kBlockCount));
  broken.AddIf(!is_none(length) && !IsWithin(length, 1, 65535),
               call.Rule(kBlockLen));
  broken.AddIf(!IsWithin(call[Param::kSrcGap], 0, 65535) ||
                   !IsWithin(call[Param::kDstGap], 0, 65535),
               call.Rule(kGap));
  return broken;
}

// ---- What a call reads and writes -------------------------------------------

bool Widens(const isa::Call& call) {
  return TypeOf(call.src(0), call) == DType::kHalf &&
         TypeOf(call.dst(), call) == DType::kFloat;
}

namespace {

/// Unit of blockLen and of dstGap.
std::int64_t UnitOf(const isa::Call& call) {
  if (call.dst().position == Position::kC2) return 64;
  if (call.dst().position == Position::kC2pipe2gm) return 128;
  return 32;
}

/// Of a copy that pads. In UB what belongs to a block takes whole units of 32
/// bytes, and gaps count them; in GM gaps count bytes.
std::optional<CopyPlan> PaddedPlanOf(const isa::Call& call) {
  const bool is_into_ub = call.Has(Param::kIsPad);
  const std::int64_t blocks = call[Param::kBlockCount];
  const std::int64_t length = call[Param::kBlockLen];
  const std::int64_t left = is_into_ub ? call[Param::kLeftPadding] : 0;
  const std::int64_t right = is_into_ub ? call[Param::kRightPadding] : 0;
  if (blocks < 0 || length < 0 || left < 0 || right < 0) return std::nullopt;
  const std::int64_t element = ElementBytes(call.dtype);
  // 2^50 bytes, or elements, are more than any memory has.
  const std::int64_t bytes = NotTooMany(length);
  const std::int64_t before = NotTooMany(left) * element;
  const std::int64_t whole =
      (before + bytes + NotTooMany(right) * element + 31) / 32 * 32;
  const Address src_gap = Near(call[Param::kSrcGap]);
  const Address dst_gap = Near(call[Param::kDstGap]);
  CopyPlan plan{.blocks = bytes == 0 ? 0 : NotTooMany(blocks),
                .src = ListContiguous(
                    call.src(0).at, 1, bytes,
                    is_into_ub ? bytes + src_gap : whole + src_gap * 32),
                .dst = ListContiguous(
                    call.dst().at, 1, bytes,
                    is_into_ub ? whole + dst_gap * 32 : bytes + dst_gap)};
  if (!is_into_ub || bytes == 0) return plan;

  plan.padding = plan.dst;
  plan.padding.runs.clear();
  if (before > 0) plan.padding.runs.push_back({.bytes = before});
  plan.src.runs.front().lane = before / element;
  plan.dst.runs.front().lane = before / element;
  plan.dst.runs.front().offset = before;
  const bool repeats_first = FillOf(call) == Fill::kFirstElement;
  const std::int64_t step = repeats_first ? element : whole;
  for (std::int64_t at = before + bytes; at < whole; at += step) {
    plan.padding.runs.push_back({.lane = repeats_first ? 0 : at / element,
                                 .offset = at,
                                 .bytes = std::min(step, whole - at)});
  }
  return plan;
}

}  // namespace

Fill FillOf(const isa::Call& call) {
  if (call[Param::kLeftPadding] == 0 && call[Param::kRightPadding] == 0) {
    return Fill::kFirstElement;
  }
  return call.is_pad ? Fill::kValue : Fill::kUnspecified;
}

std::int64_t CountBytes(const isa::Call& call) {
  return std::min(call[Param::kCount], kFar) *
         ElementBytes(TypeOf(call.src(0), call));
}

std::optional<CopyPlan> PlanOf(const isa::Call& call) {
  if (Pads(call)) return PaddedPlanOf(call);
  // `bytes` from `at` on, the next block `step` bytes further.
  const auto side = [](std::int64_t at, std::int64_t bytes, Address step) {
    return ListContiguous(at, 1, bytes, step);
  };
  if (call.Has(Param::kCount)) {
    if (call[Param::kCount] < 0 || IsMixed(call)) return std::nullopt;
    const std::int64_t bytes = CountBytes(call) / 32 * 32;
    return CopyPlan{.blocks = bytes == 0 ? 0 : 1,
                    .src = side(call.src(0).at, bytes, 0),
                    .dst = side(call.dst().at, bytes, 0)};
  }
  const std::int64_t blocks = call[Param::kBlockCount];
  const std::int64_t length = call[Param::kBlockLen];
  if (blocks < 0 || length < 0) return std::nullopt;
  const std::int64_t unit = UnitOf(call);
  // 2^50 units are more than any memory has.
  const std::int64_t read = NotTooMany(length) * unit;
  const std::int64_t written = read * (Widens(call) ? 2 : 1);
  return CopyPlan{
      .blocks = read == 0 ? 0 : NotTooMany(blocks),
      .src = side(call.src(0).at, read,
                  read + Address{Near(call[Param::kSrcGap])} * 32),
      .dst = side(call.dst().at, written,
                  written + Address{Near(call[Param::kDstGap])} * unit)};
}

CopyBlocks ListBlocks(const CopyPlan& plan) {
  CopyBlocks blocks;
  blocks.src.reserve(static_cast<std::size_t>(plan.blocks));
  blocks.dst.reserve(static_cast<std::size_t>(plan.blocks));
  const std::int64_t bytes =
      plan.dst.BytesOfIteration() + plan.padding.BytesOfIteration();
  for (std::int64_t i = 0; i < plan.blocks; ++i) {
    blocks.src.push_back(BlockOf(plan.src, i));
    blocks.dst.push_back({plan.dst.StartOf(i), bytes});
  }
  return blocks;
}

// ---- Stages 2 and 3 ---------------------------------------------------------

bool IsOutOfBounds(const isa::Call& call, const CopyPlan& plan, Memory dst,
                   Memory src, const isa::Memories& memories) {
  return !WindowIsInMemory(call.dst(), dst, memories) ||
         !WindowIsInMemory(call.src(0), src, memories) ||
         !LanesAreInWindow(call.dst(), plan.dst, plan.blocks) ||
         !LanesAreInWindow(call.dst(), plan.padding, plan.blocks) ||
         !LanesAreInWindow(call.src(0), plan.src, plan.blocks);
}

std::optional<Pipe> PipeOf(Memory src, Memory dst) {
  if (src == Memory::kGm && dst == Memory::kUb) return Pipe::kMte2;
  if (src == Memory::kGm && dst == Memory::kL1) return Pipe::kMte2;
  if (src == Memory::kUb && dst == Memory::kL1) return Pipe::kMte3;
  if (src == Memory::kUb && dst == Memory::kGm) return Pipe::kMte3;
  if (src == Memory::kL1 && dst == Memory::kGm) return Pipe::kMte3;
  if (src == Memory::kUb && dst == Memory::kUb) return Pipe::kV;
  if (src == Memory::kL1 && dst == Memory::kBt) return Pipe::kMte1;
  if (src == Memory::kL1 && dst == Memory::kFb) return Pipe::kFix;
  return std::nullopt;
}

// ---- Each rule by itself ----------------------------------------------------

RuleSet CopyRulesAnywhere(const isa::Call& call, const Oracle::State& state) {
  using enum isa::CallRule;
  RuleSet broken = RouteRulesAnywhere(call, state.product);
  broken.AddAll(CopyParameterRules(call, state.edition));
  const isa::Memories& memories = state.memories;
  const auto dst = MemoryOf(state.product, call.dst().position);
  const auto src = MemoryOf(state.product, call.src(0).position);
  broken.AddIf(BreaksBounds(call.dst(), dst, memories) ||
                   BreaksBounds(call.src(0), src, memories),
               call.Rule(kBounds));
  const auto plan = PlanOf(call);
  if (!plan) return broken;  // where the blocks are is unknown
  const LanesOfOperand written{kDst, dst, plan->dst};
  const LanesOfOperand padding{kDst, dst, plan->padding};
  const LanesOfOperand read{kSrc, src, plan->src};
  broken.AddIf(BreaksBounds(call, {written, read}, plan->blocks, memories) ||
                   BreaksBounds(call.dst(), padding, plan->blocks, memories),
               call.Rule(kBounds));
  if (IsTooMuch(plan->blocks, {written, padding, read})) return broken;
  if (!HomeOf(written, plan->blocks, memories) ||
      !HomeOf(padding, plan->blocks, memories)) {
    return broken;
  }

  const CopyBlocks blocks = ListBlocks(*plan);
  const std::vector<ByteRun> dst_bytes = Merged(blocks.dst);
  broken.AddIf(!Pads(call) && dst == HomeOf(read, plan->blocks, memories) &&
                   blocks.src != blocks.dst &&
                   ShareBytes(Merged(blocks.src), dst_bytes),
               call.Rule(kOverlap));
  const auto pipe = src ? PipeOf(*src, *dst) : std::nullopt;
  broken.AddIf(pipe && state.copies.Meets(*pipe, *dst, dst_bytes),
               call.Rule(kBarrier));
  return broken;
}

}  // namespace lanediff::oracle
