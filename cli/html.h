#pragma once

#include <string>

#include "audit/audit.h"
#include "diff/target.h"
#include "reports/html.h"
#include "reports/record.h"

namespace lanediff::cli {

/// Writes index.html into `folder`, which is made if it isn't there. True if it
/// is written or `folder` is empty; false, with a message, if it can't be.
bool WriteHtml(const std::string& folder, const reports::HtmlReport& report);

/// The same for a run, with pages of its cases: of those that disagree first,
/// and of so many others that a page stays a page.
bool WriteRunHtml(const std::string& folder, const reports::RunRecord& run);

/// The same for an audit of `target`, with pages of its evidence: bad showings
/// first, then what tells readings of disagreements apart, then others.
/// `changes` since a baseline is null without one.
bool WriteAuditHtml(const std::string& folder, const audit::Audit& audit,
                    const diff::Target& target,
                    const reports::AuditChanges* changes);

}  // namespace lanediff::cli
