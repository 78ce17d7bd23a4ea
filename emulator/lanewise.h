#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "emulator/address.h"
#include "emulator/path.h"
#include "emulator/state.h"
#include "isa/step.h"

/// Calls that compute lane by lane: what they compute and on which products is
/// in lanewise.inc, a line each, all else they have in common.
namespace lanediff::emulator {

/// Where a call that passes stage 1 reads and writes, in bytes of the Unified
/// Buffer. The count form is laid out as iterations without gaps.
struct LanewisePlan {
  const isa::Signature* signature = isa::kLanewiseRows.data();
  isa::DType dtype = isa::DType::kHalf;
  isa::DType dst_dtype = isa::DType::kHalf;
  isa::RoundMode round_mode = isa::RoundMode::kNone;
  isa::CmpMode cmp_mode = isa::CmpMode::kLt;
  bool saturation = true;
  /// Of the widest element: an iteration has as many lanes as 256 bytes of it.
  std::int64_t lane_bytes = 0;
  std::int64_t iterations = 0;  // 0 where nothing is read or written
  LaneMask lanes;               // of all iterations but the last
  LaneMask last_lanes;
  std::array<VectorOperand, isa::Call::kMostOperands> operands;  // dst first
  std::uint64_t scalar = 0;     // an element's bits
  bool round = false;           // roundEn
  bool selects_scalar = false;  // which then stands for the last operand

  const LaneMask& LanesOf(std::int64_t iteration) const {
    return iteration + 1 < iterations ? lanes : last_lanes;
  }
  /// Bytes of an iteration's packed bits.
  std::int64_t packed_bytes() const { return kIterationBytes / lane_bytes / 8; }
  VectorOperand& dst() { return operands[0]; }
  const VectorOperand& dst() const { return operands[0]; }
  VectorOperand& src(std::size_t i) { return operands[i + 1]; }
  const VectorOperand& src(std::size_t i) const { return operands[i + 1]; }
  std::size_t sources() const {
    return signature->sources() - (selects_scalar ? 1 : 0);
  }
  /// Those that the call has.
  std::span<const VectorOperand> used_operands() const {
    return std::span(operands).first(sources() + 1);
  }
};

/// The results of one iteration, lane after lane; only the lanes that take part
/// mean something. Packed bits stand at the start, 0 of other lanes.
using LanewiseResult = std::array<std::uint8_t, kIterationBytes>;

/// Fills `result` for the lanes that take part in `iteration`.
using LanewiseKernel = void (*)(const LanewisePlan& plan,
                                std::int64_t iteration,
                                std::span<const std::uint8_t> ub,
                                LanewiseResult& result);

using LanewiseWriteBack = void (*)(const LanewisePlan& plan,
                                   std::int64_t iteration,
                                   const LanewiseResult& result,
                                   std::span<std::uint8_t> ub);

/// Kernel and write-back of all iterations at once, for a legal plan that has
/// iterations and lanes and whose DataBlocks lie in `ub`. Never `Path::kPlain`.
using LanewiseVectors = Path (*)(const LanewisePlan& plan,
                                 std::span<std::uint8_t> ub);

/// The four seams in a row; each can be replaced without touching the others.
struct LanewiseSeams {
  /// The reject rules that the call breaks, in closed form.
  isa::RuleSet (*legality)(const isa::Call& call, const State& state);
  LanewisePlan (*plan)(const isa::Call& call, const State& state);
  /// By type; null where the instruction doesn't have it on any product.
  std::array<LanewiseKernel, isa::kCount<isa::DType>> kernels;
  LanewiseWriteBack write_back;
  /// In the place of kernel and write-back, where not null.
  LanewiseVectors vectors = nullptr;

  LanewiseKernel& KernelOf(isa::DType type) {
    return kernels[static_cast<std::size_t>(type)];
  }
  LanewiseKernel KernelOf(isa::DType type) const {
    return kernels[static_cast<std::size_t>(type)];
  }
};

/// A row of seams for each instruction, by its place in `isa::kLanewiseRows`.
using LanewiseRows = std::array<LanewiseSeams, isa::kLanewiseRows.size()>;

/// The plain implementation.
extern const LanewiseRows kLanewise;

/// The place of the row of `op`, which must have one.
constexpr std::size_t LanewiseRow(std::string_view op) {
  return isa::PlaceOf(*isa::FindSignature(op));
}

/// Executes `call` on `state`, or changes nothing and returns the rules that it
/// breaks.
isa::StepResult Run(const isa::Call& call, const LanewiseSeams& seams,
                    State& state);

}  // namespace lanediff::emulator
