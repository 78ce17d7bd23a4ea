#include "differential/targets/recorded/outcome_reader.h"

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "differential/compare/unspecified.h"
#include "differential/memory/changed_memory.h"
#include "differential/memory/memory_set.h"
#include "differential/testcase/case_reader.h"
#include "differential/testcase/document_parts.h"
#include "differential/testcase/json_cursor.h"

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

/// A memory of `size` bytes, all of which are given.
std::vector<Region> ReadWhole(const Cursor& place, std::int64_t size) {
  ObjectCursor object(place);
  const Cursor hex = object.Required("hex");
  if (const auto stated = object.Optional("size"))
    stated->IntegerIn(size, size);
  object.Finish();
  Region region{.at = 0, .dtype = std::nullopt, .bytes = ReadHex(hex)};
  if (region.size() != size) {
    hex.Fail(
        fmt::format("found {} bytes; the {} of the whole memory are "
                    "allowed",
                    region.size(), size));
  }
  std::vector<Region> whole;
  whole.push_back(std::move(region));
  return whole;
}

/// No byte of a memory is given, which may be one that the case lacks.
bool IsEmptyList(const Cursor& place) {
  const auto* const list = place.value().As<JsonArray>();
  return list != nullptr && list->empty();
}

/// Ranges, or whole memories.
RegionsByMemory ReadGivenMemory(const Cursor& place, const Case& c) {
  const auto exists = MemoriesOf(c);
  RegionsByMemory all;
  place.ForEachMember([&](std::string_view name, const Cursor& given) {
    const auto memory = isa::Parse<isa::Memory>(name);
    const auto m = static_cast<std::size_t>(memory.value_or(isa::Memory::kGm));
    if (memory && !exists[m] && IsEmptyList(given)) return;
    if (!memory || !exists[m]) {
      given.Fail(
          "the case has no such memory; those that it was given are "
          "allowed");
    }
    const std::int64_t size = SizeOf(c, *memory);
    all[m] = given.value().As<JsonObject>() != nullptr
                 ? ReadWhole(given, size)
                 : ReadRegions(given, size);
  });
  return all;
}

/// Whatever the document lists, as the maximal ranges that changed.
RegionsByMemory ReadMemory(const Cursor& place, const Case& c,
                           const Outcome& outcome, OutcomeForm form) {
  const MemorySet initial(c);
  MemorySet memory = Overwritten(c, form == OutcomeForm::kDocument
                                        ? ReadChangedMemory(place, c)
                                        : ReadGivenMemory(place, c));
  CopyRanges(UnspecifiedAfter(c, StepsExecuted(c, outcome)), initial, memory);
  return ChangedRanges(initial, memory);
}

/// Whose outcome it is, before anything else is read of it.
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

/// The step with which the program ended.
std::size_t ReadStep(ObjectCursor& object, const Case& c, Status status,
                     OutcomeForm form) {
  const auto last = static_cast<std::int64_t>(c.program.size()) - 1;
  const bool needless =
      form == OutcomeForm::kReply && status == Status::kUnsupported;
  const auto step =
      needless ? object.Optional("step") : object.Required("step");
  return step ? static_cast<std::size_t>(step->IntegerIn(0, last)) : 0;
}

}  // namespace

Outcome ReadOutcomeAt(const Cursor& root, const Case& c, OutcomeForm form) {
  ObjectCursor object(root);
  CheckOwner(object, c);
  Outcome outcome;
  outcome.status = ReadStatus(object.Required("outcome"));
  if (outcome.status != Status::kExecuted) {
    outcome.step = ReadStep(object, c, outcome.status, form);
  }
  if (outcome.status == Status::kRejected) {
    if (const auto rules = object.Optional("rules")) {
      outcome.rules = ReadRules(*rules);
    }
  }
  if (const auto notes = object.Optional("notes")) {
    outcome.notes = ReadRules(*notes);
  }
  const bool executed = outcome.status == Status::kExecuted;
  const auto memory = executed && form == OutcomeForm::kDocument
                          ? object.Required("memory")
                          : object.Optional("memory");
  if (memory) {
    outcome.memory = ReadMemory(*memory, c, outcome, form);
  } else if (executed) {
    outcome.memory.emplace();
  }
  if (const auto target = object.Optional("target")) {
    outcome.observed = target->String();
  }
  object.Finish();
  return outcome;
}

std::expected<Outcome, CaseError> ReadOutcome(std::string_view text,
                                              const Case& c) {
  return ReadDocument(
      text,
      [&](const Cursor& root) {
        return ReadOutcomeAt(root, c, OutcomeForm::kDocument);
      },
      kMaxCaseFileBytes);
}

}  // namespace lanediff::diff
