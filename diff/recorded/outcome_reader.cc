#include "diff/recorded/outcome_reader.h"

#include <fmt/format.h>

#include <cstdint>

#include "case/case_reader.h"
#include "case/document_parts.h"
#include "case/json_cursor.h"
#include "diff/memory/changed_memory.h"
#include "diff/memory/memory_set.h"
#include "diff/unspecified.h"

namespace lanediff::diff {
namespace {

using Status = Outcome::Status;

Status ReadStatus(const Cursor& place) {
  if (place.String() == "executed") return Status::kExecuted;
  if (place.String() == "rejected") return Status::kRejected;
  if (place.String() == "unsupported") return Status::kUnsupported;
  place.Fail(
      fmt::format("found \"{}\"; executed, rejected or unsupported is allowed",
                  Quote(place.String())));
}

/// Whatever the document lists, as the maximal ranges that changed.
RegionsByMemory ReadMemory(const Cursor& place, const Case& c,
                           const RecordedOutcome& recorded) {
  const MemorySet initial(c);
  MemorySet memory = Overwritten(c, ReadChangedMemory(place, c));
  CopyRanges(
      UnspecifiedAfter(c, StepsExecuted(c, recorded.status, recorded.step)),
      initial, memory);
  return ChangedRanges(initial, memory);
}

/// Whose outcome it is, before anything else is said about it.
void CheckOwner(ObjectCursor& object, const Case& c) {
  if (const auto format = object.Optional("format")) {
    format->Fail(
        "an outcome document has no such field, a case has; the folder of the "
        "outcomes is allowed, not that of the cases");
  }
  const auto owner = object.Optional("case");
  if (owner && owner->String() != c.id) {
    owner->Fail(
        fmt::format("found \"{}\"; \"{}\" is allowed, the id of the "
                    "case that looks for it",
                    Quote(owner->String()), Quote(c.id)));
  }
}

RecordedOutcome ReadDocument(const Cursor& root, const Case& c) {
  ObjectCursor object(root);
  CheckOwner(object, c);
  RecordedOutcome recorded;
  recorded.status = ReadStatus(object.Required("outcome"));
  if (recorded.status != Status::kExecuted) {
    const auto last = static_cast<std::int64_t>(c.program.size()) - 1;
    recorded.step =
        static_cast<std::size_t>(object.Required("step").IntegerIn(0, last));
  }
  if (recorded.status == Status::kRejected) {
    if (const auto rules = object.Optional("rules")) {
      recorded.rules = ReadRules(*rules);
    }
  }
  if (const auto notes = object.Optional("notes")) {
    recorded.notes = ReadRules(*notes);
  }
  if (recorded.status == Status::kExecuted) {
    recorded.memory = ReadMemory(object.Required("memory"), c, recorded);
  } else if (const auto memory = object.Optional("memory")) {
    recorded.memory = ReadMemory(*memory, c, recorded);
  }
  if (const auto target = object.Optional("target")) {
    recorded.observed = target->String();
  }
  object.Finish();
  return recorded;
}

}  // namespace

std::expected<RecordedOutcome, CaseError> ReadOutcome(std::string_view text,
                                                      const Case& c) {
  if (text.size() > kMaxCaseFileBytes) {
    return std::unexpected(
        CaseError{"", fmt::format("{} bytes; at most {} are allowed",
                                  text.size(), kMaxCaseFileBytes)});
  }
  const auto json = ParseJson(text);
  if (!json) return std::unexpected(json.error());
  try {
    return ReadDocument(Cursor(*json), c);
  } catch (const CaseError& error) {
    return std::unexpected(error);
  }
}

}  // namespace lanediff::diff
