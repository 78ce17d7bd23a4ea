#pragma once

#include "isa/fields.h"
#include "isa/step.h"

namespace lanediff::make {

/// Makes the value of `to` that of `from`; both refer to the same field of two
/// steps of one type. False if the fields are of different kinds.
bool CopyField(const isa::FieldRef& from, const isa::FieldRef& to);

/// Gives the fields of forms that `step` does not have their initial values, as
/// the step types require. Call it after the form was changed.
void ClearHiddenFields(isa::Step& step);

}  // namespace lanediff::make
