#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "differential/testcase/json_layout.h"
#include "differential/testcase/record_json.h"
#include "reports/html.h"
#include "reports/nightly.h"

namespace lanediff::reports {
using OrderedJson = nlohmann::ordered_json;

std::string NightlyHtml(const NightlyRecord& record) {
  const std::string title = record.date.empty()
                                ? "lanediff nightly"
                                : "lanediff nightly, " + record.date;
  const OrderedJson data = {{"format", "lanediff-report/1"},
                            {"title", title},
                            {"verb", "index"},
                            {"nightly", ToOrdered(RecordJson(record))}};
  return HtmlPage(title, data.dump(1, ' ', false,
                                   nlohmann::json::error_handler_t::replace));
}

}  // namespace lanediff::reports
