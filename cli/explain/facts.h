#pragma once

#include "view/facts.h"

namespace lanediff::cli::explain {

using diff::view::History;
using diff::view::StepFacts;

}  // namespace lanediff::cli::explain
