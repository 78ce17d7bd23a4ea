#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>

#include "audit/audit.h"
#include "differential/compare/check.h"
#include "differential/targets/target.h"
#include "differential/testcase/case.h"
#include "reports/html.h"
#include "reports/record.h"

namespace lanediff::cli {

/// Writes the page that `make` makes as index.html into `folder`, which is made
/// if it isn't there. True if it is written or `folder` is empty; false, with a
/// message, if it can't be.
bool WritePage(const std::string& folder,
               const std::function<std::string()>& make);

/// The same for the page of a report.
bool WriteHtml(const std::string& folder, const reports::HtmlReport& report);

/// Cases of a run as it examined them, by path: no more than pages can show.
class ExaminedCases {
 public:
  struct Entry {
    Case c;
    diff::Examination examined;
  };

  /// Keeps the first ones that disagree and the first others.
  void Add(const std::string& path, Entry entry);
  /// Null if it isn't kept.
  const Entry* Find(const std::string& path) const;

 private:
  std::map<std::string, Entry> entries_;
  std::size_t found_ = 0;  ///< of `entries_`, those with findings
};

/// The same for a run, with pages of its cases: of those that disagree first,
/// and of so many others that a page stays a page. What is not in `examined` is
/// read and examined for its page.
bool WriteRunHtml(const std::string& folder, const reports::RunRecord& run,
                  const ExaminedCases& examined = {});

/// The same for an audit of `target`, with pages of its evidence: bad showings
/// first, then cases that distinguish readings of disagreements, then others.
/// `changes` since a baseline is null without one. Beside the page, which is
/// small, lies parts/ with what it shows on demand.
bool WriteAuditHtml(const std::string& folder, const audit::Audit& audit,
                    const diff::Target& target,
                    const reports::AuditChanges* changes,
                    const reports::TargetRecord& about);

}  // namespace lanediff::cli
