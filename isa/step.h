#pragma once

#include <cstddef>
#include <string_view>
#include <type_traits>
#include <variant>

#include "isa/carried.h"
#include "isa/data_copy.h"
#include "isa/elementwise.h"
#include "isa/repeat_reduce_sum.h"
#include "isa/resource.h"
#include "isa/rule.h"
#include "isa/scalar.h"
#include "isa/state.h"
#include "isa/trowprod.h"
#include "isa/vec_trans.h"
#include "isa/whole_reduce_sum.h"

namespace lanediff::isa {

/// One step of a program. A new instruction is added at the end: the index is
/// the step's number in serialised fuzzer inputs and must not change.
using Step =
    std::variant<SetVectorMask, SetSaturation, PipeBarrier, RepeatReduceSum,
                 Min, DataCopy, Trowprod, VecTrans, WholeReduceSum, Max, Add,
                 Sub, Mul, SetFlag, WaitFlag, SetMaskCount, SetMaskNorm,
                 ResetMask, GetValue, SetValue, Carried, Resource>;

/// How many of them fuzzer inputs have: those before `Carried`.
inline constexpr std::size_t kFuzzSteps = 20;
static_assert(
    std::is_same_v<std::variant_alternative_t<kFuzzSteps, Step>, Carried>);

/// Whether only cases of kernels have the step.
inline bool IsOfKernel(const Step& step) { return step.index() >= kFuzzSteps; }

/// A step that computes or moves data: one of the documents' intrinsics.
template <class S>
concept Intrinsic = requires { S::kSlug; };
/// A step that sets or waits for machine state, or moves one element.
template <class S>
concept StateStep = !Intrinsic<S>;
/// Min and its family: see isa/elementwise.h.
template <class S>
concept Elementwise = kIsElementwise<S>;

/// Calls `visit.template operator()<S>()` for each intrinsic, in the order of
/// the steps' numbers.
template <class Visit>
constexpr void ForEachIntrinsic(Visit visit) {
  [&]<class... S>(std::type_identity<std::variant<S...>>) {
    const auto one = [&]<class T>() {
      if constexpr (Intrinsic<T>) visit.template operator()<T>();
    };
    (one.template operator()<S>(), ...);
  }(std::type_identity<Step>());
}

/// The document's name of the step's intrinsic.
inline std::string_view OpName(const Step& step) {
  return std::visit([](const auto& s) { return s.kOp; }, step);
}

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
