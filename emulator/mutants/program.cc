// The steps that set machine state: masks, saturation, barriers, flags, modes
// and single elements.

#include <algorithm>
#include <variant>
#include <vector>

#include "emulator/mutants/plant.h"

namespace lanediff::mutants {
namespace {

using emulator::CopyUnderWay;
using emulator::FlagUp;
using emulator::kStateSteps;
using emulator::State;
using emulator::StateSeams;
using isa::Pipe;
using isa::Product;
using isa::StepResult;

constexpr isa::RuleId kMask = isa::state::kMaskRegister;
constexpr isa::RuleId kSaturation = isa::state::kSaturation;
constexpr isa::RuleId kProduct = isa::state::kSaturationProduct;
constexpr isa::RuleId kBarrier =
    isa::kCopyRows.front().Rule(isa::CallRule::kBarrier);

Mutant Masked(const Label& label, decltype(StateSeams::set_vector_mask) step) {
  return PlantedInState(&StateSeams::set_vector_mask, label, step);
}

Mutant Saturated(const Label& label,
                 decltype(StateSeams::set_saturation) step) {
  return PlantedInState(&StateSeams::set_saturation, label, step);
}

Mutant Reserving(const Label& label,
                 decltype(StateSeams::reaches_reserved) reaches) {
  return PlantedInState(&StateSeams::reaches_reserved, label, reaches);
}

/// The barrier waits for the copies for which `waits(step, copy)` is true.
template <class Waits>
Mutant WaitingFor(const Label& label, Waits) {
  return PlantedInState(
      &StateSeams::pipe_barrier, label,
      [](const isa::PipeBarrier& step, State& state) -> StepResult {
        std::erase_if(state.copies_under_way, [&](const CopyUnderWay& copy) {
          return Waits{}(step, copy);
        });
        return {};
      });
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
      PlantedInState(&StateSeams::pipe_barrier,
                     {"program-barrier-waits-for-the-oldest", kBarrier,
                      "PipeBarrier waits for one copy of several",
                      "an event flag in the place of a barrier"},
                     [](const isa::PipeBarrier& s, State& state) -> StepResult {
                       auto& copies = state.copies_under_way;
                       const auto oldest = std::ranges::find_if(
                           copies, [&](const CopyUnderWay& copy) {
                             return IsAllOr(s, copy.pipe);
                           });
                       if (oldest != copies.end()) copies.erase(oldest);
                       return {};
                     }),
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
      Reserving(
          {"program-ub-reserved-from-its-first-byte", kReserved,
           "notes an operand that ends where the last 8 KiB begin",
           "<= for < in a comparison of ranges"},
          [](const isa::Step& step, const State& state) {
            isa::Step longer = step;
            const auto lengthen = [](isa::Operand& operand) {
              operand.bytes += operand.bytes > 0 ? 1 : 0;
            };
            if (auto* const call = std::get_if<isa::Call>(&longer)) {
              std::ranges::for_each(call->used_operands(), lengthen);
            } else if (auto* const get = std::get_if<isa::GetValue>(&longer)) {
              lengthen(get->src);
            } else if (auto* const set = std::get_if<isa::SetValue>(&longer)) {
              lengthen(set->dst);
            }
            return kStateSteps.reaches_reserved(longer, state);
          }),
  };
}

constexpr isa::RuleId kOrder = isa::sync::kHappensBefore;
constexpr isa::RuleId kMode = isa::state::kMaskMode;

Mutant Setting(const Label& label, decltype(StateSeams::set_flag) step) {
  return PlantedInState(&StateSeams::set_flag, label, step);
}
Mutant Waiting(const Label& label, decltype(StateSeams::wait_flag) step) {
  return PlantedInState(&StateSeams::wait_flag, label, step);
}
Mutant Putting(const Label& label, decltype(StateSeams::set_value) step) {
  return PlantedInState(&StateSeams::set_value, label, step);
}

/// The seam's own step as if the product were another.
template <class Step>
StepResult On(Product product, StepResult (*seam)(const Step&, State&),
              const Step& step, State& state) {
  const Product real = state.product;
  state.product = product;
  const StepResult result = seam(step, state);
  state.product = real;
  return result;
}

Table Flags() {
  return {
      Setting({"program-flag-carries-every-pipe", kOrder,
               "SetFlag signals for all pipes, not for its own"},
              [](const isa::SetFlag& s, State& state) {
                const std::size_t before = state.flags.size();
                const StepResult result = kStateSteps.set_flag(s, state);
                if (state.flags.size() > before) {
                  state.flags.back().carried.fill(state.step);
                }
                return result;
              }),
      Setting({"program-flag-set-twice-takes-the-later", kOrder,
               "SetFlag of a set flag replaces what it had"},
              [](const isa::SetFlag& s, State& state) {
                std::erase_if(state.flags, [&](const FlagUp& flag) {
                  return flag.event == s.event && flag.id == s.id;
                });
                return kStateSteps.set_flag(s, state);
              }),
      Setting({"program-reserved-flag-unnoted", isa::sync::kFlagReserved,
               "SetFlag of flag 6 or 7 is not noted"},
              [](const isa::SetFlag& s, State& state) {
                StepResult result = kStateSteps.set_flag(s, state);
                result.notes = {};
                return result;
              }),
      Waiting({"program-flag-wait-ignored", kOrder,
               "WaitFlag waits for "
               "nothing"},
              [](const isa::WaitFlag& s, State& state) {
                const auto clocks = state.clocks;
                const auto copies = state.copies_under_way;
                const StepResult result = kStateSteps.wait_flag(s, state);
                state.clocks = clocks;
                state.copies_under_way = copies;
                return result;
              }),
      Waiting({"program-flag-id-ignored", kOrder,
               "WaitFlag takes any flag of its event"},
              [](const isa::WaitFlag& s, State& state) {
                const auto up =
                    std::ranges::find(state.flags, s.event, &FlagUp::event);
                const std::int64_t id = up == state.flags.end() ? s.id : up->id;
                return kStateSteps.wait_flag({s.event, id}, state);
              }),
      Waiting({"program-scalar-wait-orders-scalar-alone", kOrder,
               "WaitFlag of a flag for S holds S up and no other pipe"},
              [](const isa::WaitFlag& s, State& state) {
                const auto clocks = state.clocks;
                const auto copies = state.copies_under_way;
                const StepResult result = kStateSteps.wait_flag(s, state);
                if (isa::DestinationOf(s.event) == isa::Pipe::kS) {
                  state.clocks = clocks;
                  state.copies_under_way = copies;
                }
                return result;
              }),
  };
}

Table Modes() {
  return {
      PlantedInState(&StateSeams::reset_mask,
                     {"program-reset-mask-ignored", kMode,
                      "ResetMask leaves the register as it was"},
                     [](const isa::ResetMask& s, State& state) {
                       const auto before = state.mask_register;
                       const StepResult result =
                           kStateSteps.reset_mask(s, state);
                       state.mask_register = before;
                       return result;
                     }),
      PlantedInState(
          &StateSeams::set_mask_count,
          {"program-mask-count-on-every-product", isa::state::kMaskProduct,
           "SetMaskCount is legal everywhere"},
          [](const isa::SetMaskCount& s, State& state) {
            return On(Product::kAtlasA2, kStateSteps.set_mask_count, s, state);
          }),
  };
}

Table Elements() {
  namespace rule = isa::scalar;
  return {
      Putting({"program-element-counts-bytes", rule::kBounds,
               "SetValue takes its index for a number of bytes"},
              [](const isa::SetValue& s, State& state) {
                isa::SetValue other = s;
                if (s.dtype != isa::DType::kInt8 && s.index > 0 &&
                    s.index % 2 == 0) {
                  other.index /= 2;
                }
                return kStateSteps.set_value(other, state);
              }),
      Putting({"program-element-beyond-the-window", rule::kBounds,
               "SetValue is held to its memory, not to its window"},
              [](const isa::SetValue& s, State& state) {
                isa::SetValue other = s;
                if (s.dst.at >= 0 && s.dst.bytes >= 0) {
                  other.dst.bytes += 64;
                }
                return kStateSteps.set_value(other, state);
              }),
      Putting({"program-element-before-the-first", rule::kIndex,
               "SetValue takes index -1 for 0"},
              [](const isa::SetValue& s, State& state) {
                isa::SetValue other = s;
                if (s.index == -1) other.index = 0;
                return kStateSteps.set_value(other, state);
              }),
      Putting({"program-element-of-gm", rule::kPosition,
               "SetValue takes GM for VECCALC"},
              [](const isa::SetValue& s, State& state) {
                isa::SetValue other = s;
                if (s.dst.position == isa::Position::kGm) {
                  other.dst.position = isa::Position::kVeccalc;
                }
                return kStateSteps.set_value(other, state);
              }),
      PlantedInState(&StateSeams::get_value,
                     {"program-element-between-others", rule::kAlign,
                      "GetValue of float is legal at multiples of 2"},
                     [](const isa::GetValue& s, State& state) {
                       isa::GetValue other = s;
                       if (s.dtype == isa::DType::kFloat && s.src.at % 4 == 2) {
                         other.src.at -= 2;
                       }
                       return kStateSteps.get_value(other, state);
                     }),
      PlantedInState(&StateSeams::get_value,
                     {"program-element-on-every-product", rule::kProduct,
                      "GetValue is legal on atlas-200-300-500"},
                     [](const isa::GetValue& s, State& state) {
                       return On(Product::kAtlasA2, kStateSteps.get_value, s,
                                 state);
                     }),
  };
}

}  // namespace

Table ProgramSteps() {
  return Joined(Masks(), Saturations(), Barriers(), Reserved());
}

Table FlagSteps() { return Joined(Flags(), Modes(), Elements()); }

}  // namespace lanediff::mutants
