#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "isa/call.h"
#include "isa/memories.h"
#include "isa/rule.h"
#include "isa/vocabulary.h"
#include "oracle/lane_list.h"
#include "oracle/listing.h"
#include "oracle/oracle.h"

/// What a copy reads and writes, and the rules about it, stage by stage.
namespace lanediff::oracle {

/// Whether the instruction is one that pads blocks, in whichever form.
inline bool Pads(const isa::Call& call) {
  return call.signature->Has(isa::Param::kIsPad);
}

/// An operand's own type, else T; always T of an instruction that pads.
inline isa::DType TypeOf(const isa::Operand& operand, const isa::Call& call) {
  return Pads(call) ? call.dtype : operand.dtype.value_or(call.dtype);
}
inline bool IsMixed(const isa::Call& call) {
  return TypeOf(call.dst(), call) != TypeOf(call.src(0), call);
}
/// Half to float, wherever it is.
bool Widens(const isa::Call& call);

/// DC-ROUTE-EXAMPLE.
bool IsExampleRoute(const isa::Call& call);

/// The rules of stage 1 that speak of product, positions and types.
isa::RuleSet RouteRules(const isa::Call& call, isa::Product product);
/// The same, each by itself.
isa::RuleSet RouteRulesAnywhere(const isa::Call& call, isa::Product product);
/// The other rules of stage 1: alignment and ranges.
isa::RuleSet CopyParameterRules(const isa::Call& call, isa::Edition edition);

/// The bytes that the count form requests, whole or not.
std::int64_t CountBytes(const isa::Call& call);

/// DCP-FILL: what stands around a block.
enum class Fill { kFirstElement, kValue, kUnspecified };
Fill FillOf(const isa::Call& call);

/// *-ADDRESS and DC-COUNT-LENGTH: a block is an iteration of one run on either
/// side. No block if nothing is copied.
struct CopyPlan {
  std::int64_t blocks = 0;
  LaneList src, dst;
  /// What pads a block of dst, from which it starts on: with the block a range
  /// without holes. Lanes are the elements of that range, on both sides; a copy
  /// of the first element has the lane of that element.
  LaneList padding = {};
};

/// Nothing where the formula has no meaning: a negative number of blocks or
/// elements, a negative length, or the count form for two types.
std::optional<CopyPlan> PlanOf(const isa::Call& call);

inline ByteRun BlockOf(const LaneList& side, std::int64_t block) {
  return {side.AddressOf(block, side.runs.front()), side.BytesOfIteration()};
}

/// The blocks of both sides, one for one; those of dst with what pads them.
struct CopyBlocks {
  std::vector<ByteRun> src;
  std::vector<ByteRun> dst;
};

/// The blocks of a plan that is not too much to list.
CopyBlocks ListBlocks(const CopyPlan& plan);

/// Stage 2, after a clean stage 1: *-BOUNDS.
bool IsOutOfBounds(const isa::Call& call, const CopyPlan& plan, isa::Memory dst,
                   isa::Memory src, const isa::Memories& memories);

/// The pipe that moves between two memories (*-BARRIER); nothing where the
/// documents name none.
std::optional<isa::Pipe> PipeOf(isa::Memory src, isa::Memory dst);

/// Each rule by itself.
isa::RuleSet CopyRulesAnywhere(const isa::Call& call,
                               const Oracle::State& state);

}  // namespace lanediff::oracle
