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
                           const Outcome& outcome) {
  const MemorySet initial(c);
  MemorySet memory = Overwritten(c, ReadChangedMemory(place, c));
  CopyRanges(UnspecifiedAfter(c, StepsExecuted(c, outcome)), initial, memory);
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

Outcome ReadOutcomeAt(const Cursor& root, const Case& c) {
  ObjectCursor object(root);
  CheckOwner(object, c);
  Outcome outcome;
  outcome.status = ReadStatus(object.Required("outcome"));
  if (outcome.status != Status::kExecuted) {
    const auto last = static_cast<std::int64_t>(c.program.size()) - 1;
    outcome.step =
        static_cast<std::size_t>(object.Required("step").IntegerIn(0, last));
  }
  if (outcome.status == Status::kRejected) {
    if (const auto rules = object.Optional("rules")) {
      outcome.rules = ReadRules(*rules);
    }
  }
  if (const auto notes = object.Optional("notes")) {
    outcome.notes = ReadRules(*notes);
  }
  if (outcome.status == Status::kExecuted) {
    outcome.memory = ReadMemory(object.Required("memory"), c, outcome);
  } else if (const auto memory = object.Optional("memory")) {
    outcome.memory = ReadMemory(*memory, c, outcome);
  }
  if (const auto target = object.Optional("target")) {
    outcome.observed = target->String();
  }
  object.Finish();
  return outcome;
}

}  // namespace

std::expected<Outcome, CaseError> ReadOutcome(std::string_view text,
                                              const Case& c) {
  return ReadDocument(
      text, [&](const Cursor& root) { return ReadOutcomeAt(root, c); },
      kMaxCaseFileBytes);
}

}  // namespace lanediff::diff
