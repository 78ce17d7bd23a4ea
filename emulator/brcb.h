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
/// iteration r, of dst its first DataBlock. Addresses are bytes of the Unified
/// Buffer.
struct BrcbPlan {
  Blocks src;
  Blocks dst;
  std::int64_t dst_block_stride = 0;
  std::int64_t element_bytes = 0;
};

/// The bits of the elements of an iteration.
using BrcbElements = std::array<std::uint64_t, 8>;

/// Reads those of `iteration`.
using BrcbKernel = void (*)(const BrcbPlan& plan, std::int64_t iteration,
                            std::span<const std::uint8_t> ub,
                            BrcbElements& elements);

/// Kernel and write-back of all iterations at once, for a legal plan. Never
/// `Path::kPlain`.
using BrcbVectors = Path (*)(const BrcbPlan& plan, std::span<std::uint8_t> ub);

/// The four seams in a row; each can be replaced without touching the others.
struct BrcbSeams {
  /// The reject rules that the call breaks, in closed form.
  isa::RuleSet (*legality)(const isa::Call& call, const State& state);
  BrcbPlan (*plan)(const isa::Call& call, const State& state);
  BrcbKernel kernel;
  void (*write_back)(const BrcbPlan& plan, std::int64_t iteration,
                     const BrcbElements& elements, std::span<std::uint8_t> ub);
  /// In the place of kernel and write-back, where not null.
  BrcbVectors vectors = nullptr;
};

/// The plain implementation.
extern const BrcbSeams kBrcb;

/// Executes `call` on `state`, or changes nothing and returns the rules that it
/// breaks.
isa::StepResult Run(const isa::Call& call, const BrcbSeams& seams,
                    State& state);

}  // namespace lanediff::emulator
