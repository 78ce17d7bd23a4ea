#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "reports/kernel_page.h"
#include "reports/kernel_words.h"
#include "reports/printable.h"

namespace lanediff::reports {
namespace {

/// What stands beside one line.
struct Beside {
  std::string markup;
  bool finding = false;
  std::uint64_t executions = 0;
};

/// By file and line.
using Besides = std::map<std::string, std::map<std::int64_t, Beside>>;

Besides BesidesOf(const kernel::RunRecord& record, const KernelPlaces& places) {
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

}  // namespace

std::string SourcesMarkup(const kernel::RunRecord& record,
                          const KernelSources& sources,
                          const KernelPlaces& places) {
  const Besides all = BesidesOf(record, places);
  std::string html;
  for (const auto& [file, number] : places.files()) {
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
      html += file == kMainOfKernel
                  ? "<p class=\"soft\">Made by lanediff, around the "
                    "kernel.</p>\n"
                  : "<p class=\"soft\">Not shown: no file that can be read and "
                    "that is known as a source of the program.</p>\n";
    }
    html +=
        "<div class=\"scroll\"><table class=\"source\">\n<thead><tr>"
        "<th scope=\"col\">line</th><th scope=\"col\">ran</th>"
        "<th scope=\"col\">text</th><th scope=\"col\">beside it</th></tr>"
        "</thead>\n<tbody>\n";
    for (const auto& [line, beside] : rows) {
      const bool known =
          line >= 1 && static_cast<std::size_t>(line) <= lines.size();
      html += fmt::format(
          "<tr id=\"{}\"{}><td class=\"number\">{}</td><td class=\"number\">{}"
          "</td><td class=\"code\">{}</td>",
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

}  // namespace lanediff::reports
