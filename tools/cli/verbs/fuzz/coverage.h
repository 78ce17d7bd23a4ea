#pragma once

#include <set>
#include <string>
#include <vector>

#include "generators/guided/holes.h"
#include "reports/record.h"
#include "tools/cli/verbs/fuzz/setup.h"

namespace lanediff::cli {

/// The functional coverage of `instructions`, as far as they have bins, by the
/// names of those that were `reached`; empty where there are none. Each hole
/// comes with a case that fills it or the reason why none can, if a search of
/// some seconds finds one.
std::vector<reports::CoverageRecord> CoverageOf(
    const FuzzOptions& options, const std::vector<std::string>& instructions,
    const std::set<std::string>& reached);

/// The cases of `corpus` that can be read, by `edition`; empty: by their own.
std::vector<make::coverage::Fillers::Known> KnownCases(
    const std::string& corpus, const std::string& edition);

}  // namespace lanediff::cli
