#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "audit/record.h"
#include "reports/mutant_record.h"
#include "reports/record.h"
#include "view/case_view.h"

namespace lanediff::reports {

/// What an HTML report shows; what is null or empty has no page.
struct HtmlReport {
  std::string title;  ///< one line, plain text
  std::string verb;   ///< check, fuzz, sweep, mutants, audit or explain
  const RunRecord* run = nullptr;
  const MutantsRecord* mutants = nullptr;
  const audit::AuditRecord* audit = nullptr;
  const AuditChanges* audit_changes = nullptr;  ///< since a baseline
  /// Cases that have a page of their own, found by their id. Where there is
  /// nothing else, the first is the start page.
  std::vector<view::CaseView> cases = {};
};

/// One self-contained HTML file: it opens from disk and asks for nothing else.
/// Every text of the records is shown as text, whatever it holds.
std::string ReportHtml(const HtmlReport& report);

/// The page around `data`, a JSON document:
/// {"format": "lanediff-report/1", "title", "verb", "audit", "run", "mutants",
/// "coverage", "cases", "night"}. All but the first three may be left out;
/// "audit", "run" and "mutants" are what the other JSON printers write,
/// "coverage" is a list of a run's rooms, "cases" holds views of cases by id,
/// "night" is what night_html.cc makes.
std::string HtmlPage(std::string_view title, std::string_view data);

}  // namespace lanediff::reports
