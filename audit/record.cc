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

}  // namespace lanediff::audit
