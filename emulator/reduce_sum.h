#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "emulator/address.h"
#include "emulator/path.h"
#include "emulator/state.h"
#include "isa/step.h"

/// Calls that make one element of the lanes of each iteration, or one of each
/// group of these lanes: their sum, the largest or the smallest one.
namespace lanediff::emulator {

enum class Reduction : std::uint8_t { kSum, kMax, kMin };

/// What an element of a result is: a value, the number of its lane, or 0 above
/// a number of 32 bits.
enum class Part : std::uint8_t { kValue, kIndex, kZero };

/// Where a legal call reads and writes. Addresses and strides are bytes of the
/// Unified Buffer; iteration r starts at `src + r * src_repeat_stride`.
struct ReduceSumPlan {
  isa::DType dtype = isa::DType::kHalf;
  std::int64_t repeats = 0;
  LaneMask lanes;
  std::int64_t src = 0;
  std::int64_t src_block_stride = 0;
  std::int64_t src_repeat_stride = 0;
  std::int64_t dst = 0;
  std::int64_t dst_repeat_stride = 0;
  bool saturation = true;
  Reduction reduction = Reduction::kSum;
  const isa::Signature* signature = isa::kReductionRows.data();
  /// Whether a group without a lane gets `filling`, else nothing is written.
  bool fills = false;
  std::uint32_t filling = 0;
  /// The elements of an iteration's only result, and the one to compute.
  std::array<Part, 2> parts = {};
  int elements = 1;
  Part part = Part::kValue;

  int lanes_per_result() const {
    const auto bytes = static_cast<int>(ElementBytes(dtype));
    switch (signature->group) {
      case isa::Group::kPair:
        return 2;
      case isa::Group::kDataBlock:
        return kBlockBytes / bytes;
      case isa::Group::kIteration:
        break;
    }
    return kIterationBytes / bytes;
  }
  std::int64_t result_bytes() const {
    return elements * kIterationBytes / lanes_per_result();
  }
  /// Bit i: result i of an iteration is written, or element i of the only one.
  std::uint64_t results() const;
  /// The same iterations, of which only the lanes of result `i` take part, or
  /// only element `i` is computed.
  ReduceSumPlan OfResult(int i) const;

  /// Whether nothing is read or written.
  bool empty() const { return repeats == 0 || lanes.empty(); }
};

/// The result of all lanes of one iteration, as bits of the element type.
/// `lanes` is not empty.
using ReduceSumKernel = std::uint32_t (*)(const ReduceSumPlan& plan,
                                          std::int64_t iteration,
                                          std::span<const std::uint8_t> ub);

using ReduceSumWriteBack = void (*)(const ReduceSumPlan& plan,
                                    std::int64_t iteration, std::uint32_t bits,
                                    std::span<std::uint8_t> ub);

/// Kernel and write-back of all iterations at once, for a legal plan that has
/// iterations and lanes and whose source DataBlocks lie in `ub`. Never
/// `Path::kPlain`.
using ReduceSumVectors = Path (*)(const ReduceSumPlan& plan,
                                  std::span<std::uint8_t> ub);

/// The five seams in a row; each can be replaced without touching the others.
struct ReduceSumSeams {
  /// The reject rules that the call breaks, in closed form.
  isa::RuleSet (*legality)(const isa::Call& call, const State& state);
  ReduceSumPlan (*plan)(const isa::Call& call, const State& state);
  ReduceSumKernel half_kernel;
  ReduceSumKernel float_kernel;
  ReduceSumKernel index;  ///< the number of the lane that a kernel picks
  ReduceSumWriteBack write_back;
  /// In the place of kernel and write-back, where not null.
  ReduceSumVectors vectors = nullptr;
};

/// A row of seams for each instruction, by its place in `isa::kReductionRows`.
using ReductionRows = std::array<ReduceSumSeams, isa::kReductionRows.size()>;

/// The plain implementation.
extern const ReductionRows kReductions;

/// Executes `call` on `state`, or changes nothing and returns the rules that it
/// breaks.
isa::StepResult Run(const isa::Call& call, const ReduceSumSeams& seams,
                    State& state);

// ---- Parts of the plain implementation --------------------------------------

/// What a call that passed stage 1 breaks in a Unified Buffer of `ub_bytes`.
void AddBrokenPlaces(const ReduceSumPlan& plan, std::size_t ub_bytes,
                     BrokenRules& broken);

/// Neighbours added level by level, or one of the two picked, over halves and
/// over floats.
std::uint32_t TreeSumOfHalves(const ReduceSumPlan& plan, std::int64_t iteration,
                              std::span<const std::uint8_t> ub);
std::uint32_t TreeSumOfFloats(const ReduceSumPlan& plan, std::int64_t iteration,
                              std::span<const std::uint8_t> ub);

/// The number of the lane that one of them picks.
std::uint32_t IndexOfPicked(const ReduceSumPlan& plan, std::int64_t iteration,
                            std::span<const std::uint8_t> ub);

/// Writes one element, through saturation where that is on.
void WriteSum(const ReduceSumPlan& plan, std::int64_t iteration,
              std::uint32_t bits, std::span<std::uint8_t> ub);

/// Computes a plan that is not empty: with vectors, unless there are none or a
/// source DataBlock leaves `ub`, else iteration after iteration.
Path RunSums(const ReduceSumPlan& plan, const ReduceSumSeams& seams,
             std::span<std::uint8_t> ub);

}  // namespace lanediff::emulator
