#include "character/prober.h"

#include <fmt/format.h>

#include "character/number.h"

namespace lanediff::character {

std::optional<double> Prober::Ask(std::span<const double> leaves) {
  leaves_.assign(leaves.begin(), leaves.end());
  ++probes_;
  const Case c = CaseOf(fold_, leaves);
  const Reply reply = asker_.Ask(c);
  why_ = WhyNoAnswer(reply);
  found_ = why_;
  if (!reply.executed()) return std::nullopt;
  const double value =
      ResultOf(fold_, MemoryAfter(c, reply.outcome, isa::Memory::kUb));
  found_ = NumberText(value);
  return value;
}

Case Prober::Shown() const {
  Case c = CaseOf(fold_, leaves_);
  c.note = fmt::format("Found: {}.", found_);
  return c;
}

}  // namespace lanediff::character
