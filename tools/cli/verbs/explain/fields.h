#pragma once

#include <string>

#include "isa/step.h"

namespace lanediff::cli::explain {

/// All fields of `step` under the documents' names: "dtype half, dst …".
std::string FieldsText(const isa::Step& step);

}  // namespace lanediff::cli::explain
