#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
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

// ---- By the target's own code -----------------------------------------------

// Guidance by the code of the target itself, where that is a plugin which was
// built with -fsanitize-coverage: libFuzzer sees its counters as it sees those
// of its own program, in the same classes (1, 2, 3, 4 to 7, 8 to 15, 16 to 31,
// 32 to 127, more).

/// Has `target` counted if it is a plugin. Before it is found.
void WatchOwnCoverage(const std::string& target);

/// Before a case.
void ClearOwnCoverage();
/// After it: reports to libFuzzer how often each counter of the target was
/// passed, and stores which were. Returns those that none had been before.
std::vector<std::size_t> NoteOwnCoverage();

/// How many cases came by a place so far.
std::uint64_t VisitsOf(std::size_t place);

/// Numbers with which the target has compared something.
std::vector<std::int64_t> OwnConstants();

/// Writes beside the stats, of a plugin: how many counters it has, and on lines
/// of their own the numbers of those that were reached.
void WriteOwnCoverage();

}  // namespace lanediff::fuzz
