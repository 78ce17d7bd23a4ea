// Flags, mask modes and single elements.

#include <algorithm>

#include "emulator/mutants/modules.h"
#include "emulator/mutants/plant.h"

namespace lanediff::mutants {
namespace {

using emulator::FlagUp;
using emulator::kStateSteps;
using emulator::State;
using emulator::StateSeams;
using isa::Product;
using isa::StepResult;

constexpr isa::RuleId kOrder = isa::sync::kHappensBefore;
constexpr isa::RuleId kMode = isa::state::kMaskMode;

template <class Step>
Mutant Of(StepResult (*StateSeams::*seam)(const Step&, State&),
          const Label& label, StepResult (*step)(const Step&, State&)) {
  return Plant(kProgramSlug, &emulator::Seams::state, seam, step, label);
}

Mutant Setting(const Label& label, decltype(StateSeams::set_flag) step) {
  return Of(&StateSeams::set_flag, label, step);
}
Mutant Waiting(const Label& label, decltype(StateSeams::wait_flag) step) {
  return Of(&StateSeams::wait_flag, label, step);
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
      Of<isa::ResetMask>(&StateSeams::reset_mask,
                         {"program-reset-mask-ignored", kMode,
                          "ResetMask leaves the register as it was"},
                         [](const isa::ResetMask& s, State& state) {
                           const auto before = state.mask_register;
                           const StepResult result =
                               kStateSteps.reset_mask(s, state);
                           state.mask_register = before;
                           return result;
                         }),
      Of<isa::SetMaskCount>(
          &StateSeams::set_mask_count,
          {"program-mask-count-on-every-product", isa::state::kMaskProduct,
           "SetMaskCount is legal everywhere"},
          [](const isa::SetMaskCount& s, State& state) {
            return On(Product::kAtlasA2, kStateSteps.set_mask_count, s, state);
          }),
  };
}

Mutant Putting(const Label& label, decltype(StateSeams::set_value) step) {
  return Of(&StateSeams::set_value, label, step);
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
      Of<isa::GetValue>(&StateSeams::get_value,
                        {"program-element-between-others", rule::kAlign,
                         "GetValue of float is legal at multiples of 2"},
                        [](const isa::GetValue& s, State& state) {
                          isa::GetValue other = s;
                          if (s.dtype == isa::DType::kFloat &&
                              s.src.at % 4 == 2) {
                            other.src.at -= 2;
                          }
                          return kStateSteps.get_value(other, state);
                        }),
      Of<isa::GetValue>(&StateSeams::get_value,
                        {"program-element-on-every-product", rule::kProduct,
                         "GetValue is legal on atlas-200-300-500"},
                        [](const isa::GetValue& s, State& state) {
                          return On(Product::kAtlasA2, kStateSteps.get_value, s,
                                    state);
                        }),
  };
}

}  // namespace

Table FlagSteps() { return Joined(Flags(), Modes(), Elements()); }

}  // namespace lanediff::mutants
