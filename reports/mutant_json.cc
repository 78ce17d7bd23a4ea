#include <nlohmann/json.hpp>

#include "case/json_layout.h"
#include "reports/changes_json.h"
#include "reports/mutant_record.h"

namespace lanediff::reports {
namespace {

using Json = nlohmann::ordered_json;

Json CheckerJson(const CheckerRecord& checker) {
  Json json = {{"checker", checker.checker},
               {"tried", checker.tried},
               {"capped", checker.capped},
               {"leftOut", checker.left_out}};
  json["foundAfter"] = Json::array();
  for (const auto& count : checker.found_after) {
    json["foundAfter"].push_back(count ? Json(*count) : Json(nullptr));
  }
  if (!checker.error.empty()) json["error"] = checker.error;
  return json;
}

}  // namespace

std::string MutantsJson(const MutantsRecord& record) {
  Json json = {{"format", "lanediff-mutants/1"},
               {"vectors", record.vectors},
               {"seed", record.seed},
               {"seeds", record.seeds},
               {"cases", record.cases},
               {"seconds", record.seconds},
               {"complete", record.complete()},
               {"summary",
                {{"mutants", record.mutants.size()},
                 {"found", record.found()},
                 {"notFound", record.Count(MutantVerdict::kNotFound)},
                 {"notFinished", record.Count(MutantVerdict::kNotFinished)}}}};
  if (const auto ratio = record.GuidedToBaseline()) {
    json["summary"]["guidedToBaseline"] = {{"mean", ratio->mean},
                                           {"worst", ratio->worst},
                                           {"worstMutant", ratio->worst_mutant},
                                           {"mutants", ratio->mutants}};
  }
  json["mutants"] = Json::array();
  for (const MutantRecord& mutant : record.mutants) {
    Json one = {{"name", mutant.name},
                {"instruction", mutant.instruction},
                {"rule", mutant.rule},
                {"defect", mutant.defect},
                {"modelledOn", mutant.modelled_on},
                {"verdict", Name(mutant.verdict())}};
    one["checkers"] = Json::array();
    for (const CheckerRecord& checker : mutant.checkers) {
      one["checkers"].push_back(CheckerJson(checker));
    }
    json["mutants"].push_back(std::move(one));
  }
  if (record.changes) json["changes"] = ChangesJson(*record.changes);
  return LayOut(json);
}

}  // namespace lanediff::reports
