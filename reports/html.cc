#include "reports/html.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "reports/audit.h"
#include "reports/case_view_json.h"
#include "reports/first_words.h"
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

std::string FirstWordsOf(const HtmlReport& report) {
  if (report.run != nullptr) {
    return FirstWords(HeadlineOf(*report.run), GroupsOf(*report.run));
  }
  if (report.audit == nullptr) return "";
  const auto groups = GroupsOf(*report.audit, report.audit_changes);
  return FirstWords(HeadlineOf(*report.audit, groups, report.about), groups);
}

}  // namespace

std::string HtmlPage(std::string_view title, std::string_view data,
                     const std::string& first_words, bool has_parts) {
  std::string page;
  std::string_view rest = Template();
  // Once from front to back: what was put in is not looked at again.
  for (std::size_t at; (at = rest.find("{{")) != std::string_view::npos;) {
    page += rest.substr(0, at);
    const std::size_t end = rest.find("}}", at);
    const std::string_view what = rest.substr(at + 2, end - at - 2);
    if (what == "title") page += HtmlText(InOneLine(title));
    if (what == "first-words") page += first_words;
    if (what == "parts" && has_parts) page += " 'self'";
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
    data += ",\n\"audit\":" +
            AuditJson(*report.audit, report.audit_changes, report.about);
  }
  if (report.run != nullptr) data += ",\n\"run\":" + RunJson(*report.run);
  if (report.mutants != nullptr) {
    data += ",\n\"mutants\":" + MutantsJson(*report.mutants);
  }
  if (!report.cases.empty()) data += ",\n\"cases\":" + CasesJson(report.cases);
  return HtmlPage(report.title, data + "}", FirstWordsOf(report));
}

namespace {

/// A script that hands `json` to the page as what `file` holds.
std::string PartText(std::string_view file, std::string_view json) {
  return fmt::format("lanediffPart({},\n{});\n", Quoted(file),
                     Replaced(json, '<', "\\u003c"));
}

/// Adds a part, and its place to `index`, the members of an object.
void AddPart(std::string_view id, const std::string& file,
             std::string_view json, std::string& index, Pages& pages) {
  index += fmt::format("{}{}:{}", index.empty() ? "" : ",", Quoted(id),
                       Quoted(file));
  pages[file] = PartText(file, json);
}

}  // namespace

Pages AuditPages(const HtmlReport& report) {
  Pages pages;
  std::string rules;
  for (const audit::AuditedRule& rule : report.audit->rules) {
    const std::string_view id = rule.rule->id.text();
    AddPart(id, fmt::format("parts/rule-{}.js", id), DetailsJson(rule), rules,
            pages);
  }
  std::string cases;
  for (const view::CaseView& view : report.cases) {
    const auto number = pages.size() - report.audit->rules.size() + 1;
    AddPart(view.id, fmt::format("parts/case-{}.js", number),
            CaseViewJson(view), cases, pages);
  }
  pages["index.html"] = HtmlPage(
      report.title,
      fmt::format(
          "{{\"format\":\"lanediff-report/1\",\"title\":{},\"verb\":{},\n"
          "\"audit\":{},\n\"parts\":{{\"rules\":{{{}}},\"cases\":{{{}}}}}}}",
          Quoted(report.title), Quoted(report.verb),
          AuditDigestJson(*report.audit, report.audit_changes, report.about),
          rules, cases),
      FirstWordsOf(report), true);
  return pages;
}

std::vector<std::uint8_t> PackPages(const Pages& pages) {
  return nlohmann::json::to_cbor(nlohmann::json(pages));
}

std::optional<Pages> UnpackPages(const std::vector<std::uint8_t>& bytes) {
  const auto json = nlohmann::json::from_cbor(bytes, true, false);
  if (!json.is_object()) return std::nullopt;
  return json.get<Pages>();
}

}  // namespace lanediff::reports
