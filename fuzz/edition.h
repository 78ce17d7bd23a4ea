#pragma once

#include <optional>

#include "isa/vocabulary.h"

namespace lanediff::fuzz {

/// The edition of the documents that LANEDIFF_FUZZ_EDITION names, by which
/// every input is judged; none: each by its own. Another word ends the process
/// with status 2.
std::optional<isa::Edition> Edition();

/// The edition whose bins guide, and of which new cases are.
inline isa::Edition GuidingEdition() {
  return Edition().value_or(isa::kNewestEdition);
}

}  // namespace lanediff::fuzz
