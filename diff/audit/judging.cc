#include "diff/audit/judging.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "diff/audit/child.h"
#include "diff/audit/disagreements.h"

namespace lanediff::diff::audit {
namespace {

/// A case of a few steps; the crew allows a case as much.
constexpr double kHangSeconds = 10;

bool IsAskedFor(const Disagreement& entry, const AuditOptions& options,
                std::string_view op) {
  const std::vector<Case> cases = CasesOf(entry);
  if (options.product && !cases.empty() &&
      cases.front().product != *options.product) {
    return false;
  }
  return op.empty() || std::ranges::any_of(entry.rules, [&](isa::RuleId id) {
           const isa::Rule* const rule = isa::FindRule(id.text());
           return rule->instruction == op;
         });
}

/// What the child says of the target: `follows` and the message.
std::vector<std::uint8_t> Packed(const AuditedDisagreement& judged) {
  const std::string text = static_cast<char>(judged.follows) + judged.message;
  return {text.begin(), text.end()};
}

AuditedDisagreement JudgeApart(const Disagreement& entry,
                               const Target& target) {
  const auto bytes = RunApart(
      [&](Beacon&) { return Packed(Judge(entry, target)); }, kHangSeconds);
  AuditedDisagreement judged = Described(entry);
  if (!bytes || bytes->empty()) {
    judged.message = "the target ended or hung in this case";
    return judged;
  }
  judged.follows = static_cast<Follows>(bytes->front());
  judged.message.assign(bytes->begin() + 1, bytes->end());
  return judged;
}

}  // namespace

void AddDisagreements(const Target& target, const AuditOptions& options,
                      std::string_view op, Audit& audit) {
  for (const Disagreement& entry : Disagreements()) {
    if (!IsAskedFor(entry, options, op)) continue;
    AuditedDisagreement judged = JudgeApart(entry, target);
    if (!judged.file.empty()) {
      if (!options.target_word.empty()) {
        judged.reproduce += " --target " + options.target_word;
      }
      audit.files.emplace(judged.file, CasesOf(entry).front());
    }
    audit.record.disagreements.push_back(std::move(judged));
  }
}

}  // namespace lanediff::diff::audit
