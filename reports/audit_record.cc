#include "reports/audit_record.h"

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

Verdict Worse(Verdict a, Verdict b) {
  // Nothing compared is better than something wrong and worse than anything
  // else.
  constexpr std::array<int, isa::kCount<Verdict>> kBadness = {0, 1, 4, 0,
                                                              4, 2, 3};
  return kBadness[static_cast<std::size_t>(a)] <
                 kBadness[static_cast<std::size_t>(b)]
             ? b
             : a;
}

std::string_view AuditedDisagreement::Source() const {
  for (isa::RuleId used : rules) {
    const isa::Rule* const rule = isa::FindRule(used.text());
    const auto* const found =
        rule == nullptr ? nullptr : isa::FindInstruction(rule->instruction);
    if (found != nullptr) return found->slug;
  }
  return "program";
}

}  // namespace lanediff::audit
