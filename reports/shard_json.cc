#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "case/json_layout.h"
#include "reports/printers.h"
#include "reports/shard.h"

namespace lanediff::reports {
namespace {

using Json = nlohmann::ordered_json;

Json IssuesJson(const std::vector<diff::KnownIssue>& issues) {
  Json json = Json::array();
  for (const diff::KnownIssue& issue : issues) {
    json.push_back({{"signature", issue.signature},
                    {"reason", issue.reason},
                    {"link", issue.link},
                    {"expires", issue.expires},
                    {"file", issue.file}});
  }
  return json;
}

/// What a run's own document does not tell of its cases.
Json PlacesJson(const std::vector<CaseRecord>& cases) {
  Json json = Json::array();
  for (const CaseRecord& record : cases) {
    Json place = {{"number", record.number}};
    if (!record.room.empty()) place["room"] = record.room;
    if (!record.what.empty()) place["what"] = record.what;
    if (record.unrecorded) place["unrecorded"] = true;
    place["reproduce"] = record.reproduce;
    json.push_back(std::move(place));
  }
  return json;
}

Json PaceJson(const diff::PacePart& part) {
  return {{"cases", part.cases},
          {"seconds", part.seconds},
          {"referenceSeconds", part.reference_seconds},
          {"targetSeconds", part.target_seconds}};
}

/// Likewise of its fuzz programs, of which it tells rates only.
Json PacesJson(const std::vector<FuzzerRecord>& fuzzers) {
  Json json = Json::array();
  for (const FuzzerRecord& fuzzer : fuzzers) {
    json.push_back({{"build", fuzzer.build},
                    {"legal", PaceJson(fuzzer.pace.legal)},
                    {"illegal", PaceJson(fuzzer.pace.illegal)}});
  }
  return json;
}

Json AuditJson(const audit::CrewResult& crew) {
  return {{"crashed", crew.crashed},
          {"hung", crew.hung},
          {"stopped", crew.stopped},
          {"tally", Json::from_cbor(crew.tally.Serialized())}};
}

}  // namespace

std::string ShardRecord::FileName() const {
  return fmt::format("{}.{}-of-{}.json", verb, shard.index, shard.count);
}

bool IsShardFileName(std::string_view name, std::string_view verb) {
  const auto number = [&] {
    const auto digits =
        std::min(name.find_first_not_of("0123456789"), name.size());
    name.remove_prefix(digits);
    return digits > 0;
  };
  const auto word = [&](std::string_view text) {
    if (!name.starts_with(text)) return false;
    name.remove_prefix(text.size());
    return true;
  };
  const auto dot = name.find('.');
  if (dot == 0 || dot == std::string_view::npos) return false;
  if (!verb.empty() && name.substr(0, dot) != verb) return false;
  name.remove_prefix(dot);
  return word(".") && number() && word("-of-") && number() && name == ".json";
}

std::string ShardJson(const ShardRecord& record) {
  Json json = {
      {"format", "lanediff-shard/1"},
      {"program", record.program},
      {"verb", record.verb},
      {"shard", {{"index", record.shard.index}, {"count", record.shard.count}}},
      {"complete", record.complete},
      {"day", record.day}};
  json["options"] = Json::object();
  for (const auto& [name, value] : record.options)
    json["options"][name] = value;
  json["out"] = record.out;
  json["knownIssues"] = IssuesJson(record.known_issues);
  json["occurred"] = record.occurred;
  if (record.run) {
    json["run"] = Json::parse(RunJson(*record.run));
    json["places"] = PlacesJson(record.run->cases);
    json["paces"] = PacesJson(record.run->fuzzers);
  }
  if (record.mutants)
    json["mutants"] = Json::parse(MutantsJson(*record.mutants));
  if (!record.states.empty()) {
    for (const auto& state : record.states) {
      json["states"].push_back(Json::parse(make::exhaust::StateText(state)));
    }
  }
  if (record.audit) json["audit"] = AuditJson(*record.audit);
  return LayOut(json);
}

}  // namespace lanediff::reports
