#pragma once

#include <expected>
#include <string>
#include <vector>

#include "reports/night.h"

/// How much a stage of a night compared, read from what it left. The error is
/// one line: the place, what was found, what is allowed.
namespace lanediff::reports {

using Figures = std::expected<std::vector<NightFigure>, std::string>;

/// Of what check, sweep and fuzz leave with --json. A run's functional
/// coverage, its rates and its findings by signature, without their stage, go
/// to `night`.
Figures RunFigures(const std::string& file, NightRecord& night);
/// Of what generate leaves with --json; its rates go to `night`.
Figures GenerateFigures(const std::string& file, NightRecord& night);
/// Of what exhaust leaves with --json.
Figures ExhaustFigures(const std::string& file, NightRecord& night);
/// Of what mutants leaves with --json.
Figures MutantFigures(const std::string& file, NightRecord& night);
/// Of an audit.json; its findings by signature go to `night`.
Figures AuditFigures(const std::string& file, NightRecord& night);
/// Of the table that tools/scripts/hunt-patches prints.
Figures PatchFigures(const std::string& file, NightRecord& night);

}  // namespace lanediff::reports
