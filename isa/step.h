#pragma once

#include <string_view>
#include <variant>

#include "isa/data_copy.h"
#include "isa/min.h"
#include "isa/repeat_reduce_sum.h"
#include "isa/rule.h"
#include "isa/state.h"
#include "isa/trowprod.h"
#include "isa/vec_trans.h"

namespace lanediff::isa {

/// One step of a program. A new instruction is added at the end: the index is
/// the step's number in serialised fuzzer inputs and must not change.
using Step = std::variant<SetVectorMask, SetSaturation, PipeBarrier,
                          RepeatReduceSum, Min, DataCopy, Trowprod, VecTrans>;

/// The document's name of the step's intrinsic.
inline std::string_view OpName(const Step& step) {
  return std::visit([](const auto& s) { return s.kOp; }, step);
}

/// What an implementation answers to one step.
struct StepResult {
  enum class Status : unsigned char {
    kExecuted,
    kRejected,
    /// The implementation can't do what is asked, legal or not.
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
