#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "isa/call.h"
#include "isa/rule.h"
#include "isa/vocabulary.h"
#include "oracle/count_events.h"
#include "oracle/data_copy_rules.h"
#include "oracle/format.h"
#include "oracle/lane_list.h"
#include "oracle/listing.h"
#include "oracle/memory_map.h"
#include "oracle/node.h"
#include "oracle/state.h"
#include "oracle/steps.h"

namespace lanediff::oracle {
namespace {

using isa::DType;
using isa::Memory;
using isa::Param;

/// DC-BITS: exact widening; a NaN keeps sign and payload, moved up.
std::uint64_t WidenHalf(std::uint64_t bits) {
  const Decoded d = Decode(kHalfFormat, bits);
  if (!d.IsNan()) return Convert(DType::kHalf, DType::kFloat, bits).bits;
  const std::uint64_t payload = bits & 0x3ff;
  return kFloatFormat.Infinity(d.negative) |
         payload << (kFloatFormat.StoredFraction() -
                     kHalfFormat.StoredFraction());
}

/// Reads the whole block before it writes.
void CopyBlock(const isa::Call& call, const ByteRun& src, const ByteRun& dst,
               std::span<const std::uint8_t> from, std::span<std::uint8_t> to,
               isa::NumericEvents& events) {
  if (!Widens(call)) {
    std::memmove(to.data() + static_cast<std::ptrdiff_t>(dst.at),
                 from.data() + static_cast<std::ptrdiff_t>(src.at),
                 static_cast<std::size_t>(src.bytes));
    return;
  }
  std::vector<std::uint64_t> floats;
  for (std::int64_t i = 0; i < src.bytes; i += 2) {
    const std::uint64_t half = Load(from, src.at + i, 2);
    floats.push_back(WidenHalf(half));
    CountWrite(DType::kHalf, half, DType::kFloat, {.bits = floats.back()},
               events);
  }
  for (std::size_t i = 0; i < floats.size(); ++i) {
    Store(to, dst.at + 4 * static_cast<std::int64_t>(i), 4, floats[i]);
  }
}

/// DCP-FILL: `value` is an element.
void PadBlock(const isa::Call& call, const LaneList& padding,
              std::int64_t block, std::uint64_t value,
              std::span<std::uint8_t> to) {
  const std::int64_t element = ElementBytes(call.dtype);
  for (const LaneRun& run : padding.runs) {
    const Address at = padding.AddressOf(block, run);
    for (std::int64_t i = 0; i < run.bytes; i += element) {
      Store(to, at + i, element, value);
    }
  }
}

isa::StepResult NotesOf(const isa::Call& call) {
  using enum isa::CallRule;
  isa::StepResult result;
  if (call.Has(Param::kCount)) {
    result.notes.AddIf(CountBytes(call) % 32 != 0, call.Rule(kCountFloor));
    result.notes.AddIf(CountBytes(call) < 32, call.Rule(kCountEmpty));
  } else {
    result.notes.AddIf(
        call[Param::kBlockCount] == 0 || call[Param::kBlockLen] == 0,
        call.Rule(kBlockEmpty));
  }
  result.notes.AddIf(IsExampleRoute(call), call.Rule(kRouteExample));
  return result;
}

/// Whether elements with values pad blocks.
bool Fills(const isa::Call& call, const CopyPlan& plan) {
  return !plan.padding.runs.empty() && FillOf(call) != Fill::kUnspecified;
}

/// Blocks in their order.
void ExecuteBlocks(const isa::Call& call, const CopyPlan& plan, Memory dst,
                   Memory src, Oracle::State& state) {
  const isa::Access read{
      .operand = "src", .memory = src, .dtype = TypeOf(call.src(0), call)};
  const isa::Access written{.operand = "dst",
                            .write = true,
                            .memory = dst,
                            .dtype = TypeOf(call.dst(), call)};
  // What is unspecified stays as it was, and is not accessed.
  const bool fills = Fills(call, plan);
  // What needs memory comes before the first byte is written.
  state.accesses.reserve(static_cast<std::size_t>(plan.blocks) *
                         (2 + plan.padding.runs.size()));
  for (std::int64_t i = 0; i < plan.blocks; ++i) {
    AppendAccesses(read, plan.src, i, state.accesses);
    AppendAccesses(written, plan.dst, i, state.accesses);
    if (fills) AppendAccesses(written, plan.padding, i, state.accesses);
    if (!state.computing) continue;
    const ByteRun block = BlockOf(plan.src, i);
    const std::uint64_t value =
        fills && FillOf(call) == Fill::kFirstElement
            ? Load(state.memories[src], block.at, ElementBytes(call.dtype))
            : call.scalar;
    CopyBlock(call, block, BlockOf(plan.dst, i), state.memories[src],
              state.memories[dst], state.events);
    if (fills) PadBlock(call, plan.padding, i, value, state.memories[dst]);
  }
}

isa::StepResult RunCopy(const isa::Call& call, Oracle::State& state) {
  using enum isa::CallRule;
  isa::RuleSet broken = RouteRules(call, state.product);
  broken.AddAll(CopyParameterRules(call, state.edition));
  if (!broken.empty()) return isa::StepResult::FromBroken(broken);

  // The positions of a route exist on its product, and it has a pipe.
  const Memory dst = MemoryOf(state.product, call.dst().position).value();
  const Memory src = MemoryOf(state.product, call.src(0).position).value();
  const CopyPlan plan = PlanOf(call).value();
  broken.AddIf(IsOutOfBounds(call, plan, dst, src, state.memories),
               call.Rule(kBounds));
  if (!broken.empty()) return isa::StepResult::FromBroken(broken);

  CopyBlocks blocks = ListBlocks(plan);
  const isa::Pipe pipe = PipeOf(src, dst).value();
  broken.AddIf(dst == src && blocks.src != blocks.dst &&
                   ShareBytes(blocks.src, blocks.dst),
               call.Rule(kOverlap));
  broken.AddIf(state.copies.Meets(pipe, dst, blocks.dst), call.Rule(kBarrier));
  if (!broken.empty()) return isa::StepResult::FromBroken(broken);

  ExecuteBlocks(call, plan, dst, src, state);
  state.copies.Add(pipe, dst, std::move(blocks.dst));
  return NotesOf(call);
}

Extended RunCopyExtended(const isa::Call& call, Oracle::State& state) {
  if (IsMixed(call) && !Widens(call)) {
    return std::unexpected("no conversion between these types");
  }
  if (IsMixed(call) && call.Has(Param::kCount)) {
    return std::unexpected("the form with count does not convert");
  }
  const auto plan = PlanOf(call);
  if (!plan) return std::unexpected(reason::kNegativeCount);

  const auto dst = MemoryOf(state.product, call.dst().position);
  const auto src = MemoryOf(state.product, call.src(0).position);
  const Extended can_run = CanRun({{kDst, dst, plan->dst},
                                   {kDst, dst, plan->padding},
                                   {kSrc, src, plan->src}},
                                  plan->blocks, state.memories);
  if (!can_run || plan->blocks == 0) return can_run;
  if (Fills(call, *plan) &&
      call[Param::kBlockLen] % ElementBytes(call.dtype) != 0) {
    return std::unexpected("blocks with a part of an element");
  }
  auto written = Merged(ListBlocks(*plan).dst);
  ExecuteBlocks(call, *plan, *dst, *src, state);
  if (const auto pipe = PipeOf(*src, *dst)) {
    state.copies.Add(*pipe, *dst, std::move(written));
  }
  return {};
}

}  // namespace

const CallFunctions kCopyCalls = {RunCopy, CopyRulesAnywhere, RunCopyExtended};

}  // namespace lanediff::oracle
