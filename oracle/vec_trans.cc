#include "oracle/vec_trans.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "isa/rule.h"
#include "isa/vocabulary.h"
#include "oracle/element.h"
#include "oracle/lane_list.h"
#include "oracle/listing.h"
#include "oracle/memory_map.h"
#include "oracle/state.h"

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

bool IsWithin(std::int64_t value, std::int64_t low, std::int64_t high) {
  return low <= value && value <= high;
}

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

/// VT-ADDRESS: the matrix of iteration `r`, head to head in units of 512 bytes.
Address MatrixAt(const Operand& operand, std::int64_t stride, std::int64_t r) {
  return operand.at + Address{r} * Near(stride) * kMatrixBytes;
}

/// All matrices of one operand.
LaneList Matrices(const Operand& operand, std::int64_t stride) {
  return ListContiguous(operand.at, kElementBytes, kSide * kSide,
                        Address{Near(stride)} * kMatrixBytes);
}

bool IsOutOfBounds(const VecTrans& call, const isa::Memories& memories) {
  if (!WindowIsInMemory(call.dst, isa::Memory::kUb, memories)) return true;
  if (!WindowIsInMemory(call.src, isa::Memory::kUb, memories)) return true;
  for (std::int64_t r = 0; r < call.repeat_times; ++r) {
    const Address dst = MatrixAt(call.dst, call.dst_rep_stride, r);
    const Address src = MatrixAt(call.src, call.src_rep_stride, r);
    if (!RunIsInWindow(call.dst, dst, kMatrixBytes)) return true;
    if (!RunIsInWindow(call.src, src, kMatrixBytes)) return true;
  }
  return false;
}

/// VT-OVERLAP: dst and src share a byte over the whole call and don't coincide
/// iteration by iteration. For operands in the same memory, inside it.
bool Overlaps(const VecTrans& call) {
  bool coincide = true;
  for (std::int64_t r = 0; r < call.repeat_times; ++r) {
    coincide = coincide && MatrixAt(call.dst, call.dst_rep_stride, r) ==
                               MatrixAt(call.src, call.src_rep_stride, r);
  }
  if (coincide) return false;  // no iteration, too
  return ShareBytes(Matrices(call.dst, call.dst_rep_stride), call.repeat_times,
                    Matrices(call.src, call.src_rep_stride), call.repeat_times);
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
void ExecuteMatrices(const VecTrans& call, isa::Memory dst_memory,
                     isa::Memory src_memory, Oracle::State& state) {
  for (std::int64_t r = 0; r < call.repeat_times; ++r) {
    const Address dst = MatrixAt(call.dst, call.dst_rep_stride, r);
    const Address src = MatrixAt(call.src, call.src_rep_stride, r);
    isa::Access access{.operand = "src",
                       .write = false,
                       .memory = src_memory,
                       .at = static_cast<std::int64_t>(src),
                       .bytes = kMatrixBytes,
                       .dtype = call.dtype,
                       .iteration = r,
                       .lane = 0};
    state.accesses.push_back(access);
    access.operand = "dst";
    access.write = true;
    access.memory = dst_memory;
    access.at = static_cast<std::int64_t>(dst);
    state.accesses.push_back(access);
    if (state.computing) {
      Transpose(state.memories[dst_memory], dst, state.memories[src_memory],
                src);
    }
  }
}

}  // namespace

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
