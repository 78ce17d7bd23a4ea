#pragma once

#include <vector>

#include "generators/coverage/model.h"

/// Guidance by meaning: libFuzzer keeps an input that reaches a bin of the
/// functional coverage which none reached before, as it does for code.
namespace lanediff::fuzz {

/// Reports to libFuzzer which bins the current case reaches, and stores them.
void NoteBins(const std::vector<make::coverage::Bin>& bins);

/// Writes the names of all bins reached so far, one a line, beside the stats.
void WriteBins();

}  // namespace lanediff::fuzz
