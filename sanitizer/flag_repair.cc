// Flags and barriers that the product does not have.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "differential/records/sort_stably.h"
#include "emulator/flags.h"
#include "isa/state.h"
#include "sanitizer/hazard_trial.h"
#include "sanitizer/pipes.h"

namespace lanediff::lint {
namespace {

using Flag = std::pair<isa::Event, std::int64_t>;
using Value = std::variant<std::int64_t, std::string>;

/// Every step of the flag with another event or id.
HazardRepair OfFlag(const Case& c, const Flag& flag, const char* field,
                    const Value& from, const Value& to) {
  HazardRepair repair;
  std::vector<std::size_t> steps;
  for (std::size_t i = 0; i < c.program.size(); ++i) {
    if (FlagOf(c.program[i]) != flag) continue;
    repair.changes.push_back({i, field, from, to});
    steps.push_back(i);
  }
  constexpr std::size_t kFew = 8;
  const bool many = steps.size() > kFew;
  if (many) steps.resize(kFew);
  repair.text = fmt::format(
      "{} in step{} {}{}", InsteadText(repair.changes.front()),
      steps.size() == 1 ? "" : "s", fmt::join(steps, ", "), many ? ", …" : "");
  return repair;
}

/// The lowest id that the product has, one that no step uses if possible;
/// those that SYNC-FLAG-RESERVED speaks of are the greatest.
std::optional<HazardRepair> OfId(HazardTrial& trial) {
  const Flag flag = *FlagOf(trial.step());
  std::set<std::int64_t> used;
  for (const isa::Step& step : trial.c.program) {
    const auto other = FlagOf(step);
    if (other && other->first == flag.first) used.insert(other->second);
  }
  constexpr std::int64_t kBeyondAllIds = 64;
  std::vector<std::int64_t> ids;
  for (std::int64_t one = 0; one < kBeyondAllIds; ++one) {
    if (emulator::FlagExists(trial.c.product, flag.first, one)) {
      ids.push_back(one);
    }
  }
  SortStably(ids, [&](std::int64_t one) { return used.contains(one); });
  std::vector<HazardRepair> tried;
  for (std::int64_t one : ids) {
    tried.push_back(OfFlag(trial.c, flag, "id", flag.second, one));
  }
  // A flag that counts now may lack its other end, which is reported then.
  return trial.Best(tried, 0);
}

/// An event that the product has: of those that help most one with the same
/// end.
std::optional<HazardRepair> OfEvent(HazardTrial& trial) {
  const Flag flag = *FlagOf(trial.step());
  std::vector<isa::Event> events;
  for (std::size_t i = 0; i < isa::kCount<isa::Event>; ++i) {
    const auto one = static_cast<isa::Event>(i);
    if (emulator::FlagExists(trial.c.product, one, flag.second)) {
      events.push_back(one);
    }
  }
  SortStably(events, [from = flag.first](isa::Event one) {
    return (isa::DestinationOf(one) == isa::DestinationOf(from) ? 0 : 1) +
           (isa::SourceOf(one) == isa::SourceOf(from) ? 0 : 1);
  });
  std::vector<HazardRepair> tried;
  for (isa::Event one : events) {
    tried.push_back(OfFlag(trial.c, flag, "event",
                           std::string(isa::Name(flag.first)),
                           std::string(isa::Name(one))));
  }
  return trial.Best(tried, 0);
}

/// A barrier of all pipes orders what that of any would.
std::optional<HazardRepair> OfBarrier(HazardTrial& trial) {
  if (!HasBarrier(trial.c.product, isa::Pipe::kAll)) return std::nullopt;
  const isa::Pipe from = std::get<isa::PipeBarrier>(trial.step()).pipe;
  const std::string all(isa::Name(isa::Pipe::kAll));
  HazardRepair repair;
  repair.changes = {{trial.later(), "pipe", std::string(isa::Name(from)), all}};
  repair.text = InsteadText(repair.changes.front());
  return trial.Best({std::move(repair)}, 0);
}

}  // namespace

std::optional<HazardRepair> ReplaceAbsent(HazardTrial& trial) {
  if (trial.hazard.rule == isa::sync::kFlagId) return OfId(trial);
  if (trial.hazard.rule == isa::sync::kFlagPipe) return OfEvent(trial);
  return OfBarrier(trial);
}

}  // namespace lanediff::lint
