#include "reports/sarif_log.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "case/json_layout.h"
#include "diff/signature.h"
#include "reports/sarif_rules.h"

namespace lanediff::reports::sarif {
namespace {

using diff::FindingKind;

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

std::string_view ExitText(int status) {
  constexpr std::string_view kTexts[] = {
      "all agree", "a disagreement was found",
      "wrong usage, a malformed case, nothing compared or not all of it",
      "a target failed"};
  return status >= 0 && status < 4 ? kTexts[status] : "unknown";
}

OrderedJson BaseIds() {
  return {{kWorkingFolder,
           {{"description",
             {{"text", "The folder in which lanediff was started."}}}}},
          {kReportFolder,
           {{"description",
             {{"text", "The folder that holds the report of the audit."}}}}}};
}

}  // namespace

std::string RuleOfSignature(std::string_view text) {
  const auto signature = diff::ParseSignature(text);
  if (!signature) return OwnRuleId(FindingKind::kMemory);
  if (isa::FindRule(signature->what) != nullptr) return signature->what;
  return OwnRuleId(signature->kind);
}

std::string_view LevelOf(std::string_view rule) {
  const isa::Rule* const known = isa::FindRule(rule);
  const bool noted = known != nullptr && known->effect == isa::Effect::kNote;
  return noted ? "warning" : "error";
}

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

OrderedJson Result(std::string_view rule, std::string_view level,
                   std::string_view message) {
  return {{"ruleId", rule},
          {"ruleIndex", RuleIndex(rule)},
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

OrderedJson Notification(std::string_view level, std::string_view message) {
  return {{"level", level}, {"message", {{"text", Plain(message)}}}};
}

std::string Document(const std::string& category, int exit_status,
                     OrderedJson results, OrderedJson notifications,
                     OrderedJson properties, bool complete) {
  const bool worked = complete && (exit_status == 0 || exit_status == 1);
  OrderedJson invocation = {{"executionSuccessful", worked},
                            {"exitCode", exit_status},
                            {"exitCodeDescription", ExitText(exit_status)}};
  if (!notifications.empty()) {
    invocation["toolExecutionNotifications"] = std::move(notifications);
  }
  OrderedJson run = {{"tool",
                      {{"driver",
                        {{"name", "lanediff"},
                         {"version", LANEDIFF_VERSION},
                         {"semanticVersion", LANEDIFF_VERSION},
                         {"rules", RuleDescriptors()}}}}},
                     {"automationDetails", {{"id", category}}}};
  run["invocations"] = OrderedJson::array({std::move(invocation)});
  run["originalUriBaseIds"] = BaseIds();
  run["results"] = std::move(results);
  run["properties"] = std::move(properties);
  OrderedJson document = {
      {"$schema",
       "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"
       "sarif-schema-2.1.0.json"},
      {"version", "2.1.0"}};
  document["runs"] = OrderedJson::array({std::move(run)});
  return LayOut(document);
}

}  // namespace lanediff::reports::sarif
