#pragma once

#include <optional>
#include <string>

#include "differential/targets/capabilities.h"
#include "differential/testcase/case.h"
#include "isa/step.h"

namespace lanediff::diff {

/// A number of the step that does not fit the type that its parameter has in
/// the documents' prototype, such as "repeatTimes 256 (uint8_t)"; nothing where
/// each fits. What the documents do not declare in C++ takes any number.
std::optional<std::string> BeyondPrototype(const isa::Step& step);

/// Whether cases that are made for a target which checks no rules hold numbers
/// beyond the prototypes' types, which no compiler passes on; false by default.
bool& MakesAnyNumber();

/// As `BeyondCapabilities` of a case that a person gave: its numbers are not
/// looked at.
std::optional<std::string> BeyondClaims(const Case& c,
                                        const Capabilities& capabilities);

}  // namespace lanediff::diff
