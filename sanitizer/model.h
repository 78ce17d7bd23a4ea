#pragma once

#include "differential/records/hazard.h"
#include "differential/testcase/case.h"
#include "oracle/hazards.h"

/// The oracle's hazards, byte by byte, in the words of lint.
namespace lanediff::lint {

/// The question to the oracle about `c`, whose memories are whole.
oracle::HazardQuestion QuestionOf(const Case& c);

/// What lint must report of `c`, but for what it counts: every byte's hazards
/// gathered as the documents state. `c` is small (oracle/hazards.h).
Verdict LiteralVerdict(const Case& c);
Verdict LiteralVerdict(const Case& c, const oracle::HazardAnswer& answer);

/// SYNC-RAW, -WAR or -WAW.
bool IsRace(const Hazard& hazard);

}  // namespace lanediff::lint
