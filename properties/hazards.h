#pragma once

#include <string>

#include "case/case.h"
#include "lint/hazard.h"
#include "oracle/hazards.h"

/// The oracle's hazards, byte by byte, in the words of lint.
namespace lanediff::properties {

/// What the oracle is asked of `c`, whose memories are whole.
oracle::HazardQuestion QuestionOf(const Case& c);

/// What lint must say of `c`, but for what it counts: every byte's hazards
/// gathered as the documents say. `c` is small (oracle/hazards.h).
lint::Verdict LiteralVerdict(const Case& c);
lint::Verdict LiteralVerdict(const Case& c, const oracle::HazardAnswer& answer);

/// SYNC-RAW, -WAR or -WAW.
bool IsRace(const lint::Hazard& hazard);

/// A line for each hazard and rejection, with all that belongs to it.
std::string TextOf(const lint::Verdict& verdict);

/// How the two differ, line by line; nothing if they don't. Counts and the
/// order of rules that a step breaks are left out.
std::string Difference(const lint::Verdict& literal,
                       const lint::Verdict& found);

/// The program, a line a step with what matters for its order.
std::string TextOf(const Case& c);

}  // namespace lanediff::properties
