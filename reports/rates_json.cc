#include "reports/rates_json.h"

#include <nlohmann/json.hpp>

namespace lanediff::reports {

nlohmann::ordered_json RatesJson(std::span<const RateLine> lines) {
  auto json = nlohmann::ordered_json::array();
  for (const RateLine& line : lines) {
    json.push_back({{"instruction", line.instruction},
                    {"build", line.build},
                    {"kind", line.kind},
                    {"cases", line.cases},
                    {"perSecond", line.per_second},
                    {"oracle", line.oracle},
                    {"target", line.target},
                    {"harness", line.harness},
                    {"fuzzer", line.fuzzer}});
  }
  return json;
}

}  // namespace lanediff::reports
