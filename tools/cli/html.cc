#include "tools/cli/html.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>
#include <vector>

#include "audit/child.h"
#include "differential/targets/find_target.h"
#include "differential/testcase/case_reader.h"
#include "reports/audit.h"
#include "reports/printers.h"
#include "reports/report.h"
#include "reports/trace/case_view.h"
#include "tools/cli/common.h"
#include "tools/cli/kernel_findings.h"
#include "tools/cli/progress.h"

namespace lanediff::cli {
namespace {

namespace fs = std::filesystem;
using reports::CaseRecord;

constexpr std::size_t kCasePages = 40;
/// Of an audit's bad showings: some ten kilobytes each.
constexpr std::size_t kBadPages = 300;
/// For one of them.
constexpr double kHangSeconds = 20;

/// Its case can be run and shown. An input of a fuzz program is no case.
bool HasPage(const CaseRecord& record) {
  return record.verdict != reports::Verdict::kMalformed &&
         record.verdict != reports::Verdict::kUnsupported &&
         record.path.ends_with(".json");
}

bool EndsTheTarget(const CaseRecord& record) {
  return std::ranges::any_of(record.findings, [](const diff::Finding& f) {
    return diff::IsFailure(f.kind);
  });
}

/// What the start page shows of each group first, then what disagrees.
std::vector<const CaseRecord*> CasesWithPages(const reports::RunRecord& run) {
  std::vector<const CaseRecord*> chosen;
  const auto add = [&](const CaseRecord& record) {
    if (chosen.size() < kCasePages && HasPage(record) &&
        std::ranges::count(chosen, &record) == 0) {
      chosen.push_back(&record);
    }
  };
  for (const reports::FindingGroup& group : reports::GroupsOf(run)) {
    const auto found =
        std::ranges::find(run.cases, group.path, &CaseRecord::path);
    if (found != run.cases.end()) add(*found);
  }
  for (bool found : {true, false}) {
    for (const CaseRecord& record : run.cases) {
      if (record.findings.empty() != found) add(record);
    }
  }
  return chosen;
}

/// Adds the page of `c`, of which `of` is the examination or the reference. A
/// page is found by the case's id: of two with one id the first has it.
void AddCasePage(const Case& c, const diff::Target& target, const auto& of,
                 const view::ViewOptions& options,
                 std::vector<view::CaseView>& pages) {
  if (std::ranges::count(pages, c.id, &view::CaseView::id) != 0) return;
  pages.push_back(view::ViewCase(c, target, of, options));
  AddWitnesses(c, pages.back());
}

std::vector<view::CaseView> ViewsOf(const reports::RunRecord& run,
                                    const ExaminedCases& examined) {
  std::vector<view::CaseView> pages;
  const auto target = diff::FindTarget(run.target);
  const auto reference = diff::FindTarget(run.reference);
  if (!target || !reference) return pages;
  for (const CaseRecord* record : CasesWithPages(run)) {
    view::ViewOptions options{.reproduce = record->reproduce};
    if (const auto* const known = examined.Find(record->path)) {
      AddCasePage(known->c, **target, known->examined, options, pages);
    } else if (const auto c = ReadCaseFile(record->path)) {
      options.run_target = !EndsTheTarget(*record);
      if (!options.run_target) options.findings = record->findings;
      AddCasePage(*c, **target, **reference, options, pages);
    }
  }
  return pages;
}

/// A case of an audit that is to have a page.
struct Exhibit {
  std::string file;
  /// With a finding: of a case that ends the target or keeps it from ending.
  view::ViewOptions options;
};

Exhibit ExhibitOf(const audit::Evidence& evidence) {
  Exhibit exhibit{evidence.file, {.reproduce = evidence.reproduce}};
  if (evidence.showing == audit::Showing::kCrashed ||
      evidence.showing == audit::Showing::kHung) {
    diff::Finding& finding = exhibit.options.findings.emplace_back();
    finding.kind = diff::FindingKind::kCrash;
    finding.message = evidence.message;
    finding.signature = evidence.signature;
  }
  return exhibit;
}

/// Errors, cases that distinguish readings, and of each rule one case of each
/// side; the other evidence has no page.
std::vector<Exhibit> ExhibitsOf(const audit::AuditRecord& record) {
  std::vector<Exhibit> bad;
  std::vector<Exhibit> others;
  for (const audit::AuditedDisagreement& place : record.disagreements) {
    others.push_back({place.file, {.reproduce = place.reproduce}});
  }
  for (const audit::AuditedRule& rule : record.rules) {
    std::set<audit::Side> sides;
    for (const audit::Cell& cell : rule.cells) {
      for (const audit::Evidence& evidence : cell.evidence) {
        if (reports::IsBad(evidence)) {
          bad.push_back(ExhibitOf(evidence));
        } else if (sides.insert(evidence.side).second) {
          others.push_back(ExhibitOf(evidence));
        }
      }
    }
  }
  if (bad.size() > kBadPages) bad.resize(kBadPages);
  bad.insert(bad.end(), others.begin(), others.end());
  return bad;
}

std::vector<view::CaseView> ViewsOf(const audit::Audit& audited,
                                    const diff::Target& target, bool run_target,
                                    audit::Beacon& beacon) {
  std::vector<view::CaseView> pages;
  const auto reference = diff::FindTarget(audited.record.reference);
  if (!reference) return pages;
  for (auto& [file, options] : ExhibitsOf(audited.record)) {
    const auto found = audited.files.find(file);
    if (found == audited.files.end()) continue;
    ++beacon.beats;
    options.run_target = run_target && options.findings.empty();
    AddCasePage(found->second, target, **reference, options, pages);
  }
  return pages;
}

/// The page that opens comes last: who sees it finds the others.
bool WritePages(const std::string& folder, const reports::Pages& pages) {
  if (!MakeFolder((fs::path(folder) / "parts").string(), "--html"))
    return false;
  const std::string first = "index.html";
  for (const auto& [file, text] : pages) {
    if (file == first) continue;
    if (!WriteTo((fs::path(folder) / file).string(), [&] { return text; })) {
      return false;
    }
  }
  return WriteTo((fs::path(folder) / first).string(),
                 [&] { return pages.at(first); });
}

}  // namespace

bool WritePage(const std::string& folder,
               const std::function<std::string()>& make) {
  if (folder.empty()) return true;
  if (IsOldPage(folder)) return WriteTo(folder, make);
  return MakeFolder(folder, "--html") &&
         WriteTo((fs::path(folder) / "index.html").string(), make);
}

bool WriteHtml(const std::string& folder, const reports::HtmlReport& report) {
  return WritePage(folder, [&] { return reports::ReportHtml(report); });
}

void ExaminedCases::Add(const std::string& path, Entry entry) {
  const bool found = !entry.examined.comparison.findings.empty();
  const std::size_t like_it = found ? found_ : entries_.size() - found_;
  if (like_it == kCasePages) return;
  if (entries_.emplace(path, std::move(entry)).second && found) ++found_;
}

const ExaminedCases::Entry* ExaminedCases::Find(const std::string& path) const {
  const auto entry = entries_.find(path);
  return entry == entries_.end() ? nullptr : &entry->second;
}

bool WriteRunHtml(const std::string& folder, const reports::RunRecord& run,
                  const ExaminedCases& examined) {
  if (folder.empty()) return true;
  reports::HtmlReport report{
      .title = fmt::format("lanediff {}: {} against {}", run.verb, run.target,
                           run.reference),
      .verb = run.verb,
      .cases = ViewsOf(run, examined)};
  std::set<std::string> pages;
  for (const view::CaseView& view : report.cases) pages.insert(view.id);
  const reports::Report shown = reports::ToReport(run, 0, pages);
  report.report = &shown;
  return WriteHtml(folder, report);
}

bool WriteAuditHtml(const std::string& folder, const audit::Audit& audited,
                    const diff::Target& target,
                    const reports::AuditChanges* changes,
                    const reports::TargetRecord& about) {
  reports::HtmlReport report{
      .title = fmt::format("lanediff audit of {}", audited.record.target),
      .verb = "audit",
      .audit = &audited.record,
      .audit_changes = changes,
      .about = &about};
  // Who runs what the documents refuse may end where the audit went on.
  Progress progress(0, "drawing the page");
  const audit::Apart apart = audit::RunApart(
      [&](audit::Beacon& beacon) {
        const audit::GuardedTarget guarded(target);
        report.cases = ViewsOf(audited, guarded, true, beacon);
        const auto pages = reports::PackPages(reports::AuditPages(report));
        return std::string(pages.begin(), pages.end());
      },
      kHangSeconds,
      [&] {
        progress.Step(0, 0);
        return true;
      });
  if (apart.end == audit::Child::End::kDone) {
    const std::vector<std::uint8_t> packed(apart.bytes.begin(),
                                           apart.bytes.end());
    if (const auto pages = reports::UnpackPages(packed)) {
      return WritePages(folder, *pages);
    }
  }
  audit::Beacon beacon;
  report.cases = ViewsOf(audited, target, false, beacon);
  return WritePages(folder, reports::AuditPages(report));
}

}  // namespace lanediff::cli
