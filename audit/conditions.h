#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "isa/step.h"

/// What a call is like, finer than rules are: a defect of one form, of calls
/// that read the mask register or of the last DataBlock alone shows itself in
/// these calls and in no others, whichever rules they rest on.
namespace lanediff::audit {

/// A set of conditions that hold together, a bit each; none of them: any call.
using Conditions = std::uint64_t;

/// All that hold for `step`.
Conditions ConditionsOf(const isa::Step& step);

/// The same of a step of a program of several instructions.
Conditions InProgram(Conditions conditions);

/// Whether `step` computes under the mask register: its isSetMask is false.
bool ReadsMaskRegister(const isa::Step& step);

/// Each of them alone.
std::vector<Conditions> Singles(Conditions conditions);

/// "of Min, in form count, where the last DataBlock is not full"; empty for
/// none of them.
std::string TextOf(Conditions conditions);

}  // namespace lanediff::audit
