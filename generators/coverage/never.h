#pragma once

#include <optional>
#include <string_view>

#include "generators/coverage/model.h"

namespace lanediff::make::coverage {

/// Why no case can reach `bin` of the edition's model, in one line that names
/// the rule; nothing where one can.
std::optional<std::string_view> WhyNever(
    Bin bin, isa::Edition edition = isa::kNewestEdition);

}  // namespace lanediff::make::coverage
