#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "isa/carried.h"

namespace lanediff::isa {

/// The argument called so; null if there is none.
const Argument* Find(const Arguments& arguments, std::string_view name);
/// Its integer, or its text; none, or "", where it is no such.
std::optional<std::int64_t> IntegerOf(const Arguments& arguments,
                                      std::string_view name);
std::string_view TextOf(const Arguments& arguments, std::string_view name);

}  // namespace lanediff::isa
