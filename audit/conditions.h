#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isa/access.h"
#include "isa/step.h"
#include "reports/audit_record.h"

/// What a call is like, finer than rules are: a defect of one form, of calls
/// that read the mask register or of the last DataBlock alone shows itself in
/// these calls and in no others, whichever rules they rest on.
namespace lanediff::audit {

/// What the fields of a step show of it.
struct StepTraits {
  std::optional<isa::DType> dtype;
  std::string form;  ///< "count", "mask", "mask of two words"; empty: one alone
  std::vector<isa::Position> positions;  ///< of its operands and tiles
  bool reads_register = false;           ///< its isSetMask is false
  bool counts = false;                   ///< it has a form with a count
  std::int64_t count = 0;
  std::int64_t repeat = 0;
};
StepTraits TraitsOf(const isa::Step& step);

/// All that hold for `step`, which accesses memory so.
Conditions ConditionsOf(const isa::Step& step,
                        std::span<const isa::Access> accesses);

/// The same of a step of a program of several instructions.
Conditions InProgram(Conditions conditions);

/// Whether `step` computes under the mask register: its isSetMask is false.
bool ReadsMaskRegister(const isa::Step& step);

/// That of calls of `op`, a `kOp`; none where there is no such step.
Conditions OfOp(std::string_view op);
/// That of calls of `dtype`.
Conditions OfType(isa::DType dtype);
/// Those of calls under a mask with gaps, and of calls without isSetMask.
Conditions WithMaskGaps();
Conditions WithMaskRegister();

/// Whether `of` are among them.
bool Hold(Conditions conditions, Conditions of);

/// The part of them that names the call; 0 if none does.
Conditions OpIn(Conditions conditions);
/// The form of the call, such as "count" or "register"; empty where it has one
/// form alone.
std::string_view FormIn(Conditions conditions);
/// Whether it is a step of a program of several instructions.
bool IsInProgram(Conditions conditions);

/// Each of them alone.
std::vector<Conditions> Singles(Conditions conditions);

/// "of Min, in form count, where the last DataBlock is not full"; empty for no
/// conditions.
std::string TextOf(Conditions conditions);

}  // namespace lanediff::audit
