#include <array>
#include <nlohmann/json.hpp>
#include <string>

#include "tools/bench/report.h"

namespace lanediff::bench {
namespace {

using Json = nlohmann::ordered_json;

/// In the order of `Requirement::Figure`.
constexpr std::array kFigures = {"ratio", "rate", "seconds", "beside"};

Json TimingJson(const Timing& timing) {
  return {{"best", timing.best}, {"median", timing.median}};
}

Json RowJson(const Result& result) {
  const Row& row = *result.row;
  Json json = {
      {"name", row.name},
      {"what", row.what},
      {"yardstick", row.yardstick},
      {"figure", kFigures[static_cast<std::size_t>(row.required.figure)]},
      {"unit", row.unit},
      {"asked", row.required.value == 0 ? Json() : Json(row.required.value)},
      {"status", Word(result.status)}};
  if (!result.why.empty()) {
    json["why"] = result.why;
    return json;
  }
  json["value"] = result.figure;
  json["medianValue"] = result.median_figure;
  json["work"] = TimingJson(result.work);
  if (result.yardstick.best > 0) {
    json["yardstickTime"] = TimingJson(result.yardstick);
  }
  return json;
}

}  // namespace

std::string ToJson(const Machine& machine, std::span<const Result> results) {
  Json rows = Json::array();
  for (const Result& result : results) rows.push_back(RowJson(result));
  const Json json = {{"format", "lanediff-bench/1"},
                     {"machine",
                      {{"processor", machine.processor},
                       {"cores", machine.cores},
                       {"caches", machine.caches},
                       {"avx2", machine.avx2},
                       {"compiler", machine.compiler},
                       {"emulator", machine.emulator},
                       {"version", machine.version}}},
                     {"rows", rows}};
  return json.dump(2) + "\n";
}

}  // namespace lanediff::bench
