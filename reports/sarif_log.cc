#include "reports/sarif_log.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "differential/compare/signature.h"
#include "reports/sarif_rules.h"

namespace lanediff::reports::sarif {
namespace {

using diff::FindingKind;

std::string_view ExitText(int status) {
  constexpr std::string_view kTexts[] = {
      "all agree", "a disagreement was found",
      "wrong usage, a malformed case, nothing compared or not all of it",
      "a target failed"};
  return status >= 0 && status < 4 ? kTexts[status] : "unknown";
}

}  // namespace

std::string RuleOfSignature(std::string_view text) {
  const auto signature = diff::ParseSignature(text);
  if (!signature) return OwnRuleId(FindingKind::kMemory);
  if (isa::FindRule(signature->what) != nullptr) return signature->what;
  return OwnRuleId(signature->kind);
}

OrderedJson Result(std::string_view rule, std::string_view level,
                   std::string_view message) {
  return ResultNode(rule, RuleIndex(rule), level, message);
}

std::string Document(const std::string& category, int exit_status,
                     OrderedJson results, OrderedJson notifications,
                     OrderedJson properties, bool complete) {
  return LogText({category, exit_status, ExitText(exit_status), complete},
                 RuleDescriptors(), std::move(results),
                 std::move(notifications), std::move(properties));
}

}  // namespace lanediff::reports::sarif
