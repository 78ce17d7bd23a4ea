#pragma once

#include <cstddef>
#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "differential/compare/finding.h"
#include "differential/compare/known_issues.h"
#include "differential/testcase/case.h"
#include "isa/rule.h"
#include "reports/record.h"
#include "reports/trace/case_view.h"

/// What is added to the findings of a run: known issues, why a step was
/// rejected, and what lint finds in kernels.
namespace lanediff::cli {

/// The known issues of a run: of `list`, if there is one, else of those that
/// lie at the top of each folder among `paths`.
std::expected<std::vector<diff::KnownIssue>, std::string> KnownIssuesOf(
    const std::string& list, const std::vector<std::string>& paths);

/// Entries that are out of date, a line each: they fail a run, so that they get
/// removed.
std::vector<std::string> StaleIssues(const diff::KnownIssueFilter& known,
                                     bool saw_everything);

/// Prints them.
void PrintStaleIssues(const std::vector<std::string>& lines);

/// "step 3 Min, MIN-BOUNDS: src0 needs 4096 bytes from 1024, has 2048; …", one
/// for each witness of the rejected step.
std::vector<std::string> WitnessLines(const Case& c, std::size_t step,
                                      const std::vector<isa::RuleId>& rules);

/// Adds witnesses and repair to the rejected step of `view`, a view of `c`.
void AddWitnesses(const Case& c, view::CaseView& view);

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
