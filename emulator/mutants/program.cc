// The steps that set machine state.

#include <algorithm>
#include <variant>
#include <vector>

#include "emulator/mutants/modules.h"
#include "emulator/mutants/plant.h"

namespace lanediff::mutants {
namespace {

using emulator::CopyUnderWay;
using emulator::kStateSteps;
using emulator::State;
using emulator::StateSeams;
using isa::Pipe;
using isa::Product;
using isa::StepResult;

constexpr isa::RuleId kMask = isa::state::kMaskRegister;
constexpr isa::RuleId kSaturation = isa::state::kSaturation;
constexpr isa::RuleId kProduct = isa::state::kSaturationProduct;
constexpr isa::RuleId kBarrier = isa::dc::kBarrier;

Mutant Masked(const Label& label, decltype(StateSeams::set_vector_mask) step) {
  return Plant(kProgramSlug, &emulator::Seams::state,
               &StateSeams::set_vector_mask, step, label);
}

Mutant Saturated(const Label& label,
                 decltype(StateSeams::set_saturation) step) {
  return Plant(kProgramSlug, &emulator::Seams::state,
               &StateSeams::set_saturation, step, label);
}

Mutant Reserving(const Label& label,
                 decltype(StateSeams::reaches_reserved) reaches) {
  return Plant(kProgramSlug, &emulator::Seams::state,
               &StateSeams::reaches_reserved, reaches, label);
}

/// The barrier waits for the copies for which `waits(step, copy)` is true.
template <class Waits>
Mutant WaitingFor(const Label& label, Waits) {
  return Plant(
      kProgramSlug, &emulator::Seams::state, &StateSeams::pipe_barrier,
      [](const isa::PipeBarrier& step, State& state) -> StepResult {
        std::erase_if(state.copies_under_way, [&](const CopyUnderWay& copy) {
          return Waits{}(step, copy);
        });
        return {};
      },
      label);
}

bool IsAllOr(const isa::PipeBarrier& step, Pipe pipe) {
  return step.pipe == Pipe::kAll || step.pipe == pipe;
}

Table Masks() {
  return {
      Masked({"program-mask-words-swapped", kMask,
              "SetVectorMask takes the high word for the low one",
              "the intrinsic's arguments are high, low"},
             [](const isa::SetVectorMask& s, State& state) -> StepResult {
               state.mask_register = {.low = s.high, .high = s.low};
               return {};
             }),
      Masked({"program-mask-bits-reversed", kMask,
              "SetVectorMask counts lanes from the highest bit"},
             [](const isa::SetVectorMask& s, State& state) -> StepResult {
               state.mask_register =
                   BitsReversed({.low = s.low, .high = s.high});
               return {};
             }),
      Masked({"program-mask-high-word-kept", kMask,
              "SetVectorMask leaves the high word as it was",
              "a register of 64 bits in the code for float"},
             [](const isa::SetVectorMask& s, State& state) -> StepResult {
               state.mask_register.low = s.low;
               return {};
             }),
      Masked({"program-mask-adds-lanes", kMask,
              "SetVectorMask adds lanes to those that are set"},
             [](const isa::SetVectorMask& s, State& state) -> StepResult {
               state.mask_register.low |= s.low;
               state.mask_register.high |= s.high;
               return {};
             }),
      Masked({"program-mask-empty-ignored", kMask,
              "SetVectorMask with no lane leaves the register as it was"},
             [](const isa::SetVectorMask& s, State& state) {
               return (s.low | s.high) == 0
                          ? StepResult{}
                          : kStateSteps.set_vector_mask(s, state);
             }),
  };
}

Table Saturations() {
  return {
      Saturated({"program-saturation-ignored", kSaturation,
                 "SetSaturation changes nothing"},
                [](const isa::SetSaturation& s, State& state) {
                  const bool before = state.saturation;
                  const StepResult result =
                      kStateSteps.set_saturation(s, state);
                  state.saturation = before;
                  return result;
                }),
      Saturated({"program-saturation-stays-off", kSaturation,
                 "SetSaturation can't switch saturation on again"},
                [](const isa::SetSaturation& s, State& state) {
                  const bool before = state.saturation;
                  const StepResult result =
                      kStateSteps.set_saturation(s, state);
                  state.saturation &= before;
                  return result;
                }),
      Saturated({"program-saturation-resets-the-mask", kMask,
                 "SetSaturation sets the whole mask register",
                 "both are fields of one control register"},
                [](const isa::SetSaturation& s, State& state) {
                  state.mask_register = emulator::LaneMask::First(128);
                  return kStateSteps.set_saturation(s, state);
                }),
      Saturated({"program-saturation-off-accepted-everywhere", kProduct,
                 "SetSaturation switches saturation off on any product"},
                [](const isa::SetSaturation& s, State& state) -> StepResult {
                  state.saturation = s.enabled;
                  return {};
                }),
      Saturated({"program-saturation-off-rejected-on-a3", kProduct,
                 "SetSaturation with false is legal on atlas-a2 only"},
                [](const isa::SetSaturation& s, State& state) {
                  State other = Confused(state, Product::kAtlasA3,
                                         Product::kAtlas200i500A2);
                  const StepResult result =
                      kStateSteps.set_saturation(s, other);
                  state.saturation = other.saturation;
                  return result;
                }),
      Saturated({"program-saturation-on-rejected-too", kProduct,
                 "SetSaturation is rejected whatever its argument is"},
                [](const isa::SetSaturation& s, State& state) {
                  const StepResult result =
                      kStateSteps.set_saturation({.enabled = false}, state);
                  if (result.rules.empty()) state.saturation = s.enabled;
                  return result;
                }),
  };
}

Table Barriers() {
  return {
      WaitingFor(
          {"program-barrier-ignored", kBarrier,
           "PipeBarrier waits for nothing"},
          [](const isa::PipeBarrier&, const CopyUnderWay&) { return false; }),
      WaitingFor(
          {"program-barrier-waits-for-every-pipe", kBarrier,
           "PipeBarrier of one pipe waits for all of them"},
          [](const isa::PipeBarrier&, const CopyUnderWay&) { return true; }),
      WaitingFor({"program-barrier-all-without-v", kBarrier,
                  "PipeBarrier ALL waits for copies between memories only",
                  "a list of the copy pipes in the place of all"},
                 [](const isa::PipeBarrier& s, const CopyUnderWay& copy) {
                   return s.pipe == copy.pipe ||
                          (s.pipe == Pipe::kAll && copy.pipe != Pipe::kV);
                 }),
      WaitingFor({"program-barrier-mte2-for-mte3", kBarrier,
                  "PipeBarrier MTE3 waits for copies on MTE2"},
                 [](const isa::PipeBarrier& s, const CopyUnderWay& copy) {
                   const Pipe waited =
                       s.pipe == Pipe::kMte3 ? Pipe::kMte2 : s.pipe;
                   return IsAllOr({waited}, copy.pipe);
                 }),
      WaitingFor({"program-barrier-into-gm-only", kBarrier,
                  "PipeBarrier does not wait for copies into the Unified "
                  "Buffer"},
                 [](const isa::PipeBarrier& s, const CopyUnderWay& copy) {
                   return copy.memory != isa::Memory::kUb &&
                          IsAllOr(s, copy.pipe);
                 }),
      Plant(kProgramSlug, &emulator::Seams::state, &StateSeams::pipe_barrier,
            [](const isa::PipeBarrier& s, State& state) -> StepResult {
              auto& copies = state.copies_under_way;
              const auto oldest =
                  std::ranges::find_if(copies, [&](const CopyUnderWay& copy) {
                    return IsAllOr(s, copy.pipe);
                  });
              if (oldest != copies.end()) copies.erase(oldest);
              return {};
            },
            {"program-barrier-waits-for-the-oldest", kBarrier,
             "PipeBarrier waits for one copy of several",
             "an event flag in the place of a barrier"}),
  };
}

/// STATE-UB-RESERVED.
Table Reserved() {
  constexpr isa::RuleId kReserved = isa::state::kUbReserved;
  return {
      Reserving({"program-ub-reserved-in-2024", kReserved,
                 "notes UB's last 8 KiB in edition 2024 as well"},
                [](const isa::Step& step, const State& state) {
                  return kStateSteps.reaches_reserved(step, Newest(state));
                }),
      Reserving({"program-ub-reserved-on-a2-alone", kReserved,
                 "notes UB's last 8 KiB on atlas-a2 alone"},
                [](const isa::Step& step, const State& state) {
                  return state.product == Product::kAtlasA2 &&
                         kStateSteps.reaches_reserved(step, state);
                }),
      Reserving({"program-ub-reserved-from-its-first-byte", kReserved,
                 "notes an operand that ends where the last 8 KiB begin",
                 "<= for < in a comparison of ranges"},
                [](const isa::Step& step, const State& state) {
                  isa::Step longer = step;
                  const auto lengthen = [](auto& operand) {
                    if constexpr (requires { operand.bytes; }) {
                      operand.bytes += operand.bytes > 0 ? 1 : 0;
                    }
                  };
                  std::visit(
                      [&](auto& call) {
                        if constexpr (requires { call.dst; })
                          lengthen(call.dst);
                        if constexpr (requires { call.src; })
                          lengthen(call.src);
                        if constexpr (requires { call.src0; })
                          lengthen(call.src0);
                        if constexpr (requires { call.src1; })
                          lengthen(call.src1);
                      },
                      longer);
                  return kStateSteps.reaches_reserved(longer, state);
                }),
  };
}

}  // namespace

Table ProgramSteps() {
  return Joined(Masks(), Saturations(), Barriers(), Reserved());
}

}  // namespace lanediff::mutants
