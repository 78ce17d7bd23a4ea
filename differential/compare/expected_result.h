#pragma once

#include <cstdint>
#include <vector>

#include "differential/compare/memory_compare.h"
#include "differential/testcase/case.h"

namespace lanediff::diff {

/// An element that the program leaves different from the initial memory.
struct ChangedElement {
  isa::Memory memory = isa::Memory::kGm;
  std::int64_t at = 0;  ///< byte
  /// The type of the last step that wrote it.
  isa::DType dtype = isa::DType::kUint8;
  std::uint64_t bits = 0;

  bool operator==(const ChangedElement&) const = default;
};

/// What must come out of a case by the documents, element by element.
struct ExpectedResult {
  Outcome outcome;
  /// By memory, then by place. Every byte outside them keeps what it had.
  std::vector<ChangedElement> changed;
};

/// Runs `c` on the oracle.
ExpectedResult ExpectedResultOf(const Case& c);

/// Everything that the steps of `c` write which the oracle executes, in their
/// order, each with its step.
std::vector<TypedRun> WritesOfProgram(const Case& c);

/// `c` without series: of each the elements are listed that the program
/// touches, as the oracle runs it; the rest is what its memory is filled with.
/// For those who change a case or write it as source text.
Case Listed(const Case& c);

}  // namespace lanediff::diff
