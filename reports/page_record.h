#pragma once

#include <optional>
#include <string>

#include "differential/testcase/record.h"
#include "reports/reasons.h"

namespace lanediff::reports {

/// The data of a page. What it draws, the other JSON printers write behind the
/// first five members, which are the head of every page.
struct PageRecord {
  Reasons reasons;
  std::string title;
  std::string verb;
  std::optional<JsonText> drawn = {};

  static void Fields(auto& p, auto& v) {
    v.Document("page");
    CompleteFields(v, p.reasons);
    v.Required("title", p.title);
    v.Required("verb", p.verb);
    v.Optional("audit", p.drawn);
    v.Optional("comparison", p.drawn);
    v.Optional("campaign", p.drawn);
    v.Optional("cases", p.drawn, {.description = "views by the case's id"});
    v.Optional("parts", p.drawn,
               {.description = "files with rules and cases, by id"});
  }
};

}  // namespace lanediff::reports
