#pragma once

#include <expected>
#include <string>
#include <vector>

#include "reports/nightly.h"

/// The figures of a stage, read from its results. The error is
/// one line: the place, what was found, what is allowed.
namespace lanediff::reports {

using Figures = std::expected<std::vector<NightlyFigure>, std::string>;

/// Of what check, sweep and fuzz leave with --json. A run's functional
/// coverage, its rates and its findings by signature, without their stage, go
/// to `nightly`.
Figures RunFigures(const std::string& file, NightlyRecord& nightly);
/// Of what generate leaves with --json; its rates go to `nightly`.
Figures GenerateFigures(const std::string& file, NightlyRecord& nightly);
/// Of what exhaust leaves with --json.
Figures ExhaustFigures(const std::string& file, NightlyRecord& nightly);
/// Of what mutants leaves with --json.
Figures MutantFigures(const std::string& file, NightlyRecord& nightly);
/// Of an audit.json; its findings by signature go to `nightly`.
Figures AuditFigures(const std::string& file, NightlyRecord& nightly);
/// Of the table that tools/scripts/mutation-test prints.
Figures PatchFigures(const std::string& file, NightlyRecord& nightly);

}  // namespace lanediff::reports
