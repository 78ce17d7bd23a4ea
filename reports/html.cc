#include "reports/html.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "reports/audit.h"
#include "reports/case_view_json.h"
#include "reports/html_texts.h"
#include "reports/printable.h"
#include "reports/printers.h"

namespace lanediff::reports {
namespace {

std::string Replaced(std::string_view text, char from, std::string_view to) {
  std::string replaced;
  replaced.reserve(text.size());
  for (char c : text) {
    if (c == from) {
      replaced += to;
    } else {
      replaced += c;
    }
  }
  return replaced;
}

std::string Escaped(std::string_view text) {
  return Replaced(Replaced(text, '&', "&amp;"), '<', "&lt;");
}

std::string Styles() {
  std::string styles;
  for (const auto& [file, text] : html::EmbeddedTexts()) {
    if (file.ends_with(".css"))
      styles += fmt::format("<style>\n{}</style>\n", text);
  }
  return styles;
}

/// Each script is an element of its own, so that a mistake in one leaves the
/// others alone.
std::string Scripts() {
  std::string scripts;
  for (const auto& [file, text] : html::EmbeddedTexts()) {
    if (file.ends_with(".js"))
      scripts += fmt::format("<script>\n{}</script>\n", text);
  }
  return scripts;
}

std::string_view Template() {
  for (const auto& [file, text] : html::EmbeddedTexts()) {
    if (file == "index.html") return text;
  }
  return "";
}

std::string Quoted(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false,
                                   nlohmann::json::error_handler_t::replace);
}

/// The cases by their ids.
std::string CasesJson(const std::vector<view::CaseView>& cases) {
  std::string json = "{";
  for (const view::CaseView& view : cases) {
    json += fmt::format("{}\n{}:{}", json.size() > 1 ? "," : "",
                        Quoted(view.id), CaseViewJson(view));
  }
  return json + "}";
}

}  // namespace

std::string HtmlPage(std::string_view title, std::string_view data) {
  std::string page;
  std::string_view rest = Template();
  // Once from front to back: what was put in is not looked at again.
  for (std::size_t at; (at = rest.find("{{")) != std::string_view::npos;) {
    page += rest.substr(0, at);
    const std::size_t end = rest.find("}}", at);
    const std::string_view what = rest.substr(at + 2, end - at - 2);
    if (what == "title") page += Escaped(InOneLine(title));
    if (what == "styles") page += Styles();
    if (what == "scripts") page += Scripts();
    // Only strings of a JSON document hold '<'; none may end the element.
    if (what == "data") page += Replaced(data, '<', "\\u003c");
    rest.remove_prefix(end + 2);
  }
  return page.append(rest);
}

std::string ReportHtml(const HtmlReport& report) {
  std::string data =
      fmt::format(R"({{"format":"lanediff-report/1","title":{},"verb":{})",
                  Quoted(report.title), Quoted(report.verb));
  if (report.audit != nullptr) {
    data += ",\n\"audit\":" + AuditJson(*report.audit, report.audit_changes);
  }
  if (report.run != nullptr) data += ",\n\"run\":" + RunJson(*report.run);
  if (report.mutants != nullptr) {
    data += ",\n\"mutants\":" + MutantsJson(*report.mutants);
  }
  if (!report.cases.empty()) data += ",\n\"cases\":" + CasesJson(report.cases);
  return HtmlPage(report.title, data + "}");
}

}  // namespace lanediff::reports
