#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reports/kernel.h"
#include "reports/kernel_page.h"
#include "reports/kernel_page_texts.h"
#include "reports/kernel_status.h"
#include "reports/kernel_words.h"
#include "reports/printable.h"

namespace lanediff::reports {
namespace {

using kernel::Finding;
using kernel::RunRecord;

std::string HeadMarkup(const std::string& title) {
  std::string html = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
      "'none'; style-src 'unsafe-inline'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, "
      "initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<meta name=\"generator\" content=\"lanediff\">\n<title>{}</title>\n",
      title);
  for (const auto& [file, text] : kernel_page::EmbeddedTexts()) {
    html += fmt::format("<style>\n{}</style>\n", text);
  }
  return html + "</head>\n<body>\n";
}

std::string ListMarkup(const std::vector<std::string>& lines) {
  if (lines.empty()) return "";
  std::string html = "<ul class=\"problem\">\n";
  for (const std::string& line : lines) {
    html += fmt::format("<li>{}</li>\n", Shown(line));
  }
  return html + "</ul>\n";
}

std::string AccessMarkup(std::string_view what, const kernel::Access& access,
                         const KernelPlaces& places) {
  std::string html = fmt::format("{}: {} {}", what, places.Link(access.site),
                                 Shown(access.op));
  if (!access.operand.empty()) html += " " + Shown(access.operand);
  if (access.pipe) html += fmt::format(" on {}", isa::Name(*access.pipe));
  return html;
}

std::string FindingMarkup(const Finding& finding, std::size_t number,
                          const KernelPlaces& places) {
  std::string html = fmt::format(
      "<li id=\"{}\">\n<p><span class=\"badge {}\">{}</span> <strong>{}"
      "</strong>: {}</p>\n<p class=\"soft\">{}",
      FindingId(number), finding.suppressed.empty() ? "bad" : "mild",
      isa::Name(finding.group), Shown(finding.rule), Shown(finding.message),
      AccessMarkup("at", finding.later, places));
  if (finding.earlier) {
    html += "; " + AccessMarkup("the other access", *finding.earlier, places);
  }
  html += fmt::format("; {}</p>\n", Shown(OccurrenceText(finding)));
  if (!finding.missing.empty()) {
    html += fmt::format("<p>missing: {}</p>\n", Shown(finding.missing));
  }
  if (finding.follows_from) {
    html += fmt::format("<p>follows from: {} {}</p>\n",
                        Shown(finding.follows_from->rule),
                        places.Link(finding.follows_from->site));
  }
  if (finding.unknown_bytes > 0) {
    html += fmt::format("<p>unknown: {}</p>\n", Shown(UnknownText(finding)));
  }
  if (!finding.repair.empty()) {
    html += fmt::format("<p>repair: {}</p>\n", Shown(finding.repair));
  }
  for (const std::string& caller : finding.stack) {
    html +=
        fmt::format("<p class=\"soft\">called from {}</p>\n", Shown(caller));
  }
  if (!finding.suppressed.empty()) {
    html += fmt::format("<p>suppressed: {}</p>\n", Shown(finding.suppressed));
  }
  if (!finding.case_path.empty()) {
    html += fmt::format("<p class=\"command\"><code>{}</code></p>\n",
                        Shown(ReproduceText(finding)));
  } else if (!finding.no_case.empty()) {
    html += fmt::format("<p class=\"soft\">no case: {}</p>\n",
                        Shown(finding.no_case));
  }
  return html + "</li>\n";
}

std::string CountsMarkup(std::span<const KernelCount> counts,
                         const kernel::Counts& of) {
  std::string html =
      "<div class=\"scroll\"><table>\n<thead><tr><th scope=\"col\">what</th>"
      "<th scope=\"col\">how many</th><th scope=\"col\">meaning</th></tr>"
      "</thead>\n<tbody>\n";
  for (const KernelCount& count : counts) {
    html += fmt::format(
        "<tr><th scope=\"row\">{}</th><td class=\"number\">{}</td><td>{}</td>"
        "</tr>\n",
        count.key, of.*count.count,
        Shown(count.remedy.empty() || of.*count.count == 0
                  ? std::string(count.meaning)
                  : fmt::format("{}; fix: {}", count.meaning, count.remedy)));
  }
  return html + "</tbody></table></div>\n";
}

std::string SummaryMarkup(const KernelSummary& summary) {
  std::string html = "<dl class=\"facts\">\n";
  const auto add = [&](std::string_view name, std::uint64_t count) {
    html += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", name, count);
  };
  for (std::size_t i = 0; i < summary.findings.size(); ++i) {
    add(isa::Name(static_cast<kernel::Group>(i)), summary.findings[i]);
  }
  add("suppressed", summary.suppressed);
  add("notes", summary.notes);
  add("status", summary.status);
  return html + "</dl>\n";
}

std::string SitesMarkup(const RunRecord& record, const KernelPlaces& places) {
  std::string html =
      "<div class=\"scroll\"><table>\n<thead><tr>"
      "<th scope=\"col\">site</th><th scope=\"col\">call</th>"
      "<th scope=\"col\">checked as</th><th scope=\"col\">ran</th>"
      "<th scope=\"col\">rejected</th><th scope=\"col\">values compared</th>"
      "<th scope=\"col\">values skipped</th><th scope=\"col\">findings</th>"
      "</tr></thead>\n<tbody>\n";
  for (const kernel::SiteRow& row : record.sites) {
    const auto findings = std::ranges::count_if(
        record.findings,
        [&](const Finding& f) { return f.later.site == row.site; });
    html += fmt::format(
        "<tr><td>{}{}</td><td>{}</td><td>{}</td><td class=\"number\">{}</td>"
        "<td class=\"number\">{}</td><td class=\"number\">{}</td>"
        "<td class=\"number\">{}</td><td class=\"number\">{}</td></tr>\n",
        places.Link(row.site),
        row.site.call > 1 ? fmt::format(" (call {})", row.site.call) : "",
        Shown(row.op),
        row.audited       ? "audited"
        : row.approximate ? "unaudited, value approximate"
                          : "unaudited",
        row.executions, row.rejected, row.values, row.values_skipped, findings);
  }
  return html + "</tbody></table></div>\n";
}

/// Refused calls and notes.
std::string OthersMarkup(const RunRecord& record, const KernelPlaces& places) {
  std::string html;
  if (!record.refusals.empty()) {
    html += "<h2>Refused</h2>\n<ul>\n";
    for (const kernel::Refusal& refusal : record.refusals) {
      html += fmt::format("<li>{}: {} ({}), in block {}</li>\n",
                          places.Link(refusal.site), Shown(refusal.name),
                          Shown(refusal.why), refusal.block);
    }
    html += "</ul>\n";
  }
  if (!record.hidden.empty()) {
    html += "<h2>Hidden by the compiler's synchronization</h2>\n<ul>\n";
    for (const kernel::Hidden& hidden : record.hidden) {
      html += fmt::format("<li>{}: {}: {}, behind {} {}</li>\n",
                          places.Link(hidden.later), Shown(hidden.rule),
                          Shown(hidden.later_op), Shown(hidden.earlier_op),
                          places.Link(hidden.earlier));
    }
    html += "</ul>\n";
  }
  if (!record.notes.empty()) {
    html += "<h2>Notes</h2>\n<ul>\n";
    for (const kernel::Note& note : record.notes) {
      html += fmt::format("<li>{}: {}: {}{}</li>\n", places.Link(note.site),
                          Shown(note.rule), Shown(note.message),
                          MoreText(note.times));
    }
    html += "</ul>\n";
  }
  return html;
}

}  // namespace

std::string Shown(std::string_view text) { return HtmlText(InOneLine(text)); }

std::string FindingId(std::size_t number) {
  return fmt::format("f{}", number + 1);
}

KernelPlaces::KernelPlaces(const RunRecord& record) {
  for (const std::string& file : FilesOf(record)) {
    files_.emplace(file, files_.size() + 1);
  }
}

std::string KernelPlaces::Id(const std::string& file, std::int64_t line) const {
  const auto found = files_.find(file);
  return fmt::format("s{}-{}", found == files_.end() ? 0 : found->second, line);
}

std::string KernelPlaces::Link(const kernel::Site& site) const {
  return fmt::format("<a href=\"#{}\">{}</a>", Id(site.file, site.line),
                     HtmlText(SiteText(site)));
}

std::string KernelHtml(const RunRecord& record, const KernelSources& sources) {
  const KernelPlaces places(record);
  const KernelSummary summary = SummaryOf(record);
  std::string first = KernelFirstLine(record);
  first.pop_back();
  std::string html = HeadMarkup("lanediff run " + Shown(record.program));
  html += fmt::format(
      "<header class=\"top\"><span class=\"brand\">lanediff run</span></header>"
      "\n<main>\n<section class=\"headline {}\"><h1 "
      "class=\"sentence\">{}.</h1>\n"
      "<p>{}</p>\n<p class=\"soft\">{}</p></section>\n",
      summary.status == 0   ? "good"
      : summary.status == 2 ? "mild"
                            : "bad",
      Shown(KernelSentence(record)), Shown(record.program), Shown(first));
  html += ListMarkup(EndLines(record)) + ListMarkup(record.suppression_faults) +
          ListMarkup(record.expectation_faults) + SummaryMarkup(summary);
  if (!record.findings.empty()) {
    html += "<h2>Findings</h2>\n<ol class=\"run-findings\">\n";
    for (std::size_t i = 0; i < record.findings.size(); ++i) {
      html += FindingMarkup(record.findings[i], i, places);
    }
    html += "</ol>\n";
  }
  return html + "<h2>Not checked</h2>\n" +
         CountsMarkup(KernelNotChecked(), record.counts) +
         OthersMarkup(record, places) + "<h2>Source</h2>\n" +
         SourcesMarkup(record, sources, places) + "<h2>By site</h2>\n" +
         SitesMarkup(record, places) + "<h2>Checked</h2>\n" +
         CountsMarkup(KernelChecked(), record.counts) +
         "</main>\n</body>\n</html>\n";
}

}  // namespace lanediff::reports
