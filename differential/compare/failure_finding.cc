#include "differential/compare/failure_finding.h"

#include <fmt/format.h>

#include "differential/compare/signature.h"
#include "differential/targets/the_oracle.h"

namespace lanediff::diff {
namespace {

FindingKind KindOf(NoOutcome::Kind kind) {
  switch (kind) {
    case NoOutcome::Kind::kTimeout:
      return FindingKind::kTimeout;
    case NoOutcome::Kind::kProtocol:
      return FindingKind::kProtocol;
    case NoOutcome::Kind::kState:
      return FindingKind::kState;
    default:
      return FindingKind::kCrash;
  }
}

}  // namespace

Finding FailureFinding(const Case& c, std::string_view side,
                       std::string_view reference,
                       std::optional<std::size_t> step, const NoOutcome& none) {
  Finding finding;
  finding.kind = KindOf(none.kind);
  finding.side = side;
  finding.reference = reference;
  finding.step = step.value_or(0);
  finding.op = isa::OpName(c.program[finding.step]);
  finding.message =
      step ? fmt::format("step {} {}: {}", *step, finding.op, none.why)
           : none.why;
  finding.error_tail = none.error_tail;
  if (const auto documented = TheOracle().Run(c);
      documented && documented->rejected() &&
      (!step || documented->step == *step)) {
    finding.expected_rules = documented->RulesOrNone();
  }
  finding.signature = SignatureOf(c, finding).Text();
  return finding;
}

}  // namespace lanediff::diff
