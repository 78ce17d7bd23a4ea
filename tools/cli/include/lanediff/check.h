#pragma once

#include "differential/compare/check.h"
#include "tools/cli/program.h"

/// Comparing: one case, or a verb as on the command line.
namespace lanediff {

using cli::RunProgram;
using cli::RunVerb;
using diff::CheckCase;
using diff::Comparison;
using diff::Finding;

}  // namespace lanediff
