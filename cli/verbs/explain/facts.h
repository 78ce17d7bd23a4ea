#pragma once

#include "view/facts.h"

namespace lanediff::cli::explain {

using view::History;
using view::StepFacts;

}  // namespace lanediff::cli::explain
