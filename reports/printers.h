#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "reports/changes.h"
#include "reports/headline.h"
#include "reports/record.h"
#include "reports/report.h"
#include "reports/target_record.h"

namespace lanediff::reports {

struct Report;

/// The lines of one case: one if it agrees, else one for each finding and the
/// command that shows it again. Each ends in a newline.
std::string CaseText(const CaseRecord& record);

/// What a fuzz program did, in one line.
std::string FuzzerText(const FuzzerRecord& record);

/// Which bins of the functional coverage an instruction reached: a line of
/// sums, and its first holes that a case could fill.
std::string CoverageText(const CoverageRecord& record);

/// The error of a path at which no file is, which is not called malformed.
inline constexpr std::string_view kPathNotFound = "not found";

/// What a sweep compared: a line of sums and, if `all`, one for each rule it
/// met or should have met.
std::string SweepText(const SweepRecord& record, bool all = true);

/// The sentence on the whole, the target where it has a name, and the
/// findings by signature, worst first, where there are several cases.
std::string HeadlineText(const RunRecord& record);

/// The last line of a run: how many cases, steps, bytes and nodes were compared
/// and how many disagreed.
/// A line for each instruction whose results were compared by their distance.
std::string OpenText(const diff::OpenCounts& counts);
std::string SummaryText(const RunRecord& record);

/// The record as a JSON document.
std::string RunJson(const RunRecord& record);

/// With a test for each case, fuzz program and swept instruction. Findings are
/// of the first rule that only one side names, or else of the rule
/// LANEDIFF-KIND. `exit_status` is the process's; `pages` are the ids of cases
/// that have a page of their own.
Report ToReport(const RunRecord& record, int exit_status,
                const std::set<std::string>& pages = {});

/// "3 of 5 cases that the target claims are legal and unsupported; fix: …", or
/// which instructions it claims and never executed; empty where there are none.
std::string LackingText(const diff::AccountRecord& account);

/// The rule catalogue as a Markdown page: a section for each instruction, in it
/// a table of its rules with statement, allowed values and sources.
std::string CataloguePage();

// What the reports of a run and of an audit open with, and what has changed.

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
