#pragma once

#include <nlohmann/json_fwd.hpp>

#include "reports/trace/case_view.h"

namespace lanediff::reports {

/// The names of a node's members, in the order of its list.
nlohmann::ordered_json NodeColumns();

/// A step of a case's page (reports/case_view_json.h).
nlohmann::ordered_json StepViewJson(const view::StepView& step);

}  // namespace lanediff::reports
