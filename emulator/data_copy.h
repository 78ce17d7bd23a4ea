#pragma once

#include <cstdint>
#include <span>

#include "emulator/blocks.h"
#include "emulator/path.h"
#include "emulator/state.h"
#include "isa/step.h"

namespace lanediff::emulator {

/// What stands in a block of `dst` before and behind what is copied.
enum class Padding : std::uint8_t {
  kKept,          ///< what was there before, if anything does
  kElement,       ///< `DataCopyPlan::padding`
  kFirstElement,  ///< the first element of the block
};

/// Where a call that passes stage 1 reads and writes. Both sides have equally
/// many blocks; a block of `dst` is twice as long where the copy widens, and
/// has what pads it where the copy pads.
struct DataCopyPlan {
  isa::Memory src_memory = isa::Memory::kGm;
  isa::Memory dst_memory = isa::Memory::kGm;
  isa::Pipe pipe = isa::Pipe::kV;
  Blocks src;
  Blocks dst;
  bool widens = false;  // half to float
  Padding padded_with = Padding::kKept;
  std::uint8_t element_bytes = 0;
  std::int64_t left = 0;  // bytes of a block before what is copied
  std::uint64_t padding = 0;

  /// Bytes that are copied into a block of `dst`.
  std::int64_t copied() const { return src.bytes * (widens ? 2 : 1); }
};

/// Fills `out` with the copy of what stands at `at`. A call copies at most one
/// chunk of a block.
using DataCopyKernel = void (*)(std::span<const std::uint8_t> memory,
                                std::int64_t at, std::span<std::uint8_t> out);

/// Fills `out`, whole elements, with what pads a block that stands at `at`.
using DataCopyPadKernel = void (*)(const DataCopyPlan& plan,
                                   std::span<const std::uint8_t> memory,
                                   std::int64_t at,
                                   std::span<std::uint8_t> out);

/// Kernel and write-back of all blocks at once, for a legal plan with blocks:
/// from the memory `src` to the memory `dst`, which may be the same. Never
/// `Path::kPlain`.
using DataCopyVectors = Path (*)(const DataCopyPlan& plan,
                                 std::span<const std::uint8_t> src,
                                 std::span<std::uint8_t> dst);

/// The four seams in a row; each can be replaced without touching the others.
struct DataCopySeams {
  /// The reject rules that the call breaks, in closed form.
  isa::RuleSet (*legality)(const isa::Call& call, const State& state);
  DataCopyPlan (*plan)(const isa::Call& call, const State& state);
  DataCopyKernel copy_kernel;   // the same type on both sides
  DataCopyKernel widen_kernel;  // half to float
  DataCopyPadKernel pad_kernel;
  /// Writes `bytes`, which begin `offset` bytes into block `block` of `dst`.
  void (*write_back)(const DataCopyPlan& plan, std::int64_t block,
                     std::int64_t offset, std::span<const std::uint8_t> bytes,
                     std::span<std::uint8_t> memory);
  /// In the place of kernel and write-back, where not null.
  DataCopyVectors vectors = nullptr;
};

/// The plain implementation, of all copies.
extern const DataCopySeams kDataCopy;

/// The plain address plan.
DataCopyPlan PlanDataCopy(const isa::Call& call, const State& state);

/// The type of an operand: its own, else the step's.
inline isa::DType TypeOf(const isa::Operand& operand, const isa::Call& call) {
  return operand.dtype.value_or(call.dtype);
}

/// Whether the copy is the one that only the document's own example makes, not
/// its table of routes (DC-ROUTE-EXAMPLE).
inline bool IsExampleRoute(const isa::Call& call) {
  return call.src(0).position == isa::Position::kVecin &&
         call.dst().position == isa::Position::kVecout;
}

/// Bytes that a call in count form names, before rounding down to whole blocks.
/// The count has passed DC-COUNT.
std::int64_t NamedBytes(const isa::Call& call);

/// The reject rules that the call breaks, in closed form.
isa::RuleSet DataCopyLegality(const isa::Call& call, const State& state);

/// Executes `call` on `state`, or changes nothing and returns the rules that it
/// breaks.
isa::StepResult Run(const isa::Call& call, const DataCopySeams& seams,
                    State& state);

}  // namespace lanediff::emulator
