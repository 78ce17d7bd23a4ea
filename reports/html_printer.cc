#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "reports/html_texts.h"
#include "reports/printable.h"
#include "reports/report.h"

namespace lanediff::reports {
namespace {

using Look = Report::Look;
using Kind = Report::Column::Kind;

/// In one line, as text of an element or attribute.
std::string Shown(std::string_view text) { return HtmlText(InOneLine(text)); }

std::string_view ClassOf(Look look) {
  constexpr std::string_view kClasses[] = {"",     "soft", "",   "command",
                                           "good", "mild", "bad"};
  return kClasses[static_cast<std::size_t>(look)];
}

/// The third sign of a tone, beside word and colour.
std::string Icon(Look look) {
  const std::string_view icon = look == Look::kGood   ? "✓"
                                : look == Look::kMild ? "!"
                                : look == Look::kBad  ? "✗"
                                                      : "";
  if (icon.empty()) return "";
  return fmt::format("<span class=\"icon\" aria-hidden=\"true\">{}</span> ",
                     icon);
}

bool IsTone(Look look) { return look >= Look::kGood; }

/// The line without those below it.
std::string LineMarkup(const Report::Line& line) {
  if (line.look == Look::kCommand) {
    return fmt::format("<div class=\"command\"><code>{}</code></div>",
                       Shown(line.text));
  }
  std::string text = Shown(line.text);
  if (line.look == Look::kCode) text = "<code>" + text + "</code>";
  if (!line.link.empty()) {
    text = fmt::format("<a href=\"{}\">{}</a>", HtmlText(line.link), text);
  }
  if (IsTone(line.look)) {
    text = fmt::format("<span class=\"badge {}\">{}{}</span>",
                       ClassOf(line.look), Icon(line.look), text);
  }
  if (line.label.empty()) return text;
  return fmt::format("{}: {}", Shown(line.label), text);
}

std::string BelowMarkup(const std::vector<Report::Line>& lines) {
  std::string html;
  for (const Report::Line& line : lines) {
    html += fmt::format("<div{}>{}",
                        line.look == Look::kSoft ? " class=\"soft\"" : "",
                        LineMarkup(line));
    if (!line.below.empty()) {
      html +=
          fmt::format("<div class=\"below\">{}</div>", BelowMarkup(line.below));
    }
    html += "</div>\n";
  }
  return html;
}

std::string IdOf(const std::string& id) {
  return id.empty() ? "" : fmt::format(" id=\"{}\"", HtmlText(id));
}

/// Findings, worst first: a card for each.
std::string FoundMarkup(const std::vector<Report::Line>& found) {
  if (found.empty()) return "";
  std::string html =
      "<h2>Findings, worst first</h2>\n<ol class=\"cards groups\">\n";
  for (const Report::Line& line : found) {
    Report::Line head = line;
    head.look = Look::kPlain;
    html += fmt::format(
        "<li class=\"card {}\"{}><div><strong>{}</strong></div>\n{}</li>\n",
        line.look == Look::kPlain ? "bad" : ClassOf(line.look), IdOf(line.id),
        LineMarkup(head), BelowMarkup(line.below));
  }
  return html + "</ol>\n";
}

/// Digits in groups of three.
std::string Grouped(const std::string& text) {
  if (text.empty() ||
      !std::ranges::all_of(text, [](char c) { return '0' <= c && c <= '9'; })) {
    return Shown(text);
  }
  std::string grouped;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i > 0 && (text.size() - i) % 3 == 0) grouped += "\u202f";
    grouped += text[i];
  }
  return grouped;
}

std::string_view ClassOf(Kind kind) {
  return kind == Kind::kNumber   ? " class=\"number\""
         : kind == Kind::kSource ? " class=\"code\""
                                 : "";
}

std::string CellMarkup(const Report::Line& cell, const Report::Column& column,
                       bool heads_row) {
  std::string text = column.kind == Kind::kNumber ? Grouped(cell.text)
                     : column.kind == Kind::kSource
                         ? HtmlText(InLines(cell.text))
                         : LineMarkup(cell);
  const std::string value =
      column.kind == Kind::kText && column.words.empty() && !heads_row
          ? ""
          : fmt::format(" data-value=\"{}\"", Shown(cell.text));
  return fmt::format("<{0} role=\"{1}\"{2} data-label=\"{3}\"{4}>{5}{6}</{0}>",
                     heads_row ? "th" : "td",
                     heads_row ? "rowheader\" scope=\"row" : "cell",
                     ClassOf(column.kind), heads_row ? "" : Shown(column.title),
                     value, text, BelowMarkup(cell.below));
}

std::string TableMarkup(const Report::Section& section) {
  if (section.rows.empty()) return "";
  const bool source = std::ranges::any_of(
      section.columns,
      [](const Report::Column& one) { return one.kind == Kind::kSource; });
  std::string html = fmt::format(
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
      "aria-label=\"{}\"><table role=\"table\"{}{}>\n<thead "
      "role=\"rowgroup\"><tr role=\"row\">",
      Shown(section.title),
      source                       ? " class=\"source\""
      : section.columns.size() > 3 ? " class=\"stack\""
                                   : "",
      section.noun.empty() ? ""
                           : fmt::format(" data-noun=\"{}\"", section.noun));
  for (const Report::Column& column : section.columns) {
    html += fmt::format(
        "<th role=\"columnheader\" scope=\"col\"{}{}>{}</th>",
        ClassOf(column.kind),
        column.words.empty()
            ? ""
            : fmt::format(
                  " data-words=\"{}\"",
                  Shown(fmt::format("{}", fmt::join(column.words, "|")))),
        Shown(column.title));
  }
  html += "</tr></thead>\n<tbody role=\"rowgroup\">\n";
  for (const Report::Row& row : section.rows) {
    html += fmt::format("<tr role=\"row\"{}{}>", IdOf(row.id),
                        row.look == Look::kPlain
                            ? ""
                            : fmt::format(" class=\"{}\"", ClassOf(row.look)));
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      html += CellMarkup(row.cells[i], section.columns[i], i == 0 && !source);
    }
    html += "</tr>\n";
  }
  return html + "</tbody></table></div>\n";
}

std::string SectionMarkup(const Report::Section& section) {
  if (section.in == Report::Section::In::kText ||
      (section.lines.empty() && section.rows.empty())) {
    return "";
  }
  std::string html = fmt::format("<h2>{}</h2>\n", Shown(section.title));
  if (!section.lines.empty()) {
    html += fmt::format("<div class=\"lines\">\n{}</div>\n",
                        BelowMarkup(section.lines));
  }
  return html + TableMarkup(section);
}

}  // namespace

std::string ToMarkup(const Report& report) {
  std::string html = fmt::format(
      "<h1>{}</h1>\n<section class=\"headline {}\" aria-label=\"In one "
      "sentence\"><p class=\"sentence\">{}{}.</p>\n{}</section>\n",
      Shown(report.title), ClassOf(report.tone), Icon(report.tone),
      Shown(report.sentence), BelowMarkup(report.headline));
  std::string_view rest = report.summary;
  for (std::size_t end; (end = rest.find('\n')) != std::string_view::npos;) {
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end + 1);
    if (InOneLine(report.sentence) == line) continue;
    html += fmt::format("<p class=\"lead\">{}</p>\n", Shown(line));
  }
  html += FoundMarkup(report.found);
  for (const Report::Section& section : report.sections) {
    html += SectionMarkup(section);
  }
  return html;
}

std::string ToHtml(const Report& report) {
  std::string html = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
      "'none'; style-src 'unsafe-inline'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, "
      "initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<meta name=\"generator\" content=\"lanediff\">\n<title>{}</title>\n",
      Shown(report.title));
  for (const auto& [file, text] : styles::EmbeddedTexts()) {
    html += fmt::format("<style>\n{}</style>\n", text);
  }
  return html +
         "</head>\n<body>\n<header class=\"top\"><span class=\"brand\">lanediff"
         "</span></header>\n<main>\n" +
         ToMarkup(report) + "</main>\n</body>\n</html>\n";
}

}  // namespace lanediff::reports
