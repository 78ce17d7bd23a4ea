#include "isa/vec_trans.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "isa/rule.h"
#include "isa/vocabulary.h"
#include "oracle/lane_list.h"
#include "oracle/listing.h"
#include "oracle/memory_map.h"
#include "oracle/state.h"
#include "oracle/steps.h"
#include "oracle/vector_rules.h"

namespace lanediff::oracle {
namespace {

using isa::DType;
using isa::Operand;
using isa::Position;
using isa::RuleSet;
using isa::VecTrans;
namespace vt = isa::vt;

constexpr std::int64_t kSide = 16;          // rows and columns of a matrix
constexpr std::int64_t kElementBytes = 2;   // the types have 16 bits
constexpr std::int64_t kMatrixBytes = 512;  // kSide · kSide · kElementBytes

RuleSet ParameterRules(const VecTrans& call, isa::Product product) {
  RuleSet broken;
  broken.AddIf(product == isa::Product::kAtlasA3, vt::kProduct);
  broken.AddIf(call.dtype != DType::kInt16 && call.dtype != DType::kUint16 &&
                   call.dtype != DType::kHalf,
               vt::kDtype);
  broken.AddIf(call.dst.dtype.value_or(call.dtype) != call.dtype ||
                   call.src.dtype.value_or(call.dtype) != call.dtype,
               vt::kDtypeMatch);
  broken.AddIf(
      call.dst.position != Position::kUb || call.src.position != Position::kUb,
      vt::kScope);
  broken.AddIf(call.dst.at % 32 != 0 || call.src.at % 32 != 0, vt::kAlign);
  broken.AddIf(!IsWithin(call.repeat_times, 1, 4095), vt::kRepeat);
  broken.AddIf(!IsWithin(call.dst_rep_stride, 0, 4095), vt::kDstStride);
  broken.AddIf(!IsWithin(call.src_rep_stride, 0, 4095), vt::kSrcStride);
  return broken;
}

/// VT-ADDRESS: all matrices of one operand, head to head in units of 512 bytes.
LaneList Matrices(const Operand& operand, std::int64_t stride) {
  return ListContiguous(operand.at, kElementBytes, kSide * kSide,
                        Address{Near(stride)} * kMatrixBytes);
}

bool IsOutOfBounds(const VecTrans& call, const isa::Memories& memories) {
  const auto is_inside = [&](const Operand& operand, std::int64_t stride) {
    return WindowIsInMemory(operand, isa::Memory::kUb, memories) &&
           LanesAreInWindow(operand, Matrices(operand, stride),
                            call.repeat_times);
  };
  return !is_inside(call.dst, call.dst_rep_stride) ||
         !is_inside(call.src, call.src_rep_stride);
}

/// VT-OVERLAP: dst and src share a byte over the whole call and don't coincide
/// iteration by iteration. For operands in the same memory, inside it.
bool Overlaps(const VecTrans& call) {
  const LaneList dst = Matrices(call.dst, call.dst_rep_stride);
  const LaneList src = Matrices(call.src, call.src_rep_stride);
  bool coincide = true;
  for (std::int64_t r = 0; r < call.repeat_times; ++r) {
    coincide = coincide && dst.StartOf(r) == src.StartOf(r);
  }
  return !coincide &&
         ShareBytes(dst, call.repeat_times, src, call.repeat_times);
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
void ExecuteMatrices(const VecTrans& call, isa::Memory to, isa::Memory from,
                     Oracle::State& state) {
  const LaneList dst = Matrices(call.dst, call.dst_rep_stride);
  const LaneList src = Matrices(call.src, call.src_rep_stride);
  for (std::int64_t r = 0; r < call.repeat_times; ++r) {
    AppendAccesses({.operand = "src", .memory = from, .dtype = call.dtype}, src,
                   r, state.accesses);
    AppendAccesses(
        {.operand = "dst", .write = true, .memory = to, .dtype = call.dtype},
        dst, r, state.accesses);
    if (state.computing) {
      Transpose(state.memories[to], dst.StartOf(r), state.memories[from],
                src.StartOf(r));
    }
  }
}

}  // namespace

template <>
isa::StepResult Run(const VecTrans& call, Oracle::State& state) {
  RuleSet broken = ParameterRules(call, state.product);
  if (!broken.empty()) return isa::StepResult::FromBroken(broken);
  broken.AddIf(IsOutOfBounds(call, state.memories), vt::kBounds);
  if (!broken.empty()) return isa::StepResult::FromBroken(broken);
  broken.AddIf(Overlaps(call), vt::kOverlap);
  if (!broken.empty()) return isa::StepResult::FromBroken(broken);

  ExecuteMatrices(call, isa::Memory::kUb, isa::Memory::kUb, state);
  return {};
}

template <>
RuleSet BrokenAnywhere(const VecTrans& call, const Oracle::State& state) {
  RuleSet broken = ParameterRules(call, state.product);
  const isa::Memories& memories = state.memories;
  const auto dst = MemoryOf(state.product, call.dst.position);
  const auto src = MemoryOf(state.product, call.src.position);
  const LaneList to = Matrices(call.dst, call.dst_rep_stride);
  const LaneList from = Matrices(call.src, call.src_rep_stride);
  const LanesOfOperand written{kDst, dst, to};
  const LanesOfOperand read{kSrc, src, from};
  const std::int64_t times = NotTooMany(call.repeat_times);
  broken.AddIf(BreaksBounds(call.dst, written, times, memories) ||
                   BreaksBounds(call.src, read, times, memories),
               vt::kBounds);
  broken.AddIf(
      dst == src && CanRun({written, read}, times, memories) && Overlaps(call),
      vt::kOverlap);
  return broken;
}

template <>
Extended RunExtended(const VecTrans& call, Oracle::State& state) {
  if (ElementBytes(call.dtype) != kElementBytes) {
    return std::unexpected("no transpose for elements of other than 16 bits");
  }
  if (call.repeat_times < 0) return std::unexpected(reason::kNegativeRepeat);
  const auto dst = MemoryOf(state.product, call.dst.position);
  const auto src = MemoryOf(state.product, call.src.position);
  const LaneList to = Matrices(call.dst, call.dst_rep_stride);
  const LaneList from = Matrices(call.src, call.src_rep_stride);
  const Extended can_run =
      CanRun({{kDst, dst, to}, {kSrc, src, from}},
             NotTooMany(call.repeat_times), state.memories);
  if (!can_run || call.repeat_times == 0) return can_run;
  ExecuteMatrices(call, *dst, *src, state);
  return {};
}

}  // namespace lanediff::oracle
