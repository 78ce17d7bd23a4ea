#pragma once

#include <string>
#include <string_view>

#include "differential/records/exhaust_state.h"
#include "differential/testcase/json_cursor.h"
#include "reports/mutant_record.h"
#include "reports/record.h"
#include "reports/shard.h"
#include "tools/history/part.h"

/// Folds the contents of documents into a part, piece by piece.
namespace lanediff::campaign {

/// Our folders' word for an instruction, as signatures have it, of the
/// documents' word or of itself; any other word as it is.
std::string SlugOf(std::string_view instruction);

/// First word of the signature of a mutant that survived:
/// survived/INSTRUCTION/MUTANT/planted.
inline constexpr std::string_view kSurvived = "survived";
/// What is under test there.
inline constexpr std::string_view kPlantedBugs = "planted bugs";

void FoldCase(const reports::CaseRecord& record, Part& part);
/// What was under test, and how, by a run or an audit.
void FoldScope(ObjectCursor& document, Part& part);
/// All of a run but its cases.
void FoldRun(const Cursor& run, Part& part);
void FoldMutants(const reports::MutantsRecord& record, Part& part);
/// A part of a space that was enumerated.
void FoldState(const make::exhaust::State& state, Part& part);
/// The spaces that a shard of exhaust covers, begun or not.
void FoldSpaces(const reports::ShardRecord& record, Part& part);

/// One space of what exhaust leaves with --json.
void FoldSpace(const Cursor& space, Part& part);

/// One rule of an audit.
void FoldRule(const Cursor& rule, Part& part);
/// All of an audit but its rules.
void FoldAudit(const Cursor& audit, Part& part);

/// A message, as long as it is kept.
std::string Short(const std::string& message);

/// Whether what calls a case by a finding calls it by another one than this:
/// fuzz does, by the first that the case shows.
bool IsOfAnother(const std::string& case_name, const std::string& signature);

/// Adds what one more case shows. Throws a `CaseError` where the signature is
/// none.
void AddSighting(const std::string& signature, Sighting more, Part& part);

}  // namespace lanediff::campaign
