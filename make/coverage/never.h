#pragma once

#include <optional>
#include <string_view>

#include "make/coverage/model.h"

namespace lanediff::make::coverage {

/// Why no case can reach `bin`, in one line that names the rule; nothing where
/// one can.
std::optional<std::string_view> WhyNever(Bin bin);

}  // namespace lanediff::make::coverage
