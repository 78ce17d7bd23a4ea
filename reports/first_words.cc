#include "reports/first_words.h"

#include <fmt/format.h>

#include "reports/printable.h"

namespace lanediff::reports {

std::string FirstWords(const Headline& headline,
                       const std::vector<FindingGroup>& groups) {
  const auto text = [](std::string_view words) {
    return HtmlText(InOneLine(std::string(words)));
  };
  std::string html = fmt::format(
      "<section class=\"headline\"><p class=\"sentence\">{}.</p>"
      "</section>\n",
      text(headline.sentence));
  if (groups.empty()) return html;
  html += "<h2>Findings, worst first</h2>\n<ol>\n";
  for (std::size_t i = 0; i < groups.size() && i < kFirstFindings; ++i) {
    const FindingGroup& group = groups[i];
    html += fmt::format(
        "<li><code>{}</code>{}, {}: {}<br><code>{}</code></li>\n",
        text(group.signature), group.since.empty() ? "" : " " + group.since,
        Counted(group.cases, "case"), text(group.message),
        text(group.reproduce));
  }
  html += "</ol>\n";
  if (groups.size() > kFirstFindings) {
    html +=
        fmt::format("<p>and {}</p>\n",
                    Counted(groups.size() - kFirstFindings, "more finding"));
  }
  return html;
}

}  // namespace lanediff::reports
