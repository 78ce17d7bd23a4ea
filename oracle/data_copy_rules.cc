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

}  // namespace

RuleSet CopyParameterRules(const isa::Call& call, isa::Edition edition) {
  using enum isa::CallRule;
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

}  // namespace

std::int64_t CountBytes(const isa::Call& call) {
  return std::min(call[Param::kCount], kFar) *
         ElementBytes(TypeOf(call.src(0), call));
}

std::optional<CopyPlan> PlanOf(const isa::Call& call) {
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
  for (std::int64_t i = 0; i < plan.blocks; ++i) {
    blocks.src.push_back(BlockOf(plan.src, i));
    blocks.dst.push_back(BlockOf(plan.dst, i));
  }
  return blocks;
}

// ---- Stages 2 and 3 ---------------------------------------------------------

bool IsOutOfBounds(const isa::Call& call, const CopyPlan& plan, Memory dst,
                   Memory src, const isa::Memories& memories) {
  return !WindowIsInMemory(call.dst(), dst, memories) ||
         !WindowIsInMemory(call.src(0), src, memories) ||
         !LanesAreInWindow(call.dst(), plan.dst, plan.blocks) ||
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
  const LanesOfOperand read{kSrc, src, plan->src};
  broken.AddIf(BreaksBounds(call, {written, read}, plan->blocks, memories),
               call.Rule(kBounds));
  if (IsTooMuch(plan->blocks, {written, read})) return broken;
  if (!HomeOf(written, plan->blocks, memories)) return broken;

  const CopyBlocks blocks = ListBlocks(*plan);
  const std::vector<ByteRun> dst_bytes = Merged(blocks.dst);
  broken.AddIf(dst == HomeOf(read, plan->blocks, memories) &&
                   blocks.src != blocks.dst &&
                   ShareBytes(Merged(blocks.src), dst_bytes),
               call.Rule(kOverlap));
  const auto pipe = src ? PipeOf(*src, *dst) : std::nullopt;
  broken.AddIf(pipe && state.copies.Meets(*pipe, *dst, dst_bytes),
               call.Rule(kBarrier));
  return broken;
}

}  // namespace lanediff::oracle
