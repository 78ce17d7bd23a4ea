#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

#include "differential/compare/finding.h"
#include "differential/testcase/json.h"
#include "isa/catalogue.h"
#include "reports/printable.h"
#include "reports/report.h"

namespace lanediff::reports {
namespace {

using OrderedJson = Report::OrderedJson;

// Whose folder relative addresses start from.
constexpr const char* kWorkingFolder = "%SRCROOT%";
constexpr const char* kReportFolder = "REPORT";

/// In messages braces are placeholders and "[a](b)" is a link; ours have
/// neither.
std::string Plain(std::string_view text) {
  std::string plain;
  for (char c : text) {
    if (c == '(' && plain.ends_with(']')) plain += ' ';
    plain += c;
    if (c == '{' || c == '}') plain += c;
  }
  return plain;
}

OrderedJson Text(std::string_view text) { return {{"text", text}}; }

/// What follows where a rule of this effect is broken or applies.
std::string_view WhatFollows(isa::Effect effect) {
  constexpr std::string_view kTexts[] = {
      "A call that breaks this is not executed and no byte changes.",
      "The call runs and this is reported.",
      "This is how the result is computed.",
      "The call runs, and lint reports it.",
      "The call runs as written, and this is a finding."};
  return kTexts[static_cast<std::size_t>(effect)];
}

std::string FullText(const isa::Rule& rule) {
  std::string text =
      fmt::format("{} {}", rule.statement, WhatFollows(rule.effect));
  for (const isa::Range& range : rule.ranges) {
    text +=
        fmt::format(" {} is in {}…{}{}.", range.field, range.low, range.high,
                    range.element_bits == 0
                        ? ""
                        : fmt::format(" at {} bits", range.element_bits));
  }
  return text;
}

/// A line for each source: document · section.
std::string HelpText(const isa::Rule& rule) {
  std::string text;
  for (const isa::Source& source : rule.sources) {
    if (!text.empty()) text += '\n';
    if (!source.part.empty()) text += fmt::format("{}: ", source.part);
    text += isa::Name(source.provenance());
    if (!source.document.empty()) text += fmt::format(": {}", source.document);
  }
  return text;
}

/// The address of the first document that the rule cites and that has one, else
/// of its instruction's page; empty where there is none.
std::string HelpUri(const isa::Rule& rule) {
  constexpr std::string_view kScheme = "https:";
  std::vector<const isa::Document*> documents;
  for (const isa::Source& source : rule.sources) {
    for (const isa::Citation& one : isa::CitationsOf(source.document)) {
      documents.push_back(one.document);
    }
  }
  documents.push_back(isa::FindDocument(rule.instruction));
  for (const isa::Document* const one : documents) {
    if (one == nullptr || !one->address.starts_with(kScheme)) continue;
    return InAddress(one->address, "-._~/:");
  }
  return "";
}

/// "warning" for a rule that is only noted, "error" for any other.
std::string_view LevelOf(const isa::Rule* rule) {
  return rule != nullptr && rule->effect == isa::Effect::kNote ? "warning"
                                                               : "error";
}

OrderedJson Descriptor(const isa::Rule& rule) {
  OrderedJson provenance = OrderedJson::array();
  for (const isa::Source& source : rule.sources) {
    const OrderedJson name = isa::Name(source.provenance());
    if (std::ranges::find(provenance, name) == provenance.end()) {
      provenance.push_back(name);
    }
  }
  OrderedJson json = {{"id", rule.id.text()},
                      {"shortDescription", Text(rule.statement)},
                      {"fullDescription", Text(FullText(rule))},
                      {"help", Text(HelpText(rule))}};
  if (const std::string uri = HelpUri(rule); !uri.empty()) {
    json["helpUri"] = uri;
  }
  json["defaultConfiguration"] = {{"level", LevelOf(&rule)}};
  json["properties"] = {{"instruction", rule.instruction},
                        {"effect", isa::Name(rule.effect)},
                        {"evidenceLevel", isa::Name(isa::EvidenceOf(rule))},
                        {"provenance", std::move(provenance)}};
  return json;
}

/// Rules that are lanediff's own.
std::vector<OrderedJson> OwnDescriptors() {
  std::vector<OrderedJson> all;
  const auto add = [&](std::string_view id, std::string_view text,
                       std::string_view help, std::string_view level) {
    all.push_back({{"id", id},
                   {"shortDescription", Text(text)},
                   {"fullDescription", Text(text)},
                   {"help", Text(help)},
                   {"defaultConfiguration", {{"level", level}}}});
  };
  constexpr std::string_view kTexts[] = {
      "One side executed what the other rejected.",
      "Both sides rejected the call, for different rules.",
      "Both sides executed the call, with different notes.",
      "Target and reference left different bytes.",
      "Bytes that the call may not read change its result.",
      "The same case gave two results.",
      "The result is not what the case expects.",
      "The target ended instead of answering.",
      "The target didn't answer in time.",
      "The target broke its protocol.",
      "A fresh process of the target gave another result.",
      "Lint and its model of bytes disagree about a program.",
      "The program of a kernel breaks a rule, or not those that the case "
      "expects.",
  };
  static_assert(std::size(kTexts) == isa::kCount<diff::FindingKind>);
  for (std::size_t i = 0; i < std::size(kTexts); ++i) {
    add(OwnRule(static_cast<diff::FindingKind>(i)), kTexts[i],
        "\"lanediff explain CASE\" shows what was expected beside what came "
        "out, with the rules and their documents.",
        "error");
  }
  add(kDisagreementRule,
      "The documents disagree, with themselves or each other.",
      "The audit shows both readings, the chosen one, and the case that "
      "separates them.",
      "note");
  add(kKnownIssueRule, "A known issue has expired, or did not occur.",
      "Correct the defect, remove the entry, or give it a later day.", "error");
  return all;
}

/// The rules that results name by their indices.
class RuleList {
 public:
  explicit RuleList(bool lists_catalogue) {
    if (!lists_catalogue) return;
    for (const isa::Rule& rule : isa::Catalogue()) Add(Descriptor(rule));
    for (OrderedJson& rule : OwnDescriptors()) Add(std::move(rule));
  }

  std::size_t IndexOf(const std::string& id) {
    const auto known = indices_.find(id);
    if (known != indices_.end()) return known->second;
    const isa::Rule* const rule = isa::FindRule(id);
    return Add(
        rule != nullptr
            ? Descriptor(*rule)
            : OrderedJson{{"id", id},
                          {"shortDescription",
                           Text("A result differs from the oracle's.")}});
  }

  OrderedJson descriptors = OrderedJson::array();

 private:
  std::size_t Add(OrderedJson descriptor) {
    const std::size_t index = descriptors.size();
    indices_.emplace(descriptor.at("id").get<std::string>(), index);
    descriptors.push_back(std::move(descriptor));
    return index;
  }

  std::map<std::string, std::size_t, std::less<>> indices_;
};

/// `path` as a relative URI, or a file URI if it is absolute.
std::string UriOf(std::string_view path) {
  return (path.starts_with('/') ? "file://" : "") + InAddress(path, "-._~/");
}

OrderedJson PlaceJson(const Report::Place& place) {
  OrderedJson json = OrderedJson::object();
  if (!place.file.empty()) {
    OrderedJson artifact = {{"uri", UriOf(place.file)}};
    if (!place.file.starts_with('/')) {
      artifact["uriBaseId"] = place.in_report ? kReportFolder : kWorkingFolder;
    }
    json["physicalLocation"] = {{"artifactLocation", std::move(artifact)},
                                // Viewers require a line.
                                {"region", {{"startLine", place.line}}}};
  }
  for (const auto& [name, kind] : place.logical) {
    json["logicalLocations"].push_back(
        {{"name", name.substr(name.rfind('/') + 1)},
         {"fullyQualifiedName", name},
         {"kind", kind}});
  }
  return json;
}

OrderedJson ResultJson(const Report::Finding& finding, RuleList& rules) {
  OrderedJson json = {
      {"ruleId", finding.rule},
      {"ruleIndex", rules.IndexOf(finding.rule)},
      {"level", finding.level.empty() ? LevelOf(isa::FindRule(finding.rule))
                                      : finding.level},
      {"message", Text(Plain(finding.message))}};
  if (finding.place) json["locations"].push_back(PlaceJson(*finding.place));
  for (const Report::Place& place : finding.related) {
    OrderedJson& related = json["relatedLocations"];
    related.push_back(PlaceJson(place));
    related.back()["id"] = related.size();
    related.back()["message"] = Text(place.message);
  }
  for (const auto& [name, text] : finding.fingerprints) {
    json["partialFingerprints"][name] = text;
  }
  if (!finding.since.empty()) json["baselineState"] = finding.since;
  if (finding.times > 0) json["occurrenceCount"] = finding.times;
  if (!finding.known.empty()) {
    json["suppressions"].push_back(
        {{"kind", "external"}, {"justification", finding.known}});
  }
  if (!finding.properties.empty()) json["properties"] = finding.properties;
  return json;
}

OrderedJson NotificationsJson(const Report& report) {
  OrderedJson json;
  for (const auto* const list : {&report.notifications, &report.reasons}) {
    for (const Notification& one : *list) {
      json.push_back({{"level", "error"}, {"message", Text(Plain(one.text))}});
      if (one.place) json.back()["locations"].push_back(PlaceJson(*one.place));
    }
  }
  return json;
}

OrderedJson InvocationJson(const Report& report) {
  constexpr std::string_view kStatuses[] = {
      "all agree", "a disagreement was found",
      "wrong usage, a malformed case, nothing compared or not all of it",
      "a target failed"};
  const int status = report.exit_status;
  OrderedJson json = {
      {"executionSuccessful",
       report.reasons.empty() && (status == 0 || status == 1)},
      {"exitCode", status},
      {"exitCodeDescription", report.exit_text.empty()
                                  ? kStatuses[static_cast<std::size_t>(status)]
                                  : report.exit_text}};
  OrderedJson notifications = NotificationsJson(report);
  if (!notifications.empty()) {
    json["toolExecutionNotifications"] = std::move(notifications);
  }
  return json;
}

}  // namespace

std::string ToSarif(const Report& report) {
  RuleList rules(report.lists_catalogue);
  OrderedJson results = OrderedJson::array();
  for (const Report::Finding& finding : report.findings) {
    results.push_back(ResultJson(finding, rules));
  }
  OrderedJson properties = OrderedJson::object();
  for (const auto& [name, text] : report.properties) properties[name] = text;
  properties.update(report.counts);
  OrderedJson run = {{"tool",
                      {{"driver",
                        {{"name", "lanediff"},
                         {"version", LANEDIFF_VERSION},
                         {"semanticVersion", LANEDIFF_VERSION},
                         {"rules", std::move(rules.descriptors)}}}}},
                     {"automationDetails", {{"id", report.category}}}};
  run["invocations"] = OrderedJson::array({InvocationJson(report)});
  run["originalUriBaseIds"] = {
      {kWorkingFolder,
       {{"description", Text("The folder in which lanediff was started.")}}},
      {kReportFolder,
       {{"description",
         Text("The folder that holds the report of the audit.")}}}};
  run["results"] = std::move(results);
  run["properties"] = std::move(properties);
  OrderedJson document = {{"$schema",
                           "https://docs.oasis-open.org/sarif/sarif/v2.1.0/"
                           "errata01/os/schemas/sarif-schema-2.1.0.json"},
                          {"version", "2.1.0"}};
  document["runs"] = OrderedJson::array({std::move(run)});
  return LayOut(document);
}

}  // namespace lanediff::reports
