#pragma once

#include "reports/trace/facts.h"

namespace lanediff::cli::explain {

using view::History;
using view::StepFacts;

}  // namespace lanediff::cli::explain
