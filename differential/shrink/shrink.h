#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <optional>
#include <string>

#include "differential/compare/finding.h"
#include "differential/targets/target.h"
#include "differential/testcase/case.h"

namespace lanediff::diff {

/// How large a case is, in what a reader has to look at.
struct CaseSize {
  std::size_t steps = 0;
  /// Of the step that iterates most: its repeats, blocks or valid rows; the
  /// iterations of 256 bytes of a count form. 1 for a step without.
  std::int64_t iterations = 0;
  std::int64_t bytes = 0;  ///< all memories
  /// Elements other than +0 in the regions; bytes in those without a type.
  std::int64_t nonzero_elements = 0;

  bool operator==(const CaseSize&) const = default;
};

CaseSize SizeOfCase(const Case& c);

/// Where shrinking stops.
struct ShrinkBudget {
  std::int64_t candidates = 6000;  ///< cases run
  /// Wall-clock time. Without it the result depends on the case alone.
  std::optional<double> seconds;
  /// Each case takes long: only steps are dropped.
  bool steps_only = false;
};

struct ShrinkResult {
  Case shrunk;      ///< with id, note, expectation and origin to be kept
  Finding finding;  ///< that it shows
  CaseSize before;
  CaseSize after;
  std::int64_t candidates = 0;  ///< cases run
  double seconds = 0;
  bool complete = false;  ///< false where the budget ended it
};

/// Looks for the smallest case that shows a finding of the same signature as
/// the first one of `c`, and of the same side. Parameters, layout and data
/// shrink together, in rounds until nothing gets smaller:
///
/// 1. steps are dropped, the last ones first;
/// 2. memories, windows and regions are cut to what the program names, and
///    operands move toward 0 and together;
/// 3. the finding's iteration becomes the first one, and the other fields go
///    toward the smallest or the usual value;
/// 4. elements become zero, halves of them first, then gather at the start of
///    their windows, then become 1 and other small numbers.
///
/// The case's lint facts go, too. The expectation of the result is what
/// the oracle makes of it. The error is one line: why nothing can shrink.
std::expected<ShrinkResult, std::string> Shrink(const Case& c,
                                                const Target& target,
                                                const Target& reference,
                                                const ShrinkBudget& budget);

/// What a case shows of the finding that is to be kept; nothing if it does not
/// show it.
using Shows = std::function<std::optional<Finding>(const Case&)>;

/// The same for `wanted` of `c`, by the finding that `shows` returns.
ShrinkResult Shrink(const Case& c, const Finding& wanted, const Shows& shows,
                    const ShrinkBudget& budget);

}  // namespace lanediff::diff
