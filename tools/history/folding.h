#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "differential/testcase/json_cursor.h"
#include "differential/testcase/record_json.h"
#include "reports/record.h"
#include "tools/history/part.h"

/// Folds the contents of documents into a part, piece by piece. What does not
/// fit is thrown as a `CaseError`.
namespace lanediff::campaign {

/// A record at `place`, whatever else a newer version may have put there.
template <class T>
T Read(const Cursor& place) {
  return ReadRecord<T>(place, UnknownFields::kNotLookedAt);
}

/// Adds to a count; above 2^53 it is refused.
void Add(std::uint64_t& sum, std::uint64_t more);

/// Our folders' word for an instruction, as signatures have it, of the
/// documents' word or of itself; any other word as it is.
std::string SlugOf(std::string_view instruction);

/// The figures of kind "compared" of an instruction.
std::map<std::string, std::uint64_t>& ComparedOf(Part& part,
                                                 const std::string& slug);

/// Adds what one more case shows.
void AddSighting(const std::string& signature, Sighting more, Part& part);

/// Keeps editions in the scope but for the newest alone.
void SetEdition(std::string_view edition, Part& part);

/// What a case is called: its id, with the edition of the documents by which it
/// was judged; empty: the newest.
std::string CaseName(const std::string& id, std::string_view edition);

/// One case of a run.
void FoldCase(const reports::CaseRecord& record, Part& part);
/// One rule of an audit.
void FoldRule(const Cursor& rule, Part& part);

// The rest of a document.
void FoldRun(const Cursor& run, Part& part);
void FoldShard(const Cursor& shard, Part& part);
void FoldMutants(const Cursor& mutants, Part& part);
void FoldAudit(const Cursor& audit, Part& part);
void FoldExhaust(const Cursor& exhaust, Part& part);

}  // namespace lanediff::campaign
