#pragma once

#include <string>

#include "reports/html.h"
#include "reports/record.h"

namespace lanediff::cli {

/// Writes index.html into `folder`, which is made if it isn't there. True if it
/// is written or `folder` is empty; false, with a message, if it can't be.
bool WriteHtml(const std::string& folder, const reports::HtmlReport& report);

/// The same for a run, with pages of its cases: of those that disagree first,
/// and of so many others that a page stays a page.
bool WriteRunHtml(const std::string& folder, const reports::RunRecord& run);

}  // namespace lanediff::cli
