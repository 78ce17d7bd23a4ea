#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "emulator/blocks.h"
#include "emulator/path.h"
#include "emulator/state.h"
#include "isa/step.h"

namespace lanediff::emulator {

/// Where a call that passes stage 1 reads and writes: block r is that of
/// iteration r. Addresses are bytes of the Unified Buffer.
struct VecTransPlan {
  Blocks src;
  Blocks dst;
};

/// 16 × 16 elements of 16 bits, row by row.
using VecTransBlock = std::array<std::uint16_t, 256>;

/// Fills `transposed` from the block of `iteration`.
using VecTransKernel = void (*)(const VecTransPlan& plan,
                                std::int64_t iteration,
                                std::span<const std::uint8_t> ub,
                                VecTransBlock& transposed);

/// Kernel and write-back of all iterations at once, for a legal plan. Never
/// `Path::kPlain`.
using VecTransVectors = Path (*)(const VecTransPlan& plan,
                                 std::span<std::uint8_t> ub);

/// The four seams in a row; each can be replaced without touching the others.
struct VecTransSeams {
  /// The reject rules that the call breaks, in closed form.
  isa::RuleSet (*legality)(const isa::Call& call, const State& state);
  VecTransPlan (*plan)(const isa::Call& call, const State& state);
  VecTransKernel kernel;
  void (*write_back)(const VecTransPlan& plan, std::int64_t iteration,
                     const VecTransBlock& transposed,
                     std::span<std::uint8_t> ub);
  /// In the place of kernel and write-back, where not null.
  VecTransVectors vectors = nullptr;
};

/// The plain implementation.
extern const VecTransSeams kVecTrans;

/// Executes `call` on `state`, or changes nothing and returns the rules that it
/// breaks.
isa::StepResult Run(const isa::Call& call, const VecTransSeams& seams,
                    State& state);

}  // namespace lanediff::emulator
