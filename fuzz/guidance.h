#pragma once

#include <optional>
#include <vector>

#include "generators/coverage/model.h"
#include "isa/vocabulary.h"

/// Guidance by meaning: libFuzzer keeps an input that reaches a bin of the
/// functional coverage which none reached before, as it does for code.
namespace lanediff::fuzz {

/// The edition of the documents that LANEDIFF_FUZZ_EDITION names, by which
/// every input is judged; none: each by its own. Another word ends the process
/// with status 2.
std::optional<isa::Edition> Edition();

/// The edition whose bins guide, and of which new cases are.
inline isa::Edition GuidingEdition() {
  return Edition().value_or(isa::kNewestEdition);
}

/// Reports to libFuzzer which bins the current case reaches, and stores them.
void NoteBins(const std::vector<make::coverage::Bin>& bins);

/// Writes the names of all bins reached so far, one a line, beside the stats.
void WriteBins();

}  // namespace lanediff::fuzz
