#include "differential/testcase/record_json.h"
#include "reports/lint.h"

namespace lanediff::reports {
namespace {

DiagnosedStep Diagnosed(const LintedCase& linted,
                        const lint::RejectedStep& rejected) {
  DiagnosedStep step = {rejected, {}, {}};
  const lint::Diagnosis* const diagnosis = DiagnosisOf(linted, rejected.step);
  if (diagnosis == nullptr) return step;
  step.witness = diagnosis->witnesses;
  if (diagnosis->repair || diagnosis->looked_for_repair) {
    step.repair.emplace(diagnosis->repair);
  }
  return step;
}

}  // namespace

std::vector<RepairedHazard> LintedCase::Hazards() const {
  std::vector<RepairedHazard> hazards;
  for (const lint::Hazard& hazard : verdict.hazards) {
    hazards.push_back({hazard, {}});
  }
  for (const auto& [number, repair] : hazard_repairs) {
    hazards[number].repair.emplace(repair);
  }
  return hazards;
}

std::optional<DiagnosedStep> LintedCase::Rejected() const {
  if (!verdict.rejected) return std::nullopt;
  return Diagnosed(*this, *verdict.rejected);
}

std::optional<LintedRest> LintedCase::Rest() const {
  if (!verdict.after) return std::nullopt;
  LintedRest rest = {verdict.after->hazards, {}, verdict.after->at_end};
  for (const lint::RejectedStep& step : verdict.after->rejected) {
    rest.rejected.push_back(Diagnosed(*this, step));
  }
  return rest;
}

std::vector<LintNote> LintedCase::Notes() const {
  std::vector<LintNote> notes;
  for (const auto& [rule, steps] : verdict.notes)
    notes.push_back({rule, steps});
  return notes;
}

std::string LintJson(const LintRecord& record) { return RecordText(record); }

}  // namespace lanediff::reports
