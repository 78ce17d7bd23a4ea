#include "tools/cli/rejection.h"

#include <fmt/format.h>

#include "isa/step.h"
#include "sanitizer/diagnostics.h"

namespace lanediff::cli {

std::vector<std::string> WitnessLines(const Case& c, std::size_t step,
                                      const std::vector<isa::RuleId>& rules) {
  isa::RuleSet set;
  for (const isa::RuleId rule : rules) set.Add(rule);
  std::vector<std::string> lines;
  for (const lint::Witness& witness :
       lint::DiagnoseRejected(c, step, set, false).witnesses) {
    lines.push_back(fmt::format("step {} {}, {}: {}", step,
                                isa::OpName(c.program[step]),
                                witness.rule.text(), witness.text()));
  }
  return lines;
}

void AddWitnesses(const Case& c, view::CaseView& view) {
  for (view::StepView& step : view.steps) {
    if (step.result.status != isa::StepResult::Status::kRejected) continue;
    const lint::Diagnosis diagnosis =
        lint::DiagnoseRejected(c, step.index, step.result.rules, true);
    for (view::RuleUse& use : step.rules) {
      if (use.verdict != view::RuleVerdict::kBroken) continue;
      for (const lint::Witness& witness : diagnosis.witnesses) {
        if (witness.rule == use.rule->id)
          use.witnesses.push_back(witness.text());
      }
    }
    if (diagnosis.repair) step.repair = diagnosis.repair->text;
  }
}

}  // namespace lanediff::cli
