#pragma once

#include <expected>
#include <string>
#include <vector>

#include "differential/compare/known_issues.h"

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

}  // namespace lanediff::cli
