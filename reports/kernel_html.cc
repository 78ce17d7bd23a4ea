#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reports/html_texts.h"
#include "reports/kernel.h"
#include "reports/kernel_status.h"
#include "reports/printable.h"

namespace lanediff::reports {
namespace {

using kernel::Finding;
using kernel::RunRecord;

/// `text` in one line, as text of an element.
std::string Shown(std::string_view text) { return HtmlText(InOneLine(text)); }

/// The id of the list entry of finding `number`, from 0.
std::string FindingId(std::size_t number) {
  return fmt::format("f{}", number + 1);
}

/// Where the page shows lines of sources: a number for each file that a site
/// names, in the order of their names.
struct KernelPlaces {
  explicit KernelPlaces(const RunRecord& record) {
    for (const std::string& file : FilesOf(record)) {
      files.emplace(file, files.size() + 1);
    }
  }

  /// The id of a line's row.
  std::string Id(const std::string& file, std::int64_t line) const {
    const auto found = files.find(file);
    return fmt::format("s{}-{}", found == files.end() ? 0 : found->second,
                       line);
  }
  /// "FILE:LINE" as a link to the line.
  std::string Link(const kernel::Site& site) const {
    return fmt::format("<a href=\"#{}\">{}</a>", Id(site.file, site.line),
                       HtmlText(SiteText(site)));
  }

  std::map<std::string, std::size_t> files;
};

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
      "<li id=\"{}\">\n<p><span class=\"badge {}\">{}</span> "
      "<strong>{}</strong>: {}</p>\n<p class=\"soft\">{}",
      FindingId(number), finding.suppressed.empty() ? "bad" : "mild",
      isa::Name(finding.group), Shown(finding.rule), Shown(finding.message),
      AccessMarkup("at", finding.later, places));
  if (finding.earlier) {
    html += "; " + AccessMarkup("the other access", *finding.earlier, places);
  }
  html += fmt::format("; {}</p>\n", Shown(OccurrenceText(finding)));
  const auto add = [&](std::string_view what, const std::string& text) {
    if (!text.empty()) html += fmt::format("<p>{}: {}</p>\n", what, text);
  };
  add("missing", Shown(finding.missing));
  if (finding.follows_from) {
    add("follows from", Shown(finding.follows_from->rule) + " " +
                            places.Link(finding.follows_from->site));
  }
  add("unknown", Shown(UnknownText(finding)));
  add("repair", Shown(finding.repair));
  for (const std::string& caller : finding.stack) {
    html +=
        fmt::format("<p class=\"soft\">called from {}</p>\n", Shown(caller));
  }
  add("suppressed", Shown(finding.suppressed));
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
      "<div class=\"scroll\"><table>\n<thead><tr><th "
      "scope=\"col\">what</th><th scope=\"col\">how many</th><th "
      "scope=\"col\">meaning</th></tr></thead>\n<tbody>\n";
  for (const KernelCount& count : counts) {
    html += fmt::format(
        "<tr><th scope=\"row\">{}</th><td "
        "class=\"number\">{}</td><td>{}</td></tr>\n",
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
      "<div class=\"scroll\"><table>\n<thead><tr><th "
      "scope=\"col\">site</th><th scope=\"col\">call</th><th "
      "scope=\"col\">checked as</th><th scope=\"col\">ran</th><th "
      "scope=\"col\">rejected</th><th scope=\"col\">values compared</th><th "
      "scope=\"col\">values skipped</th><th "
      "scope=\"col\">findings</th></tr></thead>\n<tbody>\n";
  for (const kernel::SiteRow& row : record.sites) {
    const auto findings = std::ranges::count_if(
        record.findings,
        [&](const Finding& f) { return f.later.site == row.site; });
    html += fmt::format(
        "<tr><td>{}{}</td><td>{}</td><td>{}</td><td "
        "class=\"number\">{}</td><td class=\"number\">{}</td><td "
        "class=\"number\">{}</td><td class=\"number\">{}</td><td "
        "class=\"number\">{}</td></tr>\n",
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

/// A headline and a list of what `print` makes of `all`; nothing of none.
template <class T, class Print>
std::string ListMarkup(std::string_view title, const std::vector<T>& all,
                       Print print) {
  if (all.empty()) return "";
  std::string html = fmt::format("<h2>{}</h2>\n<ul>\n", title);
  for (const T& one : all) html += fmt::format("<li>{}</li>\n", print(one));
  return html + "</ul>\n";
}

/// Refused calls, hidden findings and notes.
std::string OthersMarkup(const RunRecord& record, const KernelPlaces& places) {
  return ListMarkup("Refused", record.refusals,
                    [&](const kernel::Refusal& refusal) {
                      return fmt::format("{}: {} ({}), in block {}",
                                         places.Link(refusal.site),
                                         Shown(refusal.name),
                                         Shown(refusal.why), refusal.block);
                    }) +
         ListMarkup("Hidden by the compiler's synchronization", record.hidden,
                    [&](const kernel::Hidden& hidden) {
                      return fmt::format(
                          "{}: {}: {}, behind {} {}", places.Link(hidden.later),
                          Shown(hidden.rule), Shown(hidden.later_op),
                          Shown(hidden.earlier_op),
                          places.Link(hidden.earlier));
                    }) +
         ListMarkup("Notes", record.notes, [&](const kernel::Note& note) {
           return fmt::format("{}: {}: {}{}", places.Link(note.site),
                              Shown(note.rule), Shown(note.message),
                              MoreText(note.times));
         });
}

/// What stands beside one line.
struct Beside {
  std::string markup;
  bool finding = false;
  std::uint64_t executions = 0;
};

/// By file and line.
using Besides = std::map<std::string, std::map<std::int64_t, Beside>>;

Besides BesidesOf(const RunRecord& record, const KernelPlaces& places) {
  Besides all;
  const auto at = [&](const kernel::Site& site) -> Beside& {
    return all[site.file][site.line];
  };
  for (std::size_t i = 0; i < record.findings.size(); ++i) {
    const kernel::Finding& finding = record.findings[i];
    const std::string link = fmt::format("<a href=\"#{}\">{}</a>", FindingId(i),
                                         Shown(finding.rule));
    Beside& later = at(finding.later.site);
    later.finding |= finding.suppressed.empty();
    later.markup += fmt::format(
        "<p>{}{}: {}", link, finding.suppressed.empty() ? "" : " (suppressed)",
        Shown(finding.message));
    if (finding.earlier) {
      later.markup += fmt::format("; the other access: {}",
                                  places.Link(finding.earlier->site));
      at(finding.earlier->site).markup +=
          fmt::format("<p>{}: the other access of {} at {}</p>\n", link,
                      Shown(finding.later.op), places.Link(finding.later.site));
    }
    later.markup += "</p>\n";
  }
  for (const kernel::Refusal& refusal : record.refusals) {
    Beside& there = at(refusal.site);
    there.finding = true;
    there.markup += fmt::format("<p>refused: {} ({})</p>\n",
                                Shown(refusal.name), Shown(refusal.why));
  }
  for (const kernel::Note& note : record.notes) {
    at(note.site).markup +=
        fmt::format("<p>note {}: {}{}</p>\n", Shown(note.rule),
                    Shown(note.message), MoreText(note.times));
  }
  for (const kernel::SiteRow& row : record.sites) {
    at(row.site).executions += row.executions;
  }
  return all;
}

/// A line of source as it is, but what can't be shown.
std::string CodeMarkup(const std::string& line) {
  return HtmlText(InLines(line));
}

/// A table for each file: line numbers, how often calls on the line ran, the
/// text, and beside it what was found there.
std::string SourcesMarkup(const RunRecord& record, const KernelSources& sources,
                          const KernelPlaces& places) {
  const Besides all = BesidesOf(record, places);
  std::string html;
  for (const auto& [file, number] : places.files) {
    const auto& lines = sources.Lines(file);
    std::map<std::int64_t, Beside> rows;
    if (const auto found = all.find(file); found != all.end()) {
      rows = found->second;
    }
    for (std::size_t i = 1; i <= lines.size(); ++i) {
      rows[static_cast<std::int64_t>(i)];
    }
    html += fmt::format("<h3>{}</h3>\n", Shown(file));
    if (lines.empty()) {
      html +=
          file == kMainOfKernel
              ? "<p class=\"soft\">Made by lanediff, around the kernel.</p>\n"
              : "<p class=\"soft\">Not shown: no file that can be read and "
                "that is known as a source of the program.</p>\n";
    }
    html +=
        "<div class=\"scroll\"><table class=\"source\">\n<thead><tr><th "
        "scope=\"col\">line</th><th scope=\"col\">ran</th><th "
        "scope=\"col\">text</th><th scope=\"col\">beside "
        "it</th></tr></thead>\n<tbody>\n";
    for (const auto& [line, beside] : rows) {
      const bool known =
          line >= 1 && static_cast<std::size_t>(line) <= lines.size();
      html += fmt::format(
          "<tr id=\"{}\"{}><td class=\"number\">{}</td><td "
          "class=\"number\">{}</td><td class=\"code\">{}</td>",
          places.Id(file, line),
          beside.finding          ? " class=\"bad\""
          : beside.markup.empty() ? ""
                                  : " class=\"mild\"",
          line,
          beside.executions > 0 ? fmt::format("{}×", beside.executions)
                                : std::string(),
          known ? CodeMarkup(lines[static_cast<std::size_t>(line - 1)])
                : std::string());
      html += beside.markup.empty()
                  ? "<td></td></tr>\n"
                  : fmt::format("<td class=\"beside\">\n{}</td></tr>\n",
                                beside.markup);
    }
    html += "</tbody></table></div>\n";
  }
  return html;
}

}  // namespace

std::string KernelHtml(const RunRecord& record, const KernelSources& sources) {
  const KernelPlaces places(record);
  const KernelSummary summary = SummaryOf(record);
  std::string first = KernelFirstLine(record);
  first.pop_back();
  std::string html = HeadMarkup("lanediff run " + Shown(record.program));
  html += fmt::format(
      "<header class=\"top\"><span class=\"brand\">lanediff "
      "run</span></header>\n<main>\n<section class=\"headline {}\"><h1 "
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
