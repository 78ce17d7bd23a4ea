#include "audit/record.h"

namespace lanediff::audit {

std::array<std::size_t, isa::kCount<Verdict>> AuditRecord::Cells() const {
  std::array<std::size_t, isa::kCount<Verdict>> sums{};
  for (const AuditedRule& rule : rules) {
    for (const Cell& cell : rule.cells) {
      ++sums[static_cast<std::size_t>(cell.verdict)];
    }
  }
  return sums;
}

std::string_view AuditedDisagreement::Source() const {
  for (isa::RuleId used : rules) {
    const isa::Rule* const rule = isa::FindRule(used.text());
    const auto* const found =
        rule == nullptr ? nullptr : isa::FindInstruction(rule->instruction);
    if (found != nullptr) return found->room;
  }
  return "program";
}

}  // namespace lanediff::audit
