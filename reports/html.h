#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "differential/testcase/record.h"
#include "reports/audit_record.h"
#include "reports/printable.h"
#include "reports/reasons.h"
#include "reports/target_record.h"
#include "reports/trace/case_view.h"

namespace lanediff::reports {

struct AuditChanges;
struct Report;

/// What an HTML report shows; what is null or empty has no page.
struct HtmlReport {
  std::string title;  ///< one line, plain text
  std::string verb;
  const Report* report = nullptr;
  const audit::AuditRecord* audit = nullptr;
  const AuditChanges* audit_changes = nullptr;  ///< since a baseline
  const TargetRecord* about = nullptr;          ///< who was audited
  /// Cases that have a page of their own, found by their id. Where there is
  /// nothing else, the first is the start page.
  std::vector<view::CaseView> cases = {};
};

/// The data of a page. What it draws, the other JSON printers write behind the
/// first five members, which are the head of every page.
struct PageRecord {
  Reasons reasons;
  std::string title;
  std::string verb;
  std::optional<JsonText> drawn = {};

  static void Fields(auto& p, auto& v) {
    v.Document("page");
    CompleteFields(v, p.reasons);
    LANEDIFF_REQUIRED(v, p.title, p.verb);
    v.Optional("audit", p.drawn);
    v.Optional("comparison", p.drawn);
    v.Optional("campaign", p.drawn);
    v.Optional("cases", p.drawn, {.description = "views by the case's id"});
    v.Optional("parts", p.drawn,
               {.description = "files with rules and cases, by id"});
  }
};

/// What the page of a case shows, as a JSON document in one line. Numbers that
/// a page calculates with are numbers; elements are texts, in decimal and bits.
/// A DataBlock's bytes are hex digits in the order of memory, its elements
/// decimal texts with a blank between; one text stands for elements that are
/// all alike. "after" is left out where it is "before", "actual" where it is
/// "after". A node is a list, in the order that "nodeColumns" names.
std::string CaseViewJson(const view::CaseView& view);

/// One self-contained HTML file: it opens from disk and loads nothing else.
/// Every text of the records is shown as text, whatever it holds.
std::string ReportHtml(const HtmlReport& report);

/// Files by their names, relative to the folder of a report.
using Pages = std::map<std::string, std::string>;

/// An audit as a small page that opens, index.html, and files that it loads on
/// demand: parts/rule-ID.js with all of a rule, parts/case-N.js with a case.
/// They are scripts, which a page from disk may load: lanediffPart(FILE,
/// VALUE).
Pages AuditPages(const HtmlReport& report);

/// Pages as bytes, for a process that hands them to another.
std::vector<std::uint8_t> PackPages(const Pages& pages);
/// Nothing where these are no pages.
std::optional<Pages> UnpackPages(const std::vector<std::uint8_t>& bytes);

/// The page around `data`, with `written`, markup: of a report without "audit",
/// "comparison" and "campaign" it is the start page, else what the start page
/// has first. `data` is {"schema": "lanediff-report/2", "kind": "page",
/// "complete", "title", "verb"} and any of these three, as the other JSON
/// printers write them, "reasons" why it is not complete, "cases", views by id,
/// and "parts", {"rules", "cases"}: files by id, with which alone a page may
/// load scripts.
std::string HtmlPage(std::string_view title, std::string_view data,
                     const std::string& written = "", bool has_parts = false);

/// The page of one record, the member `name` of its data, with `indent` columns
/// a level; -1: in one line.
std::string RecordPage(const std::string& title, std::string_view verb,
                       std::string_view name,
                       const nlohmann::ordered_json& record, int indent,
                       const std::string& written = "");

}  // namespace lanediff::reports
