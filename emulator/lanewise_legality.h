#pragma once

#include <array>

#include "emulator/address.h"
#include "emulator/lanewise.h"
#include "emulator/state.h"
#include "isa/call.h"
#include "isa/rule.h"

namespace lanediff::emulator {

/// The plain address plan.
LanewisePlan PlanLanewise(const isa::Call& call, const State& state);

/// The reject rules that the call breaks, in closed form.
isa::RuleSet LanewiseLegality(const isa::Call& call, const State& state);

/// Bytes from the first to the last one that a call touches of an operand of
/// `plan`, which passed stage 1.
Extent ExtentOf(const LanewisePlan& plan, const VectorOperand& operand);

/// The extents of a call's operands, dst first.
using LanewiseExtents = std::array<Extent, isa::Call::kMostOperands>;

/// Which of the overlap rules of the mask forms a call breaks.
struct LanewiseOverlaps {
  bool iteration = false;
  bool dependency = false;
  bool sources = false;
  bool bits = false;
};

/// Stage 3 of the mask forms, in closed form.
LanewiseOverlaps OverlapsOf(const LanewisePlan& plan,
                            const LanewiseExtents& extents);

}  // namespace lanediff::emulator
