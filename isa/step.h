#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <variant>

#include "isa/call.h"
#include "isa/carried.h"
#include "isa/resource.h"
#include "isa/rule.h"
#include "isa/state.h"

namespace lanediff::isa {

/// One step of a program.
using Step = std::variant<SetVectorMask, SetSaturation, PipeBarrier, SetFlag,
                          WaitFlag, SetMaskCount, SetMaskNorm, ResetMask,
                          GetValue, SetValue, Carried, Resource, Call>;

/// Whether only cases of kernels have the step.
inline bool IsOfKernel(const Step& step) {
  return std::holds_alternative<Carried>(step) ||
         std::holds_alternative<Resource>(step);
}

/// A step that computes or moves data: one of the documents' intrinsics.
inline bool IsCall(const Step& step) {
  return std::holds_alternative<Call>(step);
}
/// Whether it is a call of an instruction of the family.
inline bool IsOf(const Step& step, Family family) {
  const auto* const call = std::get_if<Call>(&step);
  return call != nullptr && call->Is(family);
}
/// Calls `visit(name, operand, dtype)` with each operand and each tile of
/// `step`; `dtype` is the step's.
void ForEachOperand(auto& step, const auto& visit) {
  std::visit(
      [&]<class S>(S& s) {
        if constexpr (std::same_as<std::remove_const_t<S>, Call>) {
          for (std::size_t i = 0; i < s.used_operands().size(); ++i) {
            visit(s.signature->operands[i].name, s.operands[i], s.dtype);
          }
          for (std::size_t i = 0; i < s.used_tiles().size(); ++i) {
            visit(s.signature->tiles[i].name, s.tiles[i], s.dtype);
          }
        } else {
          if constexpr (requires { s.dst; }) visit("dst", s.dst, s.dtype);
          if constexpr (requires { s.src; }) visit("src", s.src, s.dtype);
        }
      },
      step);
}
/// A step that sets or waits for machine state, or moves one element.
template <class S>
concept StateStep = !std::same_as<S, Call>;

/// The document's name of what the step does.
inline std::string_view OpName(const Step& step) {
  return std::visit(
      []<class S>(const S& s) -> std::string_view {
        if constexpr (StateStep<S>) {
          return S::kOp;
        } else {
          return s.signature->op;
        }
      },
      step);
}

/// Each kind of step once, with nothing filled in, by its number: the one in
/// fuzz inputs and in the plugin ABI. Kernels alone have two of them.
std::span<const Step> StepKinds();
/// Those of intrinsics, in the order of their numbers.
std::span<const Call> CallKinds();
/// The kind called `op`; null if there is none.
const Step* FindStepKind(std::string_view op);
/// The number of the step's kind.
std::size_t NumberOf(const Step& step);

/// What a step has to do with the vector mask register and its mode.
struct MaskUse {
  bool reads_mode = false;
  bool reads_register = false;
  bool sets_mode = false;
  bool sets_register = false;

  bool operator==(const MaskUse&) const = default;
};

MaskUse MaskUseOf(const Step& step, Product product);

/// What an implementation answers to one step.
struct StepResult {
  enum class Status : unsigned char {
    kExecuted,
    kRejected,
    /// The implementation can't do what is requested, legal or not.
    kUnsupported,
  };

  Status status = Status::kExecuted;
  /// The reject rules that the step breaks; empty unless rejected.
  RuleSet rules;
  /// The notes of an executed step.
  RuleSet notes;

  bool operator==(const StepResult&) const = default;

  /// Rejected if `broken` holds a rule, executed otherwise.
  static StepResult FromBroken(const RuleSet& broken) {
    return {.status = broken.empty() ? Status::kExecuted : Status::kRejected,
            .rules = broken,
            .notes = {}};
  }
};

}  // namespace lanediff::isa
