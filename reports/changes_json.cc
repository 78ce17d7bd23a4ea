#include "reports/changes_json.h"

#include <nlohmann/json.hpp>

namespace lanediff::reports {
namespace {

using Json = nlohmann::ordered_json;

Json FindingsJson(const std::vector<ChangedFinding>& findings, bool gone) {
  Json json = Json::array();
  for (const ChangedFinding& finding : findings) {
    json.push_back({{"id", finding.key.id},
                    {"path", finding.path},
                    {"signature", finding.key.signature},
                    {"message", finding.message}});
    if (gone) json.back()["lookedAt"] = finding.looked_at;
  }
  return json;
}

template <class E>
Json WordJson(const std::optional<E>& word) {
  return word ? Json(isa::Name(*word)) : Json(nullptr);
}

}  // namespace

Json ChangesJson(const RunChanges& changes) {
  return {{"file", changes.file},
          {"target", changes.target},
          {"new", FindingsJson(changes.fresh, false)},
          {"gone", FindingsJson(changes.gone, true)},
          {"updated", FindingsJson(changes.updated, false)},
          {"unchanged", changes.unchanged}};
}

Json ChangesJson(const AuditChanges& changes) {
  Json json = {{"file", changes.file}, {"target", changes.target}};
  json["cells"] = Json::array();
  for (const ChangedCell& cell : changes.cells) {
    json["cells"].push_back({{"rule", cell.rule},
                             {"product", isa::Name(cell.product)},
                             {"before", WordJson(cell.before)},
                             {"now", WordJson(cell.now)}});
  }
  json["disagreements"] = Json::array();
  for (const ChangedReading& reading : changes.readings) {
    json["disagreements"].push_back({{"id", reading.id},
                                     {"before", WordJson(reading.before)},
                                     {"now", WordJson(reading.now)}});
  }
  json["unchanged"] = changes.unchanged;
  return json;
}

Json ChangesJson(const MutantsChanges& changes) {
  return {{"file", changes.file},         {"found", changes.found},
          {"survived", changes.survived}, {"added", changes.added},
          {"gone", changes.gone},         {"unchanged", changes.unchanged}};
}

}  // namespace lanediff::reports
