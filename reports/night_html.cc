#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "reports/html.h"
#include "reports/night.h"
#include "reports/rates_json.h"

namespace lanediff::reports {
namespace {

using Json = nlohmann::ordered_json;

Json StageJson(const NightStage& stage) {
  Json json = {{"name", stage.name}, {"does", stage.does}};
  json["status"] = stage.status ? Json(*stage.status) : Json(nullptr);
  json["unfinished"] = stage.unfinished;
  json["seconds"] = stage.seconds;
  json["problem"] = stage.problem;
  json["figures"] = Json::array();
  for (const NightFigure& figure : stage.figures) {
    json["figures"].push_back(
        {{"what", figure.what}, {"number", figure.number}});
  }
  json["links"] = Json::array();
  for (const NightLink& link : stage.links) {
    json["links"].push_back({{"text", link.text}, {"file", link.file}});
  }
  return json;
}

}  // namespace

std::string NightHtml(const NightRecord& record) {
  const std::string title = record.date.empty()
                                ? "lanediff nightly"
                                : "lanediff nightly, " + record.date;
  Json night = {{"date", record.date}, {"commit", record.commit}};
  night["stages"] = Json::array();
  for (const NightStage& stage : record.stages) {
    night["stages"].push_back(StageJson(stage));
  }
  night["coverage"] = Json::array();
  for (const NightRoom& room : record.coverage) {
    night["coverage"].push_back({{"room", room.room},
                                 {"bins", room.bins},
                                 {"reached", room.reached},
                                 {"open", room.open}});
  }
  night["rates"] = RatesJson(record.rates);
  night["findings"] = record.findings;
  const Json data = {{"format", "lanediff-report/1"},
                     {"title", title},
                     {"verb", "index"},
                     {"night", night}};
  return HtmlPage(title, data.dump(1, ' ', false,
                                   nlohmann::json::error_handler_t::replace));
}

}  // namespace lanediff::reports
