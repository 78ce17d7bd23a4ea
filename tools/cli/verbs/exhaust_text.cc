#include "tools/cli/verbs/exhaust_text.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "differential/testcase/json_layout.h"
#include "reports/printable.h"
#include "tools/cli/common.h"

namespace lanediff::cli {
namespace {

using make::exhaust::SavedFinding;
using make::exhaust::Space;
using make::exhaust::State;
using Json = nlohmann::ordered_json;

Json StateJson(const State& state) {
  const Space& space = *make::exhaust::FindSpace(state.space);
  const double seconds = static_cast<double>(state.milliseconds) / 1000;
  Json json = {{"space", state.space},
               {"version", state.version},
               {"edition", isa::Name(state.Edition())},
               {"pointsAre", space.point_word()},
               {"spacePoints", space.points()},
               {"spaceCalls", space.calls()},
               {"from", state.part.from},
               {"to", state.part.to},
               {"shard", std::to_string(state.part.index) + "/" +
                             std::to_string(state.part.count)},
               {"partCalls", state.part.size()},
               {"calls", state.next},
               {"points", state.points},
               {"unsupported", state.unsupported},
               {"disagree", state.disagree},
               {"complete", state.complete()},
               {"seconds", seconds},
               {"pointsPerSecond", PerSecond(state.points, seconds)}};
  json["findings"] = Json::array();
  for (const SavedFinding& finding : state.findings) {
    json["findings"].push_back(
        {{"call", finding.call},
         {"signature", finding.signature},
         {"message", finding.message},
         {"path", finding.path},
         {"reproduce", Reproduce(finding.path, state.target)}});
  }
  return json;
}

}  // namespace

std::string SpacesText() {
  std::string text;
  for (const auto& space : make::exhaust::Spaces()) {
    text += fmt::format("{}: {} {} in {} calls\n", space->name(),
                        space->points(), space->point_word(), space->calls());
    for (const std::string& line : space->Bounds()) {
      text += fmt::format("  {}\n", line);
    }
  }
  return text;
}

std::string ExhaustText(const Space& space, const State& state) {
  const double seconds = static_cast<double>(state.milliseconds) / 1000;
  const std::uint64_t part = state.part.size();
  return fmt::format(
      "{}{}: {} of {} {} and {} of {} calls compared, {} against oracle: {} "
      "disagree, {} unsupported; {:.1f} s, {:.2f} million {}/s, edition {}\n"
      "  calls {}..{}, shard {}/{}: {} of {}{}\n",
      state.complete() ? "" : "NOT complete: ", state.space, state.points,
      space.points(), space.point_word(), state.next, space.calls(),
      reports::InOneLine(state.target), state.disagree, state.unsupported,
      seconds, PerSecond(state.points, seconds) / 1e6, space.point_word(),
      isa::Name(state.Edition()), state.part.from, state.part.to,
      state.part.index, state.part.count, state.next, part,
      state.complete() ? ", complete" : ", not complete");
}

std::string FindingText(const SavedFinding& finding,
                        const std::string& target) {
  return fmt::format("disagree {}\n  reproduce: {}\n",
                     reports::InOneLine(finding.message),
                     reports::InOneLine(Reproduce(finding.path, target)));
}

std::string ExhaustJson(const std::vector<State>& states,
                        const std::string& unfinished,
                        const reports::Reasons& reasons) {
  Json json = {{"schema", kReportSchema},
               {"kind", "exhaust"},
               {"target", states.empty() ? "" : states.front().target},
               {"reference", "oracle"}};
  AddComplete(reasons, json);
  if (!unfinished.empty()) json["unfinished"] = unfinished;
  json["spaces"] = Json::array();
  for (const State& state : states) json["spaces"].push_back(StateJson(state));
  return LayOut(json);
}

}  // namespace lanediff::cli
