#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "differential/records/exhaust_state.h"
#include "differential/testcase/record_json.h"
#include "generators/exhaustive/space.h"
#include "reports/mutant_record.h"
#include "reports/shard.h"
#include "tools/history/folding.h"

namespace lanediff::campaign {
namespace {

using make::exhaust::State;

/// How a scope names the calls in `range`, "A..B"; empty: all.
std::string PartOfSpace(const std::string& name, const std::string& range) {
  const auto* const space = make::exhaust::FindSpace(name);
  const bool whole =
      range.empty() ||
      (space != nullptr && range == fmt::format("0..{}", space->calls()));
  return whole ? name : name + " " + range;
}

/// A part of a space that was enumerated.
void FoldState(const State& state, Part& part) {
  const auto* const space = make::exhaust::FindSpace(state.space);
  part.scope.only.insert(PartOfSpace(
      state.space, fmt::format("{}..{}", state.part.from, state.part.to)));
  part.target = state.target;
  part.reference = "oracle";
  SetEdition(isa::Name(state.Edition()), part);
  Add(part.cases, state.points);
  Add(part.cases, state.unsupported);
  part.seconds += static_cast<double>(state.milliseconds) / 1000;
  if (space != nullptr) {
    const std::string slug(space->slug());
    auto& compared = ComparedOf(part, slug);
    if (state.points > 0) Add(compared["cases"], state.points);
    Add(compared["leftOut"], state.unsupported);
  }
  for (const auto& finding : state.findings) {
    AddSighting(finding.signature,
                {.times = 1,
                 .message = finding.message,
                 .case_name = finding.path,
                 .path = finding.path},
                part);
  }
}

/// One space of what exhaust leaves with --json.
void FoldSpace(const Cursor& place, Part& part) {
  ObjectCursor space(place);
  State state;
  state.target = part.target;
  state.space = space.Required("space").String();
  space.Read("edition", state.edition);
  state.part.from = space.Required("from").Count();
  state.part.to = space.Required("to").Count();
  state.points = space.Required("points").Count();
  state.unsupported = space.Required("unsupported").Count();
  state.milliseconds = static_cast<std::uint64_t>(
      1000 * std::max(0.0, space.Required("seconds").Double()));
  if (!space.Required("complete").Boolean()) {
    part.unfinished = state.space + " is not enumerated to its end";
  }
  space.Required("findings").ForEach([&](const Cursor& finding) {
    state.findings.push_back(Read<make::exhaust::SavedFinding>(finding));
  });
  FoldState(state, part);
}

}  // namespace

void FoldMutants(const Cursor& place, Part& part) {
  const auto record = ReadRecord<reports::MutantsRecord>(place);
  part.target = "planted bugs";
  part.reference = "oracle";
  part.seconds = record.seconds;
  SetEdition(record.edition, part);
  // A shard may have no mutant.
  if (!record.mutants.empty() && !record.complete()) {
    part.unfinished = "not every hunt came to its end";
  }
  for (const reports::MutantRecord& mutant : record.mutants) {
    const std::string slug = SlugOf(mutant.instruction);
    std::uint64_t tried = 0;
    for (const auto& checker : mutant.checkers) Add(tried, checker.tried);
    Add(part.cases, tried);
    const auto verdict = mutant.verdict();
    if (verdict == reports::MutantVerdict::kNotFinished) continue;
    Add(ComparedOf(part, slug)["cases"], tried);
    part.case_hashes.push_back(CaseHash(mutant.name));
    if (verdict == reports::MutantVerdict::kFound) continue;
    AddSighting(fmt::format("survived/{}/{}/planted", slug, mutant.name),
                {.times = 1,
                 .message = "no checker finds it: " + mutant.defect,
                 .case_name = mutant.name,
                 .reproduce = "lanediff mutants " + mutant.name +
                              (record.edition == isa::Name(isa::Edition::k2024)
                                   ? " --edition " + record.edition
                                   : "")},
                part);
  }
}

void FoldShard(const Cursor& root, Part& part) {
  ObjectCursor shard(root);
  part.sharded = true;
  part.program = shard.Required("program").String();
  part.shard = ReadRecord<make::Shard>(shard.Required("shard"));
  part.day = shard.Required("day").String();
  // What all shards of one run share, as `lanediff merge` requires.
  part.options = fmt::format("{} shards\n", part.shard.count);
  std::map<std::string, std::string, std::less<>> options;
  shard.Required("options").ForEachMember(
      [&](std::string_view name, const Cursor& value) {
        options.emplace(name, value.String());
        part.options += fmt::format("{}={}\n", name, value.String());
      });
  shard.Required("knownIssues").ForEach([&](const Cursor& place) {
    const auto issue = Read<reports::ListedIssue>(place);
    part.options += fmt::format("known {} {} {}\n", issue.signature,
                                issue.expires, issue.reason);
  });
  if (part.verb == "audit") {
    shard.Required("verb").Fail(
        "a shard of an audit has no findings before all are together; join "
        "them with lanediff merge DIR... --out OUT, and add OUT");
  } else if (part.verb == "mutants") {
    FoldMutants(shard.Required("mutants"), part);
  } else if (part.verb == "exhaust") {
    shard.Required("states").ForEach([&](const Cursor& state) {
      FoldState(ReadRecord<State>(state), part);
    });
    // Begun or not.
    std::istringstream spaces(options["spaces"]);
    for (std::string name; spaces >> name;) {
      part.scope.only.insert(PartOfSpace(name, options["range"]));
    }
  } else {
    FoldRun(shard.Required("run"), part);
  }
  if (shard.Required("complete").Boolean() || !part.unfinished.empty()) return;
  part.unfinished = "interrupted, or something could not be saved";
}

void FoldExhaust(const Cursor& root, Part& part) {
  ObjectCursor document(root);
  part.target = document.Required("target").String();
  document.Read("unfinished", part.unfinished);
  document.Required("spaces").ForEach(
      [&](const Cursor& space) { FoldSpace(space, part); });
}

}  // namespace lanediff::campaign
