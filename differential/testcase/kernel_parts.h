#pragma once

#include <string>

#include "differential/testcase/case.h"
#include "differential/testcase/json_cursor.h"
#include "isa/carried.h"
#include "isa/operand.h"
#include "isa/resource.h"

/// What only cases of kernels have. For readers only: what does not fit is
/// thrown as a `CaseError` that names its place.
namespace lanediff {

/// The fields that every operand has.
void ReadOperandFields(ObjectCursor& fields, isa::Operand& operand);

/// The member `name` of a step; lists may be left out.
void ReadPart(ObjectCursor& step, std::string_view name, std::string& text);
/// The arguments of `resource.name`.
void ReadPart(ObjectCursor& step, std::string_view name,
              isa::Resource& resource);
void ReadPart(ObjectCursor& step, std::string_view name,
              isa::Arguments& parameters);
void ReadPart(ObjectCursor& step, std::string_view name,
              isa::CarriedOperands& operands);
void ReadPart(ObjectCursor& step, std::string_view name,
              isa::CarriedMask& mask);
/// Iterations don't descend.
void ReadPart(ObjectCursor& step, std::string_view name,
              isa::CarriedReads& reads);
void ReadPart(ObjectCursor& step, std::string_view name,
              isa::CarriedWrites& writes);

StepSource ReadSource(const Cursor& place);

}  // namespace lanediff
