#include "reports/sarif_log.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "differential/compare/finding.h"
#include "differential/compare/signature.h"
#include "isa/catalogue.h"

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

/// "LANEDIFF-READS-OUTSIDE" and the like, for findings that name no rule.
std::string OwnRuleId(FindingKind kind) {
  std::string id = "LANEDIFF-";
  for (char c : isa::Name(kind)) {
    id += 'a' <= c && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  }
  return id;
}

/// One of lanediff's own.
struct OwnRule {
  std::string id;
  std::string_view text;
  std::string_view help;
  std::string_view level;
};

std::vector<OwnRule> OwnRules() {
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
  static_assert(std::size(kTexts) == isa::kCount<FindingKind>);
  constexpr std::string_view kExplain =
      "\"lanediff explain CASE\" shows what was expected beside what came out, "
      "with the rules and their documents.";
  std::vector<OwnRule> rules;
  for (std::size_t i = 0; i < std::size(kTexts); ++i) {
    rules.push_back(
        {OwnRuleId(static_cast<FindingKind>(i)), kTexts[i], kExplain, "error"});
  }
  rules.push_back({std::string(kDisagreementRule),
                   "The documents disagree, with themselves or each other.",
                   "The audit shows both readings, the chosen one, and the "
                   "case that separates them.",
                   "note"});
  rules.push_back(
      {std::string(kKnownIssueRule),
       "A known issue has expired, or did not occur.",
       "Correct the defect, remove the entry, or give it a later day.",
       "error"});
  return rules;
}

/// Where `rule`, which must be one of them, stands in the list: the catalogue,
/// then lanediff's own.
std::size_t RuleIndex(std::string_view rule) {
  const auto catalogue = isa::Catalogue();
  if (const isa::Rule* const known = isa::FindRule(rule)) {
    return static_cast<std::size_t>(known - catalogue.data());
  }
  const auto own = OwnRules();
  const auto place = std::ranges::find(own, rule, &OwnRule::id);
  return catalogue.size() + static_cast<std::size_t>(place - own.begin());
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
  OrderedJson rules = OrderedJson::array();
  for (const isa::Rule& rule : isa::Catalogue()) {
    rules.push_back(RuleDescriptor(rule));
  }
  for (const OwnRule& rule : OwnRules()) {
    rules.push_back({{"id", rule.id},
                     {"shortDescription", {{"text", rule.text}}},
                     {"fullDescription", {{"text", rule.text}}},
                     {"help", {{"text", rule.help}}},
                     {"defaultConfiguration", {{"level", rule.level}}}});
  }
  return LogText({category, exit_status, ExitText(exit_status), complete},
                 std::move(rules), std::move(results), std::move(notifications),
                 std::move(properties));
}

}  // namespace lanediff::reports::sarif
