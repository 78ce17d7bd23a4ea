#pragma once

#include "cli/program.h"
#include "diff/check.h"

/// Comparing: one case, or a verb as on the command line.
namespace lanediff {

using cli::RunProgram;
using cli::RunVerb;
using diff::CheckCase;
using diff::Comparison;
using diff::Finding;

}  // namespace lanediff
