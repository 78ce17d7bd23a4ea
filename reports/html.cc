#include "reports/html.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "differential/testcase/record_json.h"
#include "reports/audit.h"
#include "reports/changes.h"
#include "reports/html_texts.h"
#include "reports/printable.h"
#include "reports/printers.h"
#include "reports/report.h"

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

/// The embedded files of one kind, each an element of its own, so that a
/// mistake in one script leaves the others alone.
std::string Elements(std::string_view extension, std::string_view tag) {
  std::string elements;
  for (const auto& [file, text] : html::EmbeddedTexts()) {
    if (!file.ends_with(extension)) continue;
    elements += fmt::format("<{0}>\n{1}</{0}>\n", tag, text);
  }
  return elements;
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

/// The head of a page's data, an object without its end.
std::string DataHead(const HtmlReport& report, const Reasons& reasons) {
  std::string head =
      RecordJson(PageRecord{.reasons = reasons,
                            .title = report.title,
                            .verb = report.verb})
          .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  head.pop_back();
  return head;
}

/// What the page of an audit opens with.
std::string AuditMarkup(const HtmlReport& report) {
  const audit::AuditRecord& audit = *report.audit;
  const auto groups = GroupsOf(audit, report.audit_changes);
  std::set<std::string> pages;
  for (const view::CaseView& view : report.cases) pages.insert(view.id);
  Report shown = {.title = report.title};
  AddFront({.headline = HeadlineOf(audit, groups, report.about),
            .groups = groups,
            .target = audit.target,
            .about = report.about,
            .vectors = audit.vectors,
            .edition = isa::Name(audit.edition),
            .since = report.audit_changes == nullptr
                         ? ""
                         : SinceText(report.audit_changes->file,
                                     report.audit_changes->signatures),
            .pages = pages},
           shown);
  return ToMarkup(shown);
}

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

std::string HtmlPage(std::string_view title, std::string_view data,
                     const std::string& written, bool has_parts) {
  std::string page;
  std::string_view rest = Template();
  // Once from front to back: what was put in is not looked at again.
  for (std::size_t at; (at = rest.find("{{")) != std::string_view::npos;) {
    page += rest.substr(0, at);
    const std::size_t end = rest.find("}}", at);
    const std::string_view what = rest.substr(at + 2, end - at - 2);
    if (what == "title") page += HtmlText(InOneLine(title));
    if (what == "written") page += written;
    if (what == "parts" && has_parts) page += " 'self'";
    if (what == "styles") page += Elements(".css", "style");
    if (what == "scripts") page += Elements(".js", "script");
    // Only strings of a JSON document hold '<'; none may end the element.
    if (what == "data") page += Replaced(data, '<', "\\u003c");
    rest.remove_prefix(end + 2);
  }
  return page.append(rest);
}

std::string RecordPage(const std::string& title, std::string_view verb,
                       std::string_view name,
                       const nlohmann::ordered_json& record, int indent,
                       const std::string& written) {
  Reasons reasons;
  if (record.contains("reasons")) {
    reasons = ReasonsFrom(record["reasons"].get<std::vector<std::string>>());
  }
  auto data = RecordJson(PageRecord{
      .reasons = reasons, .title = title, .verb = std::string(verb)});
  data[std::string(name)] = record;
  return HtmlPage(
      title,
      data.dump(indent, ' ', false, nlohmann::json::error_handler_t::replace),
      written);
}

std::string ReportHtml(const HtmlReport& report) {
  std::string data = DataHead(
      report, report.report == nullptr ? Reasons() : report.report->reasons);
  if (!report.cases.empty()) data += ",\n\"cases\":" + CasesJson(report.cases);
  return HtmlPage(report.title, data + "}",
                  report.report == nullptr ? "" : ToMarkup(*report.report));
}

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
          "{},\n\"audit\":{},\n\"parts\":{{\"rules\":{{{}}},\"cases\":{{{}}}}}}"
          "}",
          DataHead(report, ReasonsOf(*report.audit)),
          AuditDigestJson(*report.audit, report.audit_changes, report.about),
          rules, cases),
      AuditMarkup(report), true);
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
