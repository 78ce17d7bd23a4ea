#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>

#include "reports/rates.h"

namespace lanediff::reports {

/// The lines as an array, for documents and pages.
nlohmann::ordered_json RatesJson(std::span<const RateLine> lines);

}  // namespace lanediff::reports
