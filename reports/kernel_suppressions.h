#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "differential/testcase/allowed_text.h"
#include "differential/testcase/json.h"
#include "differential/testcase/record.h"
#include "reports/kernel_record.h"
#include "reports/kernel_sources.h"
#include "reports/kernel_words.h"

/// Findings in kernels that are known and accepted for a time. Document
/// `lanediff-suppressions/1`, docs/known-issues.md.
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

  template <class Self, class Visitor>
  static void Fields(Self& s, Visitor& v) {
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

  template <class Self, class Visitor>
  static void Fields(Self& s, Visitor& v) {
    v.Format("lanediff-suppressions/1");
    v.Required("suppressions", s.list);
  }
};

/// The list in `path`; the error is one line "path: pointer: message".
std::expected<Suppressions, std::string> ReadSuppressions(
    const std::string& path);

/// Writes the reason into each finding that an entry meets, and a line for each
/// entry that has expired, by `today`, or met nothing into the record's
/// `suppression_faults`. An entry that has expired is still met: the run fails
/// by the line. Of a run that did not end by itself, or looked at some groups
/// alone, unused entries are not reported.
void Suppress(const Suppressions& suppressions, const KernelSources& sources,
              std::string_view today, kernel::RunRecord& record);

}  // namespace lanediff::reports
