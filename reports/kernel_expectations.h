#pragma once

#include <cstddef>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/kernel_record.h"

/// What a run of a kernel must find: `lanediff run --expect FILE`,
/// docs/known-issues.md.
namespace lanediff::reports {

struct Expectations {
  struct ExpectedFinding {
    std::string word;  ///< a rule or a group
    std::string file;  ///< as in `MeansFile`
    std::int64_t line = 0;
  };
  std::vector<ExpectedFinding> findings;
  std::vector<std::string> notes;  ///< rules
  /// Of the run, not of lanediff. Not given: 1 if findings are expected, else
  /// 0.
  std::optional<int> status;
};

/// Reads lines "finding RULE-or-GROUP FILE:LINE", "note RULE", "status N" and
/// comments behind "#"; the error is one line "LINE: what is wrong".
std::expected<Expectations, std::string> ReadExpectations(
    std::string_view text);

/// The same of a file; the error is one line "path:LINE: what is wrong".
std::expected<Expectations, std::string> ReadExpectationsFile(
    const std::string& path);

/// The differences, a line each; none if the findings that nothing suppresses
/// are exactly those expected, each met by an expectation of its own, all
/// expected notes are there and the run has the expected status.
std::vector<std::string> Unexpected(const Expectations& expected,
                                    const kernel::RunRecord& record);

}  // namespace lanediff::reports
