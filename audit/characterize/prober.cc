#include "audit/characterize/prober.h"

#include <fmt/format.h>

#include "audit/characterize/number.h"

namespace lanediff::character {

std::optional<double> Prober::Probe(std::span<const double> leaves) {
  leaves_.assign(leaves.begin(), leaves.end());
  auto value = ProbeOnce();
  if (value || !unsupported_ || fold_.reduces() || fold_.by_count) return value;
  fold_.by_count = true;
  value = ProbeOnce();
  if (value) return value;
  fold_.by_count = false;
  return value;
}

std::optional<double> Prober::ProbeOnce() {
  ++probes_;
  const Case c = CaseOf(fold_, leaves_);
  const Reply reply = runner_.Run(c);
  unsupported_ = reply.kind == Reply::Kind::kUnsupported;
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
