#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/audit_record.h"
#include "reports/mutant_record.h"
#include "reports/record.h"
#include "reports/trace/case_view.h"

namespace lanediff::reports {

/// What an HTML report shows; what is null or empty has no page.
struct HtmlReport {
  std::string title;  ///< one line, plain text
  std::string verb;   ///< check, fuzz, sweep, mutants, audit or explain
  const RunRecord* run = nullptr;
  const MutantsRecord* mutants = nullptr;
  const audit::AuditRecord* audit = nullptr;
  const AuditChanges* audit_changes = nullptr;  ///< since a baseline
  const TargetRecord* about = nullptr;          ///< who was audited
  /// Cases that have a page of their own, found by their id. Where there is
  /// nothing else, the first is the start page.
  std::vector<view::CaseView> cases = {};
};

/// One self-contained HTML file: it opens from disk and loads nothing else.
/// Every text of the records is shown as text, whatever it holds.
std::string ReportHtml(const HtmlReport& report);

/// Files by their names, relative to the folder of a report.
using Pages = std::map<std::string, std::string>;

/// An audit as a small page that opens, index.html, and files that it loads on
/// demand: parts/rule-ID.js with all of a rule, parts/case-N.js with a case.
/// They are scripts, which a page from disk may load: lanediffPart(FILE,
/// VALUE).
Pages AuditPages(const HtmlReport& report);

/// Pages as bytes, for a process that hands them to another.
std::vector<std::uint8_t> PackPages(const Pages& pages);
/// Nothing where these are no pages.
std::optional<Pages> UnpackPages(const std::vector<std::uint8_t>& bytes);

/// The page around `data`, a JSON document, with `first_words`, markup, until
/// its scripts have run:
/// {"format": "lanediff-report/1", "title", "verb", "audit", "run", "mutants",
/// "coverage", "cases", "parts", "nightly", "campaign", "lint"}. "parts" is
/// {"rules", "cases"}, each the files of parts by id; only a page that has them
/// may load scripts. All but the first three may be left out; "audit", "run",
/// "mutants", "campaign" and "lint" are what the other JSON printers write,
/// "coverage" is a list of a run's instructions, "cases" holds views of cases
/// by id, "nightly" is what nightly_html.cc makes.
std::string HtmlPage(std::string_view title, std::string_view data,
                     const std::string& first_words = "",
                     bool has_parts = false);

}  // namespace lanediff::reports
