#include <fmt/format.h>

#include <exception>
#include <limits>
#include <nlohmann/json.hpp>

#include "case/json.h"
#include "case/json_cursor.h"
#include "reports/run_reader.h"
#include "reports/shard.h"

namespace lanediff::reports {
namespace {

make::Shard ReadPart(const Cursor& place) {
  constexpr std::int64_t kMost = std::numeric_limits<std::uint32_t>::max();
  ObjectCursor object(place);
  const auto count = object.Required("count").IntegerIn(1, kMost);
  const auto index = object.Required("index").IntegerIn(0, count - 1);
  object.Finish();
  return {static_cast<std::uint64_t>(index), static_cast<std::uint64_t>(count)};
}

diff::KnownIssue ReadIssue(const Cursor& place) {
  ObjectCursor object(place);
  diff::KnownIssue issue;
  issue.signature = object.Required("signature").String();
  issue.reason = object.Required("reason").String();
  issue.link = object.Required("link").String();
  issue.expires = object.Required("expires").String();
  issue.file = object.Required("file").String();
  object.Finish();
  return issue;
}

void ReadPlace(const Cursor& place, CaseRecord& record, RunRecord& run) {
  ObjectCursor object(place);
  record.number = object.Required("number").Count();
  if (const auto room = object.Optional("room")) record.room = room->String();
  if (const auto what = object.Optional("what")) record.what = what->String();
  if (const auto flag = object.Optional("unrecorded")) {
    record.unrecorded = flag->Boolean();
    run.unrecorded += record.unrecorded;
  }
  record.reproduce = object.Required("reproduce").String();
  object.Finish();
}

void ReadPlaces(const Cursor& place, RunRecord& run) {
  std::size_t next = 0;
  place.ForEach([&](const Cursor& item) {
    if (next == run.cases.size()) {
      item.Fail(fmt::format("one more than there are cases; {} are allowed",
                            run.cases.size()));
    }
    ReadPlace(item, run.cases[next++], run);
  });
  if (next < run.cases.size()) {
    place.Fail(fmt::format("found {}; one for each of {} cases is allowed",
                           next, run.cases.size()));
  }
}

diff::PacePart ReadPacePart(const Cursor& place) {
  ObjectCursor object(place);
  diff::PacePart part;
  part.cases = object.Required("cases").Count();
  part.seconds = object.Required("seconds").Double();
  part.reference_seconds = object.Required("referenceSeconds").Double();
  part.target_seconds = object.Required("targetSeconds").Double();
  object.Finish();
  return part;
}

void ReadPaces(const Cursor& place, RunRecord& run) {
  std::size_t next = 0;
  place.ForEach([&](const Cursor& item) {
    if (next == run.fuzzers.size()) item.Fail("one more than fuzz programs");
    FuzzerRecord& fuzzer = run.fuzzers[next++];
    ObjectCursor object(item);
    fuzzer.build = object.Required("build").String();
    fuzzer.pace.legal = ReadPacePart(object.Required("legal"));
    fuzzer.pace.illegal = ReadPacePart(object.Required("illegal"));
    object.Finish();
  });
  if (next < run.fuzzers.size()) {
    place.Fail(fmt::format("found {}; one for each of {} programs is allowed",
                           next, run.fuzzers.size()));
  }
}

audit::CrewResult ReadAudit(const Cursor& place, std::string_view text) {
  ObjectCursor object(place);
  audit::CrewResult crew;
  crew.crashed = object.Required("crashed").Count();
  crew.hung = object.Required("hung").Count();
  crew.stopped = object.Required("stopped").String();
  const Cursor tally = object.Required("tally");
  object.Finish();
  try {
    const auto json = nlohmann::json::parse(text);
    crew.tally = audit::Tally::Parse(
        nlohmann::json::to_cbor(json.at("audit").at("tally")));
  } catch (const std::exception& error) {
    tally.Fail(fmt::format("no tally: {}", error.what()));
  }
  return crew;
}

ShardRecord Read(const Cursor& root, std::string_view text) {
  ObjectCursor object(root);
  object.Required("format").MustBe("lanediff-shard/1");
  ShardRecord record;
  record.program = object.Required("program").String();
  const Cursor verb = object.Required("verb");
  record.verb = verb.String();
  record.shard = ReadPart(object.Required("shard"));
  record.complete = object.Required("complete").Boolean();
  record.day = object.Required("day").String();
  object.Required("options").ForEachMember(
      [&](std::string_view name, const Cursor& value) {
        record.options.emplace_back(name, value.String());
      });
  record.out = object.Required("out").String();
  object.Required("knownIssues").ForEach([&](const Cursor& item) {
    record.known_issues.push_back(ReadIssue(item));
  });
  object.Required("occurred").ForEach([&](const Cursor& item) {
    record.occurred.insert(item.String());
  });
  if (verb.String() == "check" || verb.String() == "fuzz" ||
      verb.String() == "sweep") {
    const Cursor run = object.Required("run");
    record.run = ReadRunRecord(run);
    if (record.run->verb != record.verb) {
      run.Fail(fmt::format("found a run of \"{}\"; of \"{}\" is allowed",
                           Quote(record.run->verb), record.verb));
    }
    ReadPlaces(object.Required("places"), *record.run);
    ReadPaces(object.Required("paces"), *record.run);
  } else if (verb.String() == "mutants") {
    record.mutants = ReadMutantsRecord(object.Required("mutants"));
  } else if (verb.String() == "exhaust") {
    object.Required("states").ForEach([&](const Cursor& item) {
      record.states.push_back(make::exhaust::ReadStateAt(item));
    });
  } else if (verb.String() == "audit") {
    record.audit = ReadAudit(object.Required("audit"), text);
  } else {
    verb.Fail(fmt::format(
        "found \"{}\"; audit, check, exhaust, fuzz, mutants, sweep is allowed",
        Quote(verb.String())));
  }
  object.Finish();
  return record;
}

}  // namespace

std::expected<ShardRecord, std::string> ReadShard(std::string_view text) {
  try {
    const auto json = ParseJson(text);
    if (!json) throw json.error();
    return Read(Cursor(*json), text);
  } catch (const CaseError& error) {
    return std::unexpected(error.pointer.empty()
                               ? error.message
                               : error.pointer + ": " + error.message);
  }
}

}  // namespace lanediff::reports
