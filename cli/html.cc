#include "cli/html.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>
#include <vector>

#include "cli/common.h"
#include "diff/case_reader.h"
#include "diff/target.h"
#include "diff/view/case_view.h"

namespace lanediff::cli {
namespace {

namespace fs = std::filesystem;
using reports::CaseRecord;

constexpr std::size_t kCasePages = 40;

/// Its case can be run and shown. An input of a fuzz program is no case.
bool HasPage(const CaseRecord& record) {
  return record.verdict != reports::Verdict::kMalformed &&
         record.verdict != reports::Verdict::kUnsupported &&
         record.path.ends_with(".json");
}

bool EndsTheTarget(const CaseRecord& record) {
  return std::ranges::any_of(record.findings, [](const diff::Finding& f) {
    return f.kind == diff::FindingKind::kCrash;
  });
}

std::vector<const CaseRecord*> CasesWithPages(const reports::RunRecord& run) {
  std::vector<const CaseRecord*> chosen;
  for (bool found : {true, false}) {
    for (const CaseRecord& record : run.cases) {
      if (chosen.size() == kCasePages) return chosen;
      if (HasPage(record) && record.findings.empty() != found) {
        chosen.push_back(&record);
      }
    }
  }
  return chosen;
}

std::vector<diff::view::CaseView> ViewsOf(const reports::RunRecord& run) {
  std::vector<diff::view::CaseView> views;
  const auto target = diff::FindTarget(run.target);
  const auto reference = diff::FindTarget(run.reference);
  if (!target || !reference) return views;
  std::set<std::string> seen;
  for (const CaseRecord* record : CasesWithPages(run)) {
    const auto c = diff::ReadCaseFile(record->path);
    // A page is found by the case's id; of two with one id the first has it.
    if (!c || !seen.insert(c->id).second) continue;
    const bool ends = EndsTheTarget(*record);
    views.push_back(diff::view::ViewCase(
        *c, **target, **reference,
        {.limits = {},
         .reproduce = record->reproduce,
         .run_target = !ends,
         .findings = ends ? record->findings : std::vector<diff::Finding>{}}));
  }
  return views;
}

}  // namespace

bool WriteHtml(const std::string& folder, const reports::HtmlReport& report) {
  if (folder.empty()) return true;
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) {
    FailUsage(fmt::format("--html: {}: can't be made a folder: {}", folder,
                          error.message()));
    return false;
  }
  return WriteTo((fs::path(folder) / "index.html").string(),
                 [&] { return reports::ReportHtml(report); });
}

bool WriteRunHtml(const std::string& folder, const reports::RunRecord& run) {
  if (folder.empty()) return true;
  reports::HtmlReport report{
      .title = fmt::format("lanediff {}: {} against {}", run.verb, run.target,
                           run.reference),
      .verb = run.verb,
      .run = &run};
  report.cases = ViewsOf(run);
  return WriteHtml(folder, report);
}

}  // namespace lanediff::cli
