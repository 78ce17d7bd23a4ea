#pragma once

#include <string>
#include <string_view>

#include "reports/mutant_record.h"
#include "reports/record.h"

namespace lanediff::reports {

/// What an HTML report shows; what is null or empty has no page.
struct HtmlReport {
  std::string title;  ///< one line, plain text
  std::string verb;   ///< check, fuzz, sweep, mutants, audit or explain
  const RunRecord* run = nullptr;
  const MutantsRecord* mutants = nullptr;
};

/// One self-contained HTML file: it opens from disk and asks for nothing else.
/// Every text of the records is shown as text, whatever it holds.
std::string ReportHtml(const HtmlReport& report);

/// The page around `data`, a JSON document of format lanediff-report/1.
std::string HtmlPage(std::string_view title, std::string_view data);

}  // namespace lanediff::reports
