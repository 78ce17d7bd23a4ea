#include <nlohmann/json.hpp>

#include "reports/html.h"
#include "reports/lint.h"

namespace lanediff::reports {

std::string LintHtml(const LintRecord& record) {
  const std::string title = "lanediff lint";
  const nlohmann::ordered_json data = {
      {"format", "lanediff-report/1"},
      {"title", title},
      {"verb", "lint"},
      {"lint", nlohmann::ordered_json::parse(LintJson(record))}};
  return HtmlPage(title, data.dump(-1, ' ', false,
                                   nlohmann::json::error_handler_t::replace));
}

}  // namespace lanediff::reports
