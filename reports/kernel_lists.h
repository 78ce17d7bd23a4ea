#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "differential/testcase/case_error.h"
#include "differential/testcase/record.h"
#include "reports/kernel_record.h"
#include "reports/kernel_sources.h"
#include "reports/kernel_status.h"

/// Lists that people write of runs of kernels (docs/known-issues.md): findings
/// that are accepted for a time, document `lanediff-suppressions/1`, and what a
/// run must find, `lanediff run --expect FILE`.
namespace lanediff::reports {

/// Accepts findings of one rule at one place: a line by its number or by its
/// text, without blanks at its ends.
struct Suppression {
  std::string rule;
  std::string file;  ///< as in `MeansFile`
  std::optional<std::int64_t> line;
  std::string text;
  std::string reason;
  std::string expires;  ///< the last day on which it is accepted, YYYY-MM-DD

  std::optional<CaseError> Fault() const;

  static void Fields(auto& s, auto& v) {
    v.Required("rule", s.rule,
               {.description = "of the finding, as the report names it",
                .filled = true,
                .check = NoRule});
    v.Required("file", s.file,
               {.description = "as the report names it, or its last parts",
                .filled = true,
                .check = NoLine});
    v.Optional("line", s.line,
               {.description = "either it or \"text\"", .low = 1});
    v.Optional("text", s.text,
               {.description = "all of the line, without blanks at its ends",
                .filled = true,
                .check = NoLine});
    v.Required("reason", s.reason, {.filled = true, .check = NoLine});
    v.Required("expires", s.expires,
               {.description = "the last day on which it is accepted, in UTC",
                .pattern = kDayPattern,
                .check = NoDay});
  }
};

struct Suppressions {
  std::vector<Suppression> list;
  std::string file;  ///< from which it was read

  static void Fields(auto& s, auto& v) {
    v.Format("lanediff-suppressions/1");
    v.Required("suppressions", s.list);
  }
};

/// The list in `path`; the error is one line "path: pointer: message".
std::expected<Suppressions, std::string> ReadSuppressions(
    const std::string& path);

/// Writes the reason into each finding that an entry meets, and a line for each
/// entry that has expired or met nothing into `suppression_faults`. An expired
/// entry is still met. Of a run that did not end by itself, or looked at some
/// groups alone, unused entries are not reported.
void Suppress(const Suppressions& suppressions, const KernelSources& sources,
              std::string_view today, kernel::RunRecord& record);

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
