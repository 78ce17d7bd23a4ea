#include "reports/sarif_nodes.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "differential/testcase/json_layout.h"

namespace lanediff::reports::sarif {
namespace {

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

OrderedJson BaseIds() {
  return {{kWorkingFolder,
           {{"description",
             {{"text", "The folder in which lanediff was started."}}}}},
          {kReportFolder,
           {{"description",
             {{"text", "The folder that holds the report of the audit."}}}}}};
}

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

/// `path` as a relative URI, or a file URI if it is absolute.
std::string UriOf(std::string_view path) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
  std::string uri = path.starts_with('/') ? "file://" : "";
  for (char c : path) {
    if (kPlain.find(c) != std::string_view::npos) {
      uri += c;
    } else {
      uri += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return uri;
}

}  // namespace

std::string_view LevelOf(std::string_view rule) {
  const isa::Rule* const known = isa::FindRule(rule);
  const bool noted = known != nullptr && known->effect == isa::Effect::kNote;
  return noted ? "warning" : "error";
}

OrderedJson ResultNode(std::string_view rule, std::size_t rule_index,
                       std::string_view level, std::string_view message) {
  return {{"ruleId", rule},
          {"ruleIndex", rule_index},
          {"level", level},
          {"message", {{"text", Plain(message)}}}};
}

OrderedJson Location(const std::string& path, std::string_view base,
                     std::size_t line) {
  OrderedJson artifact = {{"uri", UriOf(path)}};
  if (!path.starts_with('/')) artifact["uriBaseId"] = base;
  return {{"physicalLocation",
           {{"artifactLocation", std::move(artifact)},
            {"region", {{"startLine", line}}}}}};
}

OrderedJson LogicalLocation(std::string_view full_name, std::string_view kind) {
  return {{"name", full_name.substr(full_name.rfind('/') + 1)},
          {"fullyQualifiedName", full_name},
          {"kind", kind}};
}

void Accept(std::string_view reason, OrderedJson& result) {
  if (reason.empty()) return;
  result["suppressions"] =
      OrderedJson::array({{{"kind", "external"}, {"justification", reason}}});
}

void AddNotification(std::string_view message, OrderedJson& all) {
  all.push_back({{"level", "error"}, {"message", {{"text", Plain(message)}}}});
}

void AddNotification(std::string_view message, OrderedJson location,
                     OrderedJson& all) {
  AddNotification(message, all);
  all.back()["locations"] = OrderedJson::array({std::move(location)});
}

OrderedJson RuleDescriptor(const isa::Rule& rule) {
  OrderedJson json = {
      {"id", rule.id.text()},
      {"shortDescription", {{"text", rule.statement}}},
      {"fullDescription", {{"text", FullText(rule)}}},
      {"help", {{"text", HelpText(rule)}}},
      {"defaultConfiguration", {{"level", LevelOf(rule.id.text())}}}};
  OrderedJson& properties = json["properties"];
  properties = {{"instruction", rule.instruction},
                {"effect", isa::Name(rule.effect)},
                {"evidenceLevel", isa::Name(isa::EvidenceOf(rule))}};
  properties["provenance"] = OrderedJson::array();
  for (const isa::Source& source : rule.sources) {
    const std::string_view name = isa::Name(source.provenance());
    auto& known = properties["provenance"];
    if (std::ranges::find(known, OrderedJson(name)) == known.end()) {
      known.push_back(name);
    }
  }
  return json;
}

std::string LogText(const Log& log, OrderedJson rules, OrderedJson results,
                    OrderedJson notifications, OrderedJson properties) {
  const bool worked =
      log.complete && (log.exit_status == 0 || log.exit_status == 1);
  OrderedJson invocation = {{"executionSuccessful", worked},
                            {"exitCode", log.exit_status},
                            {"exitCodeDescription", log.exit_text}};
  if (!notifications.empty()) {
    invocation["toolExecutionNotifications"] = std::move(notifications);
  }
  OrderedJson run = {{"tool",
                      {{"driver",
                        {{"name", "lanediff"},
                         {"version", LANEDIFF_VERSION},
                         {"semanticVersion", LANEDIFF_VERSION},
                         {"rules", std::move(rules)}}}}},
                     {"automationDetails", {{"id", log.category}}}};
  run["invocations"] = OrderedJson::array({std::move(invocation)});
  run["originalUriBaseIds"] = BaseIds();
  run["results"] = std::move(results);
  run["properties"] = std::move(properties);
  OrderedJson document = {{"$schema",
                           "https://docs.oasis-open.org/sarif/sarif/v2.1.0/"
                           "errata01/os/schemas/sarif-schema-2.1.0.json"},
                          {"version", "2.1.0"}};
  document["runs"] = OrderedJson::array({std::move(run)});
  return LayOut(document);
}

}  // namespace lanediff::reports::sarif
