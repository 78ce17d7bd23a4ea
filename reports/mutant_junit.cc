#include <fmt/format.h>

#include "reports/junit_nodes.h"
#include "reports/mutant_record.h"

namespace lanediff::reports {

std::string MutantsJunit(const MutantsRecord& record) {
  JunitDocument document;
  document.AddProperty("vectors", record.vectors);
  if (!record.edition.empty()) document.AddProperty("edition", record.edition);
  JunitSuite suite = document.AddSuite("lanediff.mutants");
  for (const MutantRecord& mutant : record.mutants) {
    pugi::xml_node test =
        suite.AddTest("lanediff.mutants." + mutant.instruction, mutant.name);
    if (mutant.found()) continue;
    std::string text = mutant.defect + '\n';
    for (const CheckerRecord& checker : mutant.checkers) {
      text += fmt::format(
          "{}: {} cases{}{}\n", checker.checker, checker.tried,
          checker.capped ? ", ended by the clock" : "",
          checker.error.empty() ? "" : ", not run: " + checker.error);
    }
    if (mutant.verdict() == MutantVerdict::kNotFound) {
      suite.AddOutcome(test, "failure", "mutant survived", text);
    } else {
      suite.AddOutcome(test, "error", "the hunt was not finished", text);
    }
  }
  return document.Text();
}

}  // namespace lanediff::reports
