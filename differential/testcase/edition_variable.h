#pragma once

#include <optional>

#include "isa/vocabulary.h"

namespace lanediff {

/// The edition of the documents that the environment variable `name` holds;
/// none if it is unset or empty. Another word is one line, and ends the process
/// with status 2.
std::optional<isa::Edition> EditionOfVariable(const char* name);

}  // namespace lanediff
