#include "make/exhaust/state.h"

#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "case/json.h"
#include "case/json_cursor.h"
#include "case/json_layout.h"

namespace lanediff::make::exhaust {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

std::uint64_t Count(const Cursor& place, std::int64_t low = 0,
                    std::int64_t high = kMost) {
  return static_cast<std::uint64_t>(place.IntegerIn(low, high));
}

std::uint64_t CountBelow(const Cursor& place, std::uint64_t high) {
  return Count(place, 0, static_cast<std::int64_t>(high));
}

Part ReadPart(const Cursor& place) {
  ObjectCursor fields(place);
  Part part;
  part.from = Count(fields.Required("from"));
  part.to = Count(fields.Required("to"));
  part.count = Count(fields.Required("count"), 1);
  part.index = CountBelow(fields.Required("index"), part.count - 1);
  fields.Finish();
  return part;
}

SavedFinding ReadFinding(const Cursor& place) {
  ObjectCursor fields(place);
  SavedFinding finding;
  finding.call = Count(fields.Required("call"));
  finding.message = fields.Required("message").String();
  finding.path = fields.Required("path").String();
  fields.Finish();
  return finding;
}

std::string PartText(const Part& part) {
  return fmt::format("calls {}..{}, shard {}/{}", part.from, part.to,
                     part.index, part.count);
}

}  // namespace

std::string StateText(const State& state) {
  nlohmann::ordered_json json = {{"format", kStateFormat},
                                 {"space", state.space},
                                 {"version", state.version}};
  json["part"] = {{"from", state.part.from},
                  {"to", state.part.to},
                  {"index", state.part.index},
                  {"count", state.part.count}};
  json["target"] = state.target;
  json["next"] = state.next;
  json["points"] = state.points;
  json["unsupported"] = state.unsupported;
  json["disagree"] = state.disagree;
  json["milliseconds"] = state.milliseconds;
  json["findings"] = nlohmann::ordered_json::array();
  for (const SavedFinding& finding : state.findings) {
    json["findings"].push_back({{"call", finding.call},
                                {"message", finding.message},
                                {"path", finding.path}});
  }
  return LayOut(json);
}

std::expected<State, std::string> ReadState(std::string_view text) {
  try {
    const auto json = ParseJson(text);
    if (!json) throw json.error();
    return ReadStateAt(Cursor(*json));
  } catch (const CaseError& error) {
    return std::unexpected(fmt::format(
        "{}: {}", error.pointer.empty() ? "/" : error.pointer, error.message));
  }
}

State ReadStateAt(const Cursor& place) {
  ObjectCursor fields(place);
  fields.Required("format").MustBe(kStateFormat);
  State state;
  state.space = fields.Required("space").String();
  state.version = fields.Required("version").String();
  const Cursor part = fields.Required("part");
  state.part = ReadPart(part);
  state.target = fields.Required("target").String();
  state.next = CountBelow(fields.Required("next"), state.part.size());
  state.points = Count(fields.Required("points"));
  state.unsupported = Count(fields.Required("unsupported"));
  state.disagree = Count(fields.Required("disagree"));
  state.milliseconds = Count(fields.Required("milliseconds"));
  const Cursor findings = fields.Required("findings");
  findings.ForEach([&](const Cursor& finding) {
    state.findings.push_back(ReadFinding(finding));
  });
  fields.Finish();
  return state;
}

std::string Mismatch(const State& found, const State& wanted) {
  const auto differ = [](std::string_view what, std::string_view a,
                         std::string_view b) {
    return fmt::format("is of {} {}, not {}", what, a, b);
  };
  if (found.space != wanted.space) {
    return differ("space", found.space, wanted.space);
  }
  if (found.version != wanted.version) {
    return differ("another version of " + found.space + ":", found.version,
                  wanted.version);
  }
  if (found.part != wanted.part) {
    return differ("part", PartText(found.part), PartText(wanted.part));
  }
  if (found.target != wanted.target) {
    return differ("target", found.target, wanted.target);
  }
  return "";
}

}  // namespace lanediff::make::exhaust
