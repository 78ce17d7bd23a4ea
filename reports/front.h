#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "reports/changes.h"
#include "reports/headline.h"
#include "reports/report.h"
#include "reports/target_record.h"

/// What the reports of a run and of an audit open with, and what has changed.
namespace lanediff::reports {

struct Front {
  Headline headline;
  const std::vector<FindingGroup>& groups;
  std::string_view target;
  const TargetRecord* about = nullptr;  ///< null if not known
  std::string_view vectors = {};
  std::string_view edition = {};
  std::string since = {};  ///< what changed since a baseline; empty without one
  const std::set<std::string>& pages;  ///< ids of cases that have a page
};

/// Adds sentence, findings by signature and the target under test.
void AddFront(const Front& front, Report& report);

/// What has changed since a baseline: a line for each change, then sums.
Report::Section ChangesSection(const RunChanges& changes);
Report::Section ChangesSection(const AuditChanges& changes);
Report::Section ChangesSection(const MutantsChanges& changes);

/// The id of a case as a link to its page; no link if it has none.
Report::Line CaseLine(const std::string& id, const std::string& path,
                      const std::set<std::string>& pages);

}  // namespace lanediff::reports
