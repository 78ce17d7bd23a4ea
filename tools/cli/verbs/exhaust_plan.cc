#include "tools/cli/verbs/exhaust_plan.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <filesystem>

#include "generators/exhaustive/space.h"
#include "tools/cli/common.h"
#include "tools/cli/options.h"
#include "tools/cli/shard.h"

namespace lanediff::cli {
namespace {

namespace fs = std::filesystem;
using make::exhaust::Space;
using make::exhaust::State;

/// A range of call numbers, "A..B", B not in it.
struct Range {
  std::uint64_t from;
  std::uint64_t to;
};

std::optional<Range> ParseRange(const std::string& text) {
  Range range{};
  const char* const last = text.data() + text.size();
  const auto first = std::from_chars(text.data(), last, range.from);
  if (first.ec != std::errc{} || last - first.ptr < 3) return std::nullopt;
  if (first.ptr[0] != '.' || first.ptr[1] != '.') return std::nullopt;
  const auto second = std::from_chars(first.ptr + 2, last, range.to);
  if (second.ec != std::errc{} || second.ptr != last) return std::nullopt;
  return range;
}

}  // namespace

std::string SpaceNames() {
  std::string names;
  for (const auto& space : make::exhaust::Spaces()) {
    if (!names.empty()) names += ", ";
    names += space->name();
  }
  return names;
}

std::optional<std::vector<State>> PlanExhaust(const ExhaustOptions& options) {
  const auto shard = FindShard(options.shard);
  if (!shard) {
    FailUsage(shard.error());
    return std::nullopt;
  }
  std::optional<Range> range;
  if (!options.range.empty()) {
    range = ParseRange(options.range);
    if (!range || range->from >= range->to) {
      FailUsage("--range: \"" + options.range +
                "\"; A..B with A < B, numbers of calls, is allowed");
      return std::nullopt;
    }
  }
  std::vector<State> states;
  for (const std::string& name : options.spaces) {
    const Space* const space = make::exhaust::FindSpace(name);
    if (space == nullptr) {
      FailUsage("no space \"" + name + "\"; " + SpaceNames() + " are there");
      return std::nullopt;
    }
    if (range && range->to > space->calls()) {
      FailUsage(fmt::format("--range: {} has {} calls; no more are allowed",
                            name, space->calls()));
      return std::nullopt;
    }
    State state;
    state.space = name;
    state.version = make::exhaust::VersionOf(*space);
    state.part = {.from = range ? range->from : 0,
                  .to = range ? range->to : space->calls(),
                  .index = shard->index,
                  .count = shard->count};
    state.target = options.target.name;
    if (const auto edition = EditionOf(options.edition);
        edition != isa::kNewestEdition) {
      state.edition = edition;
    }
    states.push_back(std::move(state));
  }
  return states;
}

std::string StatePath(const ExhaustOptions& options, const State& wanted) {
  if (!options.state.empty()) return options.state;
  const make::exhaust::Part& part = wanted.part;
  std::string name =
      fmt::format("{}.{}-of-{}", wanted.space, part.index, part.count);
  if (!options.range.empty()) {
    name += fmt::format(".{}-{}", part.from, part.to);
  }
  if (wanted.edition) name += fmt::format(".{}", isa::Name(*wanted.edition));
  return (fs::path(options.out) / "exhaust" / (name + ".state.json")).string();
}

}  // namespace lanediff::cli
