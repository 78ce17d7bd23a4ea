#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "isa/call.h"
#include "isa/rule.h"
#include "isa/vocabulary.h"
#include "oracle/call_rules.h"
#include "oracle/lane_list.h"
#include "oracle/listing.h"
#include "oracle/memory_map.h"
#include "oracle/state.h"
#include "oracle/steps.h"
#include "oracle/vector_rules.h"

namespace lanediff::oracle {
namespace {

using isa::CallRule;
using isa::DType;
using isa::Operand;
using isa::Param;
using isa::Position;
using isa::RuleSet;

constexpr std::int64_t kSide = 16;         // rows and columns of a matrix
constexpr std::int64_t kElementBytes = 2;  // the types have 16 bits

RuleSet TransposeParameterRules(const isa::Call& call, isa::Product product) {
  using enum CallRule;
  RuleSet broken;
  broken.AddIf(product == isa::Product::kAtlasA3, call.Rule(kProduct));
  broken.AddIf(call.dtype != DType::kInt16 && call.dtype != DType::kUint16 &&
                   call.dtype != DType::kHalf,
               call.Rule(kDtype));
  for (const Operand& operand : call.used_operands()) {
    broken.AddIf(operand.dtype.value_or(call.dtype) != call.dtype,
                 call.Rule(kDtypeMatch));
    broken.AddIf(operand.position != Position::kUb, call.Rule(kScope));
    broken.AddIf(operand.at % 32 != 0, call.Rule(kAlign));
  }
  broken.AddIf(!IsWithin(call[Param::kRepeatTimes], 1, 4095),
               call.Rule(kRepeat));
  broken.AddIf(!IsWithin(call.RepStride(0), 0, 4095), call.Rule(kDstStride));
  broken.AddIf(!IsWithin(call.RepStride(1), 0, 4095), call.Rule(kSrcStride));
  return broken;
}

/// VT-OVERLAP: dst and src share a byte over the whole call and don't coincide
/// iteration by iteration. For operands in the same memory, inside it.
bool Overlaps(const CallListing& listing) {
  const std::int64_t times = listing.iterations;
  const LaneList& dst = listing.operands[0];
  const LaneList& src = listing.operands[1];
  bool coincide = true;
  for (std::int64_t r = 0; r < times; ++r) {
    coincide = coincide && dst.StartOf(r) == src.StartOf(r);
  }
  return !coincide && ShareBytes(dst, times, src, times);
}

/// VT-TRANSPOSE: dst[j·16 + i] = src[i·16 + j]; VT-BITS: as they are. Reads the
/// whole matrix before it writes.
void Transpose(std::span<std::uint8_t> to, Address dst,
               std::span<const std::uint8_t> from, Address src) {
  std::array<std::uint64_t, kSide * kSide> matrix;
  for (std::int64_t n = 0; n < kSide * kSide; ++n) {
    matrix[static_cast<std::size_t>(n)] =
        Load(from, src + n * kElementBytes, kElementBytes);
  }
  for (std::int64_t i = 0; i < kSide; ++i) {
    for (std::int64_t j = 0; j < kSide; ++j) {
      Store(to, dst + (j * kSide + i) * kElementBytes, kElementBytes,
            matrix[static_cast<std::size_t>(i * kSide + j)]);
    }
  }
}

/// VT-IN-ORDER.
void ExecuteMatrices(const isa::Call& call, const CallListing& listing,
                     Oracle::State& state) {
  const LaneList& dst = listing.operands[0];
  const LaneList& src = listing.operands[1];
  for (std::int64_t r = 0; r < listing.iterations; ++r) {
    ListAccesses(call, listing, r, state.accesses);
    if (state.computing) {
      Transpose(state.memories[*listing.memories[0]], dst.StartOf(r),
                state.memories[*listing.memories[1]], src.StartOf(r));
    }
  }
}

isa::StepResult RunTranspose(const isa::Call& call, Oracle::State& state) {
  RuleSet broken = TransposeParameterRules(call, state.product);
  if (!broken.empty()) return isa::StepResult::FromBroken(broken);
  const CallListing listing(call, state);
  broken.AddIf(IsOutOfBounds(call, listing, state.memories),
               call.Rule(CallRule::kBounds));
  if (!broken.empty()) return isa::StepResult::FromBroken(broken);
  broken.AddIf(Overlaps(listing), call.Rule(CallRule::kOverlap));
  if (!broken.empty()) return isa::StepResult::FromBroken(broken);

  ExecuteMatrices(call, listing, state);
  return {};
}

RuleSet TransposeRulesAnywhere(const isa::Call& call,
                               const Oracle::State& state) {
  RuleSet broken = TransposeParameterRules(call, state.product);
  const CallListing listing(call, state);
  const std::int64_t times = listing.iterations;
  const auto lanes = LanesOf(call, listing);
  broken.AddIf(BreaksBounds(call, lanes, times, state.memories),
               call.Rule(CallRule::kBounds));
  broken.AddIf(listing.memories[0] == listing.memories[1] &&
                   CanRun(lanes, times, state.memories) && Overlaps(listing),
               call.Rule(CallRule::kOverlap));
  return broken;
}

Extended RunTransposeExtended(const isa::Call& call, Oracle::State& state) {
  if (ElementBytes(call.dtype) != kElementBytes) {
    return std::unexpected("no transpose for elements of other than 16 bits");
  }
  if (call[Param::kRepeatTimes] < 0) {
    return std::unexpected(reason::kNegativeRepeat);
  }
  const CallListing listing(call, state);
  const Extended can_run =
      CanRun(LanesOf(call, listing), listing.iterations, state.memories);
  if (can_run) ExecuteMatrices(call, listing, state);
  return can_run;
}

}  // namespace

const CallFunctions kTransposeCalls = {RunTranspose, TransposeRulesAnywhere,
                                       RunTransposeExtended};

}  // namespace lanediff::oracle
