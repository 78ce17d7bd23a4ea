#pragma once

#include <cstddef>
#include <expected>
#include <optional>
#include <string>

#include "differential/compare/finding.h"
#include "differential/testcase/case.h"
#include "reports/record.h"

namespace lanediff::cli {

/// Of a case of kernels: adds to `record` what lint finds in the program, a
/// finding for each, or one finding if the case expects others. Notes are
/// counted. A rejected step is a finding for each of its rules where the case
/// has no expectation; else it is compared. Nothing of other cases.
void AddKernelFindings(const Case& c, reports::CaseRecord& record);

/// A case of kernels cut down to its first such finding, whatever it expects.
struct ShrunkKernel {
  Case shrunk;
  diff::Finding finding;   ///< that it shows
  std::size_t others = 0;  ///< findings that could not be got rid of
};

/// Nothing where it has no such finding; the error is a line.
std::expected<std::optional<ShrunkKernel>, std::string> ShrinkKernel(
    const Case& c);

/// `c` with names of calls and files escaped, for what is printed of it.
Case Printable(Case c);

}  // namespace lanediff::cli
